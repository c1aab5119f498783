"""One after the other, where several at once would get in each other's way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from gamehall.errors import TooMany


class Turns:
    """For each key, one at a time. Nothing is kept of keys that nobody waits for."""

    def __init__(self, most: int) -> None:
        """`most`: how many may wait for one key; more are refused."""
        self._most = most
        self._waiting: dict[Hashable, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: Hashable) -> AsyncIterator[None]:
        """Raises TooMany."""
        lock, count = self._waiting.get(key, (asyncio.Lock(), 0))
        if count == self._most:
            raise TooMany("Too many ask for this at once. Try again in a moment.")
        self._waiting[key] = (lock, count + 1)
        try:
            async with lock:
                yield
        finally:
            lock, count = self._waiting.pop(key)
            if count > 1:
                self._waiting[key] = (lock, count - 1)
