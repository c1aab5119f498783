"""Two who play one round after the other, whatever else is done to the hall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.doors.caller.clients import Caller
from tests.doors.caller.halls import Visitors

MORE = 5
"""Lines that each of them must get when everything else is over."""


@asynccontextmanager
async def undisturbed(at: Visitors) -> AsyncIterator[None]:
    """All the while numbers are called to them, and they win rounds and start new ones."""
    players = [await at.caller(name, plays=True) for name in ("anna", "bob")]
    starting = asyncio.create_task(_start_rounds(players[0]))
    try:
        yield
        for player in players:
            heard = len(player.lines)
            await player.until(lambda: len(player.lines) > heard + MORE)  # noqa: B023 (awaited)
    finally:
        starting.cancel()


async def _start_rounds(player: Caller) -> None:
    while True:
        before = len(player.messages)
        player.say("/start")
        await player.message("wins the round", before)
