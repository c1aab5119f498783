"""Two who play on whatever else is done to the hall: nobody's bad input may be theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from tests.doors.native.playing import check_story, match
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

PAUSE_SECONDS = 0.03
"""Keeps below the rate that the hall allows."""


@asynccontextmanager
async def undisturbed(hall: HallProcess) -> AsyncIterator[None]:
    """All the while two people play, each move is answered and told to the other. They go on
    for a little when everything else is over."""
    at = Visitors(hall)
    anna, bob = await at.pair()
    table = await match(anna, bob)
    over = asyncio.Event()

    async def play() -> None:
        for number in count():
            # An offer and its refusal can be repeated for ever.
            offered = await anna.ask("offer_draw", table=table)
            await bob.notice("table_events", seq=offered["seq"])
            answered = await bob.ask("answer_draw", table=table, accept=False)
            await anna.notice("table_events", seq=answered["seq"])
            if over.is_set() and number > 1:
                return
            await asyncio.sleep(PAUSE_SECONDS)

    playing = asyncio.create_task(play())
    try:
        yield
        over.set()
        await playing
    finally:
        playing.cancel()
    for client in (anna, bob):
        assert not client.heard("error")
        check_story(client, table)
    await at.leave()
