"""A player of the `duel` door against one of the native door, and what each of them may know."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists
from tests.doors.duel.judge import DRAWN, LOST, WON, marks, played_out
from tests.doors.duel.packets import Board
from tests.doors.native.clients import Client as NativeClient
from tests.doors.native.clients import Json
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

SETTINGS = ("duel.size=3", "duel.close_seconds=0.2")
CODES = {WON: p.WON, LOST: p.LOST, DRAWN: p.DRAWN}
EMPTY: Board = [[0] * 3] * 3


@pytest.fixture
async def natives(hall: HallProcess) -> AsyncIterator[Visitors]:
    visitors = Visitors(hall)
    yield visitors
    await visitors.leave()


async def a_match(at: Duelists, natives: Visitors) -> tuple[Client, NativeClient, int, str]:
    """Someone who waits at the `duel` door, someone who has sat down opposite, their table."""
    text = f"7:8:{at.new_match()}:the key:fast"
    duelist = at.enters(text, 7)
    native = await natives.guest()
    waiting = (await native.ask("list_tables", game="bingo-duel", status="waiting"))["tables"]
    table = waiting[-1]["id"]
    await native.ask("sit", table=table)
    assert (await native.notice("seated", table=table))["seat"] == 1
    duelist.take(p.BOARD)
    return duelist, native, table, text


async def pick(native: NativeClient, table: int, number: int) -> None:
    await native.ask("act", table=table, command={"type": "pick", "number": number})


async def view(native: NativeClient, table: int) -> Json:
    native.notices.clear()
    await native.ask("resume", table=table)
    found: Json = (await native.notice("table_view", table=table))["view"]
    return found


async def test_a_whole_game(at: Duelists, natives: Visitors) -> None:
    duelist, native, table, text = await a_match(at, natives)
    at.refused(text)
    seen = await view(native, table)
    board = seen["sides"][1]["board"]
    picks, ended = played_out(duelist.board, board, list(range(1, 10)))
    for turn, number in enumerate(picks):
        if turn % 2:
            duelist.pick(number)
            await native.notice("table_events", table=table)
        else:
            await pick(native, table, number)
            assert duelist.take(p.PICKED) == number
            if number != picks[-1]:
                duelist.take(p.YOURS)
    duelist.take(CODES[ended])
    assert duelist.take(p.OTHER_BOARD) == (board, marks(board, picks))
    over = await native.notice("table_over", table=table)
    winners = {WON: [0], LOST: [1], DRAWN: []}[ended]
    assert over["outcome"]["winners"] == winners
    # The dialect knows no second game.
    left = await native.notice("player_left", table=table)
    assert left["seat"] == 0
    duelist.ended()


@pytest.mark.parametrize("way", ["leave", "resign"])
async def test_who_leaves_has_lost(at: Duelists, natives: Visitors, way: str) -> None:
    duelist, native, table, text = await a_match(at, natives)
    await pick(native, table, 5)
    duelist.take(p.PICKED, p.YOURS)
    if way == "leave":
        await native.ask("leave", table=table)
    else:
        await native.ask("act", table=table, command={"type": "resign"})
    duelist.take(p.OTHER_LEFT)
    duelist.ended()
    at.enters(text, 7)  # To another match under the same number.


async def test_the_seat_of_a_native_player_is_not_for_a_hello(
    at: Duelists, natives: Visitors
) -> None:
    duelist, native, table, text = await a_match(at, natives)
    await native.close()
    at.refused(text)
    duelist.close()
    back = at.comes_back(text, 7, duelist.board, [])
    back.pick(1)
    back.take(p.NOT_YOURS)
    again = await natives.back(native)
    await pick(again, table, 1)
    back.take(p.PICKED, p.YOURS)


async def test_nobody_sees_the_opponents_board_before_the_end(
    at: Duelists, natives: Visitors
) -> None:
    duelist, native, table, _ = await a_match(at, natives)
    watcher = await natives.guest()
    await watcher.ask("watch", table=table)
    await pick(native, table, 9)
    duelist.take(p.PICKED, p.YOURS)
    seen = await view(native, table)
    assert seen["sides"][0] == {"board": EMPTY, "lines": None}
    own = seen["sides"][1]["board"]
    assert [packet.kind for packet in duelist.log] == [p.ACCEPTED, p.BOARD, p.PICKED, p.YOURS]
    assert duelist.log[1].value == duelist.board != own
    dealt = [
        event
        for client in (native, watcher)
        for told in client.heard("table_events")
        for event in told["events"]
        if event["type"] == "boards_dealt"
    ]
    assert [board for event in dealt for board in event["boards"]] == [
        [],
        [number for row in own for number in row],
    ]
    # It is no rated game, so those who watch may see both.
    watched = await view(watcher, table)
    assert [side["board"] for side in watched["sides"]] == [duelist.board, own]


async def test_a_native_player_hears_of_drops_and_returns(at: Duelists, natives: Visitors) -> None:
    duelist, native, table, text = await a_match(at, natives)
    duelist.reset()
    dropped = await native.notice("player_dropped", table=table)
    at.enters(text, 7)
    back = await native.notice("player_back", table=table)
    assert back["player"] == dropped["player"]
    # With a number behind it, since others of these tests are called so too.
    assert back["name"].startswith("7")
