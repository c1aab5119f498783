"""The thread that waits for the disk, so that the event loop does not have to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class DiskThread:
    """Runs one job after the other. Belongs to the event loop that it was made in."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Callable[[Any], None]] | None]
        self._jobs = SimpleQueue()
        self._thread = Thread(target=self._serve, name="store-disk", daemon=True)
        self._thread.start()

    def start(self, job: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Calls `then` on the loop with what the job returned, or the exception it raised."""
        self._jobs.put((job, then))

    async def run(self, job: Callable[[], T]) -> T:
        """What the job returns; raises what it raises."""
        done: asyncio.Future[T] = self._loop.create_future()

        def ended(result: Any) -> None:
            if done.done():
                return
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)

        self.start(job, ended)
        return await done

    def stop(self) -> None:
        """Ends the thread, after the jobs that were started."""
        self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (started := self._jobs.get()) is not None:
            job, then = started
            try:
                result = job()
            except Exception as error:  # noqa: BLE001 (handed to the loop, which judges it)
                result = error
            self._loop.call_soon_threadsafe(then, result)
