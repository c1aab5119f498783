"""A connection that ends: the seat is kept, and what was missed is told."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import GAME, check_story, drop, match, play, resign
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

doors = pytest.mark.parametrize("door", ["ws", "tcp"])
KEPT = 256
"""Notices that the hall keeps for each table."""


@doors
@pytest.mark.parametrize("how", ["close", "reset"])
async def test_dropped_and_back(at: Visitors, door: Door, how: str) -> None:
    anna, bob = await at.pair(door)
    carol = await at.guest()
    table = await match(anna, bob)
    await carol.ask("watch", table=table)
    known = await drop(anna, table, 3)
    await anna.close() if how == "close" else anna.reset()
    who = {"table": table, "player": anna.id, "name": anna.name}
    for client in (bob, carol):
        assert await client.notice("player_dropped") == {**who, "seconds": 60.0}
    await bob.ask("resume", table=table)
    view = await bob.notice("table_view")
    assert [player.get("here", True) for player in view["players"]] == [False, True]
    seq = await drop(bob, table, 3)

    again = await at.back(anna)
    assert [message["action"] for message in again.log] == ["hello"]
    assert again.welcome["tables"] == [{"table": table, "seat": 0}]
    for client in (bob, carol):
        assert await client.notice("player_back") == who
    assert await again.ask("resume", table=table, after=known) == {"table": table, "missed": 1}
    told = await again.notice("table_events")
    assert (told["after"], told["seq"]) == (known, seq)
    assert told["events"][0]["column"] == 3
    await drop(again, table, 3)
    await again.ask("ping")
    assert not again.heard("player_back")
    check_story(again, table)


async def test_resume_tells_all_that_was_missed_the_end_too(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    known = check_story(anna, table)
    other = await at.back(anna, "tcp")
    anna.reset()
    await play(other, bob, table)
    await other.notice("table_over")
    again = await at.back(anna)
    resumed = await again.ask("resume", table=table, after=known)
    assert resumed["missed"] == 7
    over = await again.notice("table_over")
    assert len(again.heard("table_events")) == 7
    assert check_story(again, table) == over["seq"]
    assert over == other.heard("table_over")[-1]
    for after in (over["seq"], None):
        how = {} if after is None else {"after": after}
        resumed = await again.ask("resume", table=table, **how)
        assert resumed == {"table": table, "missed": None if after is None else 0}
    assert (await again.notice("table_view"))["outcome"]["winners"] == [0]
    # Who is ahead of the table has seen another one: only a view can help.
    assert (await again.ask("resume", table=table, after=over["seq"] + 1))["missed"] is None
    assert (await again.notice("table_view"))["seq"] == over["seq"]


async def test_a_spectator_resumes(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    carol = await at.guest()
    await carol.ask("watch", table=table)
    known = (await carol.notice("table_view"))["seq"]
    await drop(anna, table, 0)
    await drop(bob, table, 0)
    again = await at.back(carol, "tcp")
    assert await again.refused("resume", table=table, after=known) == "not_seated"
    await again.ask("watch", table=table)
    assert (await again.notice("table_view"))["seq"] == known + 2
    assert (await again.ask("resume", table=table, after=known))["missed"] == 2
    assert [(await again.notice("table_events"))["seq"] for _ in range(2)] == [known + 1, known + 2]


async def test_too_much_is_missed_for_anything_but_a_view(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    known = check_story(bob, table)
    other = await at.back(bob)
    bob.reset()
    # An offer and its refusal are two rows each time, and the game stays where it is.
    for number in range(KEPT // 2 + 1):
        await anna.ask("offer_draw", table=table)
        await other.ask("answer_draw", table=table, accept=False)
        assert number or (await other.ask("resume", table=table, after=known))["missed"] == 2
    again = await at.back(bob)
    assert (await again.ask("resume", table=table, after=known))["missed"] is None
    view = await again.notice("table_view")
    assert (view["seq"], view["seat"]) == (check_story(anna, table), 1)
    resumed = await again.ask("resume", table=table, after=known + 2)
    assert resumed["missed"] == KEPT
    await again.notice("table_events", seq=view["seq"])


async def test_after_a_crash_the_token_takes_the_seat_again(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        table = await match(anna, bob)
        payload = {"table": table, "command": {"type": "drop", "column": 3}}
        first = await anna.request("act", payload, "the move")
        waiting = await at.guest()
        opened = await waiting.request("open_table", {"game": GAME, "private": True}, "open")
        await at.leave()

        await asyncio.to_thread(hall.restart)
        at = Visitors(hall)
        again = await at.back(anna)
        assert again.welcome["player"] == anna.welcome["player"]
        assert again.welcome["tables"] == [{"table": table, "seat": 0}]
        # What was answered before is answered the same, though it is not Anna's turn.
        assert await again.request("act", payload, "the move") == first
        seq = first["payload"]["seq"]
        assert (await again.ask("resume", table=table, after=seq))["missed"] == 0
        assert (await again.ask("resume", table=table, after=seq - 1))["missed"] is None
        view = await again.notice("table_view")
        assert (view["seq"], view["view"]["board"][-1][3]) == (seq, 1)
        assert [player.get("here", True) for player in view["players"]] == [True, False]
        bob = await at.back(bob)
        bobs = await drop(bob, table, 3)
        told = await again.notice("table_events")
        assert (told["after"], told["seq"]) == (seq, bobs)
        reopened = await (await at.back(waiting)).request(
            "open_table", {"game": GAME, "private": True}, "open"
        )
        assert reopened == opened
        await resign(bob, table)
        over = await again.notice("table_over")
        assert check_story(again, table) == over["seq"]
        await at.leave()


@pytest.mark.slow
async def test_a_planned_stop_is_announced(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        table = await match(anna, bob)
        silent = [await at.connect("ws"), await at.connect("tcp")]
        stopping = asyncio.create_task(asyncio.to_thread(hall.stop, signal.SIGTERM))
        for client in (anna, bob, *silent):
            assert set(await client.notice("going_away")) == {"seconds"}
            assert client.heard("going_away")[0]["seconds"] > 0
        # Until then it is as it was.
        last = await drop(anna, table, 3)
        assert [await client.closed() for client in (anna, bob)] == [1001, None]
        assert await stopping == 0
        await at.leave()

        hall.start()
        at = Visitors(hall)
        again: Client = await at.back(anna)
        await again.ask("resume", table=table)
        assert (await again.notice("table_view"))["seq"] == last
        await at.leave()
