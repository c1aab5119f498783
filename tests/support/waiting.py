"""Waiting for what comes, with one limit for all tests of the doors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

WAIT_SECONDS = 60.0
"""A limit that a busy machine keeps, and within a test's own."""
PAUSE_SECONDS = 0.05
LAST = 6
"""So many of the last messages are in a failure's text."""


async def eventually(holds: Callable[[], Awaitable[object]], what: str) -> None:
    """Asks again and again, until it holds."""
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            while not await holds():
                await asyncio.sleep(PAUSE_SECONDS)
    except TimeoutError:
        raise AssertionError(f"in vain: {what}") from None


class Listener:
    """Waits for what comes. `log` is the list of all that came: a failure shows the last of it.

    Who listens calls `look` after each change, and keeps in `fault` what it could not understand.
    """

    def __init__(self, log: Sequence[Any]) -> None:
        self.ended = False
        self.fault: BaseException | None = None
        self._heard = log
        self._waiting: list[Callable[[], None]] = []

    async def until(
        self, find: Callable[[], T | None], what: str = "it", seconds: float = WAIT_SECONDS
    ) -> T:
        """What `find` finds: it is asked after each message, and None and False are not yet."""
        waiting: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def look() -> None:
            if waiting.done():
                return
            try:
                found = find() if self.fault is None else None
            except Exception as error:  # noqa: BLE001 (told to the test that waits)
                waiting.set_exception(error)
                return
            if self.fault is not None:
                waiting.set_exception(self.fault)
            elif found is not None and found is not False:
                waiting.set_result(found)
            elif self.ended:
                waiting.set_exception(AssertionError(f"closed before {what} came; {self.last()}"))

        self._waiting.append(look)
        try:
            look()
            async with asyncio.timeout(seconds):
                return await waiting
        except TimeoutError:
            raise AssertionError(f"{what} never came; {self.last()}") from None
        finally:
            self._waiting.remove(look)

    async def end(self) -> None:
        """Returns when the connection has ended."""
        await self.until(lambda: self.ended, "the end")

    def look(self) -> None:
        for look in list(self._waiting):
            look()

    def last(self) -> str:
        return f"the last: {self._heard[-LAST:]}"
