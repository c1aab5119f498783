"""The one writer of a node's tables: a bounded queue, written in groups, one commit for each.

There is no batching window: what gathers during one commit is the next group. What can go wrong:

* before COMMIT    it is not written; tried again, a few times, then NotWritten
* at COMMIT        nobody knows; the same group is written again on a new connection, where it waits
                   for the old one's locks and then finds its own beats, or not; then Unknown
* no connection    NotWritten, for all that wait; the next append tries again
* a bad value      each append of the group is written by itself, and the bad one is NotWritten
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import asyncpg
import structlog

from gamehall.store.appends import Answer, Append, NotWritten, Unknown
from gamehall.store.postgres.append import write_group
from gamehall.store.postgres.link import (
    ATTEMPTS_MAX,
    InDoubt,
    close,
    commit,
    connect,
    is_the_database,
    pause,
    rollback,
)
from gamehall.store.writing import AppendWork, Trouble, WorkQueue

log = structlog.get_logger(__name__)

GROUP_ROWS_MAX = 1000
SETTLE_SECONDS = 8.0
"""From here on no attempt is begun: a request's deadline is near."""


class _NotConnected(Exception):
    """There is no connection to be had."""


class Writer:
    def __init__(self, url: str, queue_bytes: int) -> None:
        self._url = url
        self._queue = WorkQueue[AppendWork](queue_bytes)
        self._trouble = Trouble()
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._doubts: dict[int, int] = {}
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._queue.accepts = True

    async def stop(self) -> None:
        """Writes what was accepted, and closes the connection."""
        self._queue.accepts = False
        if self._running is not None:
            await self._running
        connection, self._connection = self._connection, None
        if connection is not None:
            await close(connection)

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        """Queues it; its answer comes later, on the loop."""
        if self._queue.put(AppendWork(append, done, self._doubts)) and self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._queue:
                group = self._take_group()
                try:
                    answers = await self._settled(group)
                except _NotConnected:
                    group += self._queue.take_all()
                    answers = [NotWritten()] * len(group)
                for work, answer in zip(group, answers, strict=True):
                    self._queue.answer(work, answer)
        finally:
            self._running = None

    def _take_group(self) -> list[AppendWork]:
        tables: set[int] = set()

        def joins(work: AppendWork) -> bool:
            if work.append.table in tables:
                return False
            tables.add(work.append.table)
            return True

        return self._queue.take(GROUP_ROWS_MAX, joins)

    # Attempts

    async def _settled(self, group: list[AppendWork], *, doubtful: bool = False) -> list[Answer]:
        """Raises _NotConnected only if nothing of the group is written, for sure."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + SETTLE_SECONDS
        connected = False
        for attempt in range(ATTEMPTS_MAX):
            await pause(attempt)
            if attempt and loop.time() > deadline:
                break
            try:
                connection = await self._connected()
                connected = True
                answers = await self._written(connection, group)
            except InDoubt as error:
                doubtful = True
                self._trouble.failed("commit_failed", error)
            except Exception as error:  # noqa: BLE001 (judged here, and logged)
                if not is_the_database(error):
                    return await self._one_by_one(group, error, doubtful=doubtful)
                self._trouble.failed("write_failed", error)
            else:
                self._trouble.ended()
                return answers
        if not connected and not doubtful:
            raise _NotConnected
        return [Unknown() if doubtful else NotWritten()] * len(group)

    async def _written(
        self, connection: asyncpg.Connection[asyncpg.Record], group: list[AppendWork]
    ) -> list[Answer]:
        try:
            await connection.execute("BEGIN")
            answers = await write_group(connection, [work.append for work in group])
            await commit(connection)
        except InDoubt:
            # Its backend may still be at it; another one waits for it, and then sees the outcome.
            connection.terminate()
            raise
        except BaseException:
            await rollback(connection)
            raise
        return answers

    async def _one_by_one(
        self, group: list[AppendWork], error: Exception, *, doubtful: bool
    ) -> list[Answer]:
        """What cannot be written at all is a fault of that one caller."""
        if len(group) == 1:
            log.error("write_impossible", exc_info=error)
            return [Unknown() if doubtful else NotWritten()]
        answers: list[Answer] = []
        for work in group:
            try:
                answers += await self._settled([work], doubtful=doubtful)
            except _NotConnected:
                answers.append(NotWritten())
        return answers

    async def _connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url)
        return self._connection
