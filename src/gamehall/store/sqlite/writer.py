"""The one writer of the SQLite file: a bounded queue, written in groups, one sync for each.

Statements run on the event loop's thread, and only what waits for the disk runs in a thread of its
own: a thread that executes row by row has to win back the interpreter for each row, and can starve
behind a busy loop (bench/store_loop.py). There is no batching window: what gathers during one
commit is the next group. While the thread has the connection, nobody else touches it.

What can go wrong, and what those who wait for a group are told:

* before COMMIT    NotWritten; it is rolled back
* at COMMIT        Unknown; the file is closed and opened again before anything else is answered
* it won't open    NotWritten; the next write tries again
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

import structlog

import gamehall.errors as errors
from gamehall.store.appends import Append, Durable, NotWritten, Unknown
from gamehall.store.sqlite.append import write_together
from gamehall.store.sqlite.file import close, empty_log, open_writer
from gamehall.store.sqlite.log import LongLog
from gamehall.store.writing import Trouble, Work, WorkQueue

log = structlog.get_logger(__name__)

T = TypeVar("T")

GROUP_ROWS_MAX = 256
"""Rows in one group, so that the loop is held up for a few milliseconds at most."""
SWITCH_SECONDS = 0.0005
"""How long a busy loop may keep the interpreter from the thread that has just committed."""
LOCKED_SECONDS_MAX = 2.0
"""How long a group waits for another process that holds the file's lock."""
LOCKED_PAUSE_SECONDS = 0.002
DURABLE = Durable()


def commit(connection: sqlite3.Connection) -> None:
    """Returns when the transaction is on the disk. Tests replace it to make it fail."""
    connection.commit()


class SqliteWork(Work, Protocol):
    """Something to write. `write` raises HallError only before it has written anything, and never
    apart."""

    @property
    def apart(self) -> bool:
        """It takes long: in a transaction of its own, off the loop's thread."""

    @property
    def rows_only(self) -> Append | None:
        """The append that it is, if that is nothing but rows: such are written together."""

    def write(self, cursor: sqlite3.Cursor) -> Any: ...


@dataclass(eq=False)
class Change:
    """Work that a caller awaits."""

    rows = 1
    bytes = 1000
    rows_only = None
    write: Callable[[sqlite3.Cursor], Any]
    _done: asyncio.Future[Any]
    apart: bool

    def answer(self, answer: Any) -> None:
        if self._done.done():
            return  # The caller has gone.
        if isinstance(answer, NotWritten | Unknown):
            self._done.set_exception(errors.Unavailable())
        elif isinstance(answer, errors.HallError):
            self._done.set_exception(answer)
        else:
            self._done.set_result(answer)


