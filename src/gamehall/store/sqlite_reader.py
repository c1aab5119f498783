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
from gamehall.store.sqlite_file import close, open_reader

log = structlog.get_logger(__name__)

T = TypeVar("T")

THREADS = 2
WAITING_MAX = 1000
"""Pages that wait for a thread; more are refused."""


class Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._here: sqlite3.Connection | None = None
        self._there: SimpleQueue[sqlite3.Connection | None] = SimpleQueue()
        """A place for each thread; None: to be opened when it is needed."""
        for _ in range(THREADS):
            self._there.put(None)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store-read")
        self._waiting = 0
        self._stopped = False

    async def stop(self) -> None:
        """Finishes what is being read, and closes."""
        if self._stopped:
            return
        self._stopped = True
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        for connection in (self._here, *(self._there.get() for _ in range(THREADS))):
            if connection is not None:
                close(connection)

    def few(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What the query finds by key. Raises errors.Unavailable."""
        if self._stopped:
            raise errors.Unavailable
        try:
            if self._here is None:
                self._here = open_reader(self._path, wait_seconds=0.05)
            return query(self._here)
        except sqlite3.Error as error:
            log.warning("read_failed", error=str(error))
            if self._here is not None:
                close(self._here)
                self._here = None
            raise errors.Unavailable from error

    async def page(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What the query finds, read in a thread. Raises errors.Unavailable."""
        if self._stopped or self._waiting >= WAITING_MAX:
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
            if connection is None:
                connection = open_reader(self._path, wait_seconds=1)
            return query(connection)
        except sqlite3.Error:
            # Another is opened in its place when it is needed.
            if connection is not None:
                close(connection)
                connection = None
            raise
        finally:
            self._there.put(connection)
