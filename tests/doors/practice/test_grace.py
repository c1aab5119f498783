"""What ends by itself: the seat of one who stays away, and a connection that is nobody's; and what
the operator ends."""

from __future__ import annotations

import asyncio
from urllib.request import Request, urlopen

import pytest

from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    match,
    over,
    over_for,
    play,
    whole_game,
)
from tests.doors.practice.shapes import LOGGED_IN, TOLD
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

SETTINGS = ("table.grace_seconds=0.3", "limits.hello_seconds=5")


@pytest.mark.parametrize("end", ["close", "reset", "shut"])
@pytest.mark.parametrize("seat", [0, 1])
async def test_after_the_grace_time_one_has_lost(at: Visitors, seat: int, end: str) -> None:
    game = await match(*await at.pair())
    await play(game, "0302")
    away, stays = game.players[seat], game.players[1 - seat]
    if end == "shut":
        away.shut()
    else:
        await getattr(away, end)()
    await over_for(stays, game.room, 1 - seat, "left")
    await stays.quiet()
    # Its seat was not kept, so there is nothing to come back to.
    again = await at.back(away)
    await again.quiet()
    await whole_game(again, stays)


async def test_the_event_is_told_where_events_are(at: Visitors) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    await game.first.reset()
    abandoned = {"room": game.room, "action": "abandoned", "seat": 0}
    assert await game.second.room("abandoned") == abandoned
    assert (await game.second.room("view"))["view"]["turn"] is None
    await over_for(game.second, game.room, 1, "left")


async def test_both_are_gone(at: Visitors) -> None:
    game = await match(*await at.pair())
    for player in game.players:
        await player.reset()
    nora = await at.native()
    async with asyncio.timeout(WAIT_SECONDS):
        while (await nora.ask("list_tables", game="four-stone", status="playing"))["tables"]:
            await asyncio.sleep(0.05)
    for player in game.players:
        await (await at.back(player)).quiet()


async def test_who_does_not_log_in_is_closed(at: Visitors) -> None:
    silent, chatty, late = [await at.stranger() for _ in range(3)]
    await chatty.quiet()
    late.log_in()
    await late.take(LOGGED_IN)
    for client in (silent, chatty):
        await client.end()
        assert client.close_code == 1008
        assert all(message["code"] == TOLD for message in client.messages)
    await late.quiet()


async def test_a_round_that_is_called_off(at: Visitors, hall: HallProcess) -> None:
    game = await match(*await at.pair())
    await play(game, "0302")
    await asyncio.to_thread(call_off, hall, game.room)
    await over(game, None, "void")
    for player in game.players:
        await player.quiet()
    await whole_game(*game.players)


def call_off(hall: HallProcess, room: int) -> None:
    token = (hall.data / "operator-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"{hall.web_url}/api/tables/{room}/void"
    with urlopen(Request(address, b'{"reason": "a test"}', headers)) as answer:
        assert answer.status == 200
