"""The grace time is over, or the hall is."""

from __future__ import annotations

import asyncio

from tests.doors.caller.halls import QUICK, Visitors
from tests.doors.caller.playing import CAN_START, WAIT, begin, to_the_end
from tests.support.waiting import WAIT_SECONDS

SETTINGS = (*QUICK, "table.grace_seconds=0.3")


async def test_after_the_grace_time_one_has_lost(at: Visitors) -> None:
    anna, bob = await begin(at)
    watcher, _, _ = await at.sit("watcher")
    await bob.reset()
    left = await watcher.notice("player_left")
    assert (left["name"], left["reason"]) == ("bob", "dropped")
    again = await at.caller("bob")
    assert again.messages == ["Connected as bob", WAIT]
    await to_the_end(anna)


async def test_a_round_from_which_everyone_has_dropped(at: Visitors) -> None:
    anna, bob = await begin(at)
    late = await at.caller("late")
    for player in (anna, bob):
        await player.reset()
    # Nobody is waited for, so it comes to its end, one way or the other.
    await late.message(CAN_START)
    assert late.messages[2] in (
        "Nobody is left in the round.",
        "All numbers have been called. Nobody wins the round.",
    )


async def test_a_hall_that_stops_says_so(at: Visitors) -> None:
    anna, bob = await begin(at)
    stopping = asyncio.create_task(asyncio.to_thread(at.hall.stop))
    for player in (anna, bob):
        await player.message("The hall stops in 3 seconds.")
        await player.end()
    async with asyncio.timeout(WAIT_SECONDS):
        assert await stopping == 0
