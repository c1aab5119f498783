"""Two who play one game after the other, whatever else is done to the hall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.doors.four.halls import Visitors
from tests.doors.four.playing import WON_BY_SECOND, over, play, start

PAUSE_SECONDS = 0.01
"""Keeps below the rate that the hall allows."""


@asynccontextmanager
async def undisturbed(at: Visitors) -> AsyncIterator[None]:
    """All the while each of their moves is answered and told to the other; when everything else
    is over they still finish their game."""
    anna, bob = await at.pair()
    ended = asyncio.Event()

    async def play_on() -> None:
        while not ended.is_set():
            await start(anna, bob)
            for turn in range(len(WON_BY_SECOND)):
                await play(anna, bob, WON_BY_SECOND[: turn + 1], turn)
                await asyncio.sleep(PAUSE_SECONDS)
            await over(anna, bob, bob)

    playing = asyncio.create_task(play_on())
    try:
        yield
        ended.set()
        await playing
    finally:
        playing.cancel()
