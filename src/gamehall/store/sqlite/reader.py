"""Reading the SQLite file beside the writer, on connections that cannot write.

What finds a few rows by their key is read on the event loop's thread: it takes 10 µs there, against
150 µs by way of a thread, and 1 ms if the loop is busy. What reads a page of rows, perhaps from
a disk that has to be waited for, is read in a thread; its query returns the whole page as one row
of JSON, because a thread has to win back the interpreter for each row that it fetches.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import structlog

import gamehall.errors as errors
from gamehall.store.sqlite.file import close, open_reader

log = structlog.get_logger(__name__)

T = TypeVar("T")

THREADS = 2
WAITING_MAX = 1000
"""Pages that wait for a thread; more are refused."""


class Reader:
    """Its connections stay open, whatever fails: a full disk may not let another one in."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._here: sqlite3.Connection | None = None
        self._there: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store-read")
        self._waiting = 0

    def start(self) -> None:
        """Opens the file, which must be there. Raises CannotOpen."""
        for _ in range(THREADS):
            self._there.put(open_reader(self._path, wait_seconds=1))
        self._here = open_reader(self._path, wait_seconds=0.05)

    async def stop(self) -> None:
        """Finishes what is being read, and closes."""
        here, self._here = self._here, None
        await asyncio.to_thread(self._threads.shutdown)
        if here is not None:
            close(here)
        while not self._there.empty():
            close(self._there.get())

    def few(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What the query finds by key. Raises errors.Unavailable."""
        if self._here is None:
            raise errors.Unavailable
        try:
            return query(self._here)
        except sqlite3.Error as error:
            log.warning("read_failed", error=str(error))
            raise errors.Unavailable from error

    async def page(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What the query finds, read in a thread. Raises errors.Unavailable."""
        if self._here is None or self._waiting >= WAITING_MAX:
            raise errors.Unavailable
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._read_there, query)
        except sqlite3.Error as error:
            log.warning("read_failed", error=str(error))
            raise errors.Unavailable from error
        finally:
            self._waiting -= 1

    def _read_there(self, query: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._there.get()
        try:
            return query(connection)
        finally:
            self._there.put(connection)
