"""Two who play on whatever else is done to the hall: nobody's bad input may be theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import CONNECT_FOUR, match
from tests.support.processes import HallProcess

PAUSE_SECONDS = 0.05
"""Keeps below the rate that the hall allows."""


@asynccontextmanager
async def undisturbed(hall: HallProcess) -> AsyncIterator[None]:
    """All the while two people play, and each hears what the other does and nothing else. They go
    on for a little when everything else is over."""
    at = Visitors(hall)
    game = await match(*await at.pair(address="127.0.0.4"), CONNECT_FOUR)
    over = asyncio.Event()

    async def play() -> None:
        for number in count():
            # An offer and its refusal can be repeated for ever.
            game.first.act(game.room, "offer_draw")
            for player in game.players:
                await player.room("draw_offered", room=game.room)
                await player.room("view", room=game.room)
            game.second.act(game.room, "answer_draw", accept=False)
            for player in game.players:
                await player.room("draw_answered", room=game.room)
                await player.room("view", room=game.room)
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
    await at.leave()
