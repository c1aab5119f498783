"""How long people wait in a world whose hall is away at times."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.people import listeners
from tests.support.people.listeners import limit, renew_limits

SOON_SECONDS = 0.01
LONG_SECONDS = 3600.0


async def test_what_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "WAIT_SECONDS", SOON_SECONDS)
    with pytest.raises(AssertionError, match=r"not in 0.01 seconds: an answer. None came"):
        async with limit("an answer", lambda: "None came"):
            await asyncio.Event().wait()


async def test_a_start_of_the_hall_begins_all_limits_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "WAIT_SECONDS", SOON_SECONDS)
    async with limit("an answer"):
        monkeypatch.setattr(listeners, "WAIT_SECONDS", LONG_SECONDS)
        renew_limits()
        await asyncio.sleep(5 * SOON_SECONDS)