class Writer:
    def __init__(self, path: Path, queue_bytes: int) -> None:
        self._path = path
        self._log = LongLog(path, self._log_copied, self._log_failed)
        self._log_is_copied = False
        self._queue = WorkQueue[SqliteWork](queue_bytes)
        self._trouble = Trouble()
        self._connection: sqlite3.Connection | None = None
        self._broken: sqlite3.Connection | None = None
        """To be closed before the file is opened again."""
        self._running = False
        self._idle = asyncio.Event()
        self._locked_since: float | None = None

    async def start(self) -> None:
        """Raises CannotOpen."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self._loop = asyncio.get_running_loop()
        self._connection = await asyncio.to_thread(open_writer, self._path, create=True)
        self._thread = DiskThread()
        self._idle.set()
        self._log.start()
        self._queue.accepts = True

    async def stop(self) -> None:
        """Writes what was accepted, and closes the file."""
        if not self._queue.accepts:
            return
        self._queue.accepts = False
        await self._log.stop()
        await self._idle.wait()
        connection, self._connection = self._connection or self._broken, None
        if connection is not None:
            await asyncio.to_thread(close, connection)
        self._thread.stop()

    def put(self, work: SqliteWork) -> None:
        """Queues work; its answer comes later, on the loop."""
        if self._queue.put(work):
            self._run()

    async def write(self, change: Callable[[sqlite3.Cursor], T], *, apart: bool = False) -> T:
        """What `change` returns, when it is durable."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.put(Change(change, done, apart))
        return await done

    # One turn after the other has the connection

    def _run(self) -> None:
        if not self._running:
            self._running = True
            self._idle.clear()
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        if self._connection is not None and self._log_is_copied:
            self._empty_log(self._connection)
        elif not self._queue:
            self._running = False
            self._idle.set()
        elif self._connection is None:
            self._thread.start(self._reopen, self._reopened)
        else:
            self._log.hold(self._connection)
            if self._queue.first.apart:
                self._write_apart(self._connection, self._queue.take_first())
            else:
                self._write_group(self._connection)

    def _write_group(self, connection: sqlite3.Connection) -> None:
        group = self._queue.take(GROUP_ROWS_MAX, lambda work: not work.apart)
        answers: list[Any] = []
        try:
            cursor, together = self._begin(connection, group)
            for work in group:
                if together and work.rows_only is not None:
                    answers.append(DURABLE)
                    continue
                try:
                    answers.append(work.write(cursor))
                except errors.HallError as refusal:
                    answers.append(refusal)
        except Exception as error:  # noqa: BLE001 (judged there, and logged)
            self._undo(connection)
            self._not_written(error, group, len(answers))
        else:
            self._commit(connection, group, answers)

    def _begin(
        self, connection: sqlite3.Connection, group: list[SqliteWork]
    ) -> tuple[sqlite3.Cursor, bool]:
        """Begins a transaction, with all works in it that are rows only; False: with none."""
        appends = [append for work in group if (append := work.rows_only) is not None]
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            if write_together(cursor, appends):
                return cursor, True
        except Exception as error:
            if _is_the_file(error):
                raise
        # One of them does not fit, or cannot be written at all: by itself it shows which.
        connection.rollback()
        cursor.execute("BEGIN IMMEDIATE")
        return cursor, False

    def _write_apart(self, connection: sqlite3.Connection, work: SqliteWork) -> None:
        def write() -> Any:
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            return work.write(cursor)

        def written(answer: Any) -> None:
            if isinstance(answer, Exception):
                self._undo(connection)
                self._not_written(answer, [work], 0)
            else:
                self._commit(connection, [work], [answer])

        self._thread.start(write, written)

    def _commit(
        self, connection: sqlite3.Connection, group: list[SqliteWork], answers: list[Any]
    ) -> None:
        self._locked_since = None

        def committed(error: Exception | None) -> None:
            self._committed(error, group, answers)

        self._thread.start(lambda: commit(connection), committed)

    def _committed(
        self, error: Exception | None, group: list[SqliteWork], answers: list[Any]
    ) -> None:
        if error is None:
            self._trouble.ended()
        else:
            self._trouble.failed("commit_failed", error)
            self._give_up_connection()
            answers = [Unknown()] * len(group)
        # The next group starts first: its commit waits for the disk while these are told.
        self._turn()
        for work, answer in zip(group, answers, strict=True):
            self._queue.answer(work, answer)

    # Failures

    def _undo(self, connection: sqlite3.Connection) -> None:
        """Ends a transaction that is not to be committed; SQLite may have ended it itself."""
        try:
            if connection.in_transaction:
                connection.rollback()
        except sqlite3.Error as error:
            self._trouble.failed("rollback_failed", error)
            self._give_up_connection()

    def _not_written(self, error: Exception, group: list[SqliteWork], place: int) -> None:
        """Answers those whom an error before COMMIT concerns, at this place of the group."""
        if _is_locked(error) and self._may_wait():
            self._queue.put_back(group)
            self._loop.call_later(LOCKED_PAUSE_SECONDS, self._turn)
            return
        self._locked_since = None
        if _is_the_file(error):
            self._trouble.failed("write_failed", error)
            hit = group
        else:
            # What cannot be written at all is a fault of that one caller.
            log.error("write_impossible", exc_info=error)
            hit = [group.pop(place)]
            self._queue.put_back(group)
        for work in hit:
            self._queue.answer(work, NotWritten())
        self._loop.call_soon(self._turn)

    def _may_wait(self) -> bool:
        now = self._loop.time()
        if self._locked_since is None:
            self._locked_since = now
        return now - self._locked_since < LOCKED_SECONDS_MAX

    def _give_up_connection(self) -> None:
        self._broken, self._connection = self._connection, None

    def _reopen(self) -> sqlite3.Connection:
        if self._broken is not None:
            close(self._broken)
        return open_writer(self._path, create=False)

    def _reopened(self, opened: sqlite3.Connection | Exception) -> None:
        self._broken = None
        if isinstance(opened, sqlite3.Connection):
            self._connection = opened
            self._log.reopened()
        else:
            self._trouble.failed("reopen_failed", opened)
            while self._queue:
                self._queue.answer(self._queue.take_first(), NotWritten())
        self._turn()

    # The write-ahead log

    def _log_copied(self) -> None:
        self._log_is_copied = True
        self._run()

    def _log_failed(self, error: Exception) -> None:
        self._trouble.failed("checkpoint_failed", error)

    def _empty_log(self, connection: sqlite3.Connection) -> None:
        self._log_is_copied = False

        def emptied(error: Exception | None) -> None:
            if error is not None:
                self._log_failed(error)
            self._turn()

        self._thread.start(lambda: empty_log(connection), emptied)


def _is_locked(error: Exception) -> bool:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF == sqlite3.SQLITE_BUSY


def _is_the_file(error: Exception) -> bool:
    """Full, failing, locked, read-only, damaged: no fault of the caller."""
    return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError


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
