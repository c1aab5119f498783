"""Work that goes on beside requests, for as long as the hall runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

log = structlog.get_logger(__name__)

AGAIN_SECONDS = 2.0
"""The pause before work that failed, or could not reach the store, is tried again."""


class Background:
    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[None], None] = {}

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs it once; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._done)

    def keep(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Runs it until the hall stops, also after a fault of the hall itself has ended it."""
        self.spawn(_again_and_again(work))

    async def stop(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            log.error("task_failed", exc_info=task.exception())


async def _again_and_again(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            return await work()
        except Exception:
            log.exception("task_failed")
        await asyncio.sleep(AGAIN_SECONDS)
