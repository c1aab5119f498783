"""Notices that wait for the caller, never too many of them."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, NamedTuple


class Notice(NamedTuple):
    """What came unasked. The client adds its own: `connection_lost {reason}`, `connected` when it
    is back (with the hall's welcome), and `table_gone {table, code}` if one cannot be resumed."""

    action: str
    payload: dict[str, Any]


class Inbox:
    def __init__(self, notices_max: int) -> None:
        self._notices_max = notices_max
        self._notices: deque[Notice] = deque()
        self._changed = asyncio.Event()
        self._overflowed = False
        self._ended: Exception | None = None

    def put(self, notice: Notice) -> None:
        self._notices.append(notice)
        self._changed.set()

    def has_room(self) -> bool:
        """Whether the caller keeps up. If not, `caught_up` will say so once."""
        if len(self._notices) < self._notices_max:
            return True
        self._overflowed = True
        return False

    def caught_up(self) -> bool:
        """Whether there was no room for something, and there is now."""
        if self._notices or not self._overflowed:
            return False
        self._overflowed = False
        return True

    def end(self, why: Exception) -> None:
        """After what is left in it, `get` raises this."""
        self._ended = why
        self._changed.set()

    async def get(self) -> Notice:
        while not self._notices:
            if self._ended is not None:
                raise self._ended
            self._changed.clear()
            await self._changed.wait()
        return self._notices.popleft()
