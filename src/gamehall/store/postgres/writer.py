"""The one writer of a node's tables: a bounded queue, written in groups, one commit for each.

There is no batching window: what gathers during one commit is the next group. What can go wrong:

* before COMMIT    it is not written; tried again, a few times, then NotWritten
* at COMMIT        nobody knows; the same group is written again on a new connection, where it waits
                   for the old one's locks and then finds its own beats, or not; then Unknown
* no connection    NotWritten, for all that wait; whoever comes next tries again
* a bad value      each append of the group is written by itself, and the bad one is NotWritten
"""

from __future__ import annotations

import asyncio
from collections import deque

import asyncpg
import structlog

from gamehall.store.appends import Answer, NotWritten, Unknown
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
from gamehall.store.postgres.work import AppendWork

log = structlog.get_logger(__name__)

GROUP_ROWS_MAX = 1000
GROUP_BYTES_MAX = 1_000_000
SETTLE_SECONDS = 8.0
"""From here on no attempt is begun: a request's deadline is near."""


class _NotConnected(Exception):
    """There is no connection to be had."""


class Writer:
    def __init__(self, url: str, queue_bytes: int) -> None:
        self._url = url
        self._queue: deque[AppendWork] = deque()
        self._queue_bytes_max = queue_bytes
        self._bytes = 0
        """Of everything that is not answered yet."""
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._doubts: dict[int, int] = {}
        self._accepts = False
        self._running: asyncio.Task[None] | None = None
        self._failing = False

    def start(self) -> None:
        self._accepts = True

    async def stop(self) -> None:
        """Writes what was accepted, and closes the connection."""
        self._accepts = False
        if self._running is not None:
            await self._running
        connection, self._connection = self._connection, None
        if connection is not None:
            await close(connection)

    def put(self, work: AppendWork) -> None:
        """Queues work; its answer comes later, on the loop."""
        if not self._accepts or self._bytes + work.bytes > self._queue_bytes_max:
            asyncio.get_running_loop().call_soon(work.answer, NotWritten(), self._doubts)
            return
        self._bytes += work.bytes
        self._queue.append(work)
        if self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._queue:
                group = self._take_group()
                try:
                    answers = await self._settled(group)
                except _NotConnected:
                    group += self._queue
                    self._queue.clear()
                    answers = [NotWritten()] * len(group)
                for work, answer in zip(group, answers, strict=True):
                    self._answer(work, answer)
        finally:
            self._running = None

    def _take_group(self) -> list[AppendWork]:
        queue = self._queue
        group: list[AppendWork] = []
        tables: set[int] = set()
        rows = bytes = 0
        while queue and queue[0].append.table not in tables:
            rows += queue[0].rows
            bytes += queue[0].bytes
            if group and (rows > GROUP_ROWS_MAX or bytes > GROUP_BYTES_MAX):
                break
            work = queue.popleft()
            tables.add(work.append.table)
            group.append(work)
        return group

    def _answer(self, work: AppendWork, answer: Answer) -> None:
        self._bytes -= work.bytes
        try:
            work.answer(answer, self._doubts)
        except Exception:
            # What one caller raises must not reach the others.
            log.exception("answer_failed")

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
                self._failed("commit_failed", error)
            except Exception as error:  # noqa: BLE001 (judged here, and logged)
                if not is_the_database(error):
                    return await self._one_by_one(group, error, doubtful=doubtful)
                self._failed("write_failed", error)
            else:
                self._recovered()
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

    def _failed(self, event: str, error: Exception) -> None:
        """Says so once, although a database that stays away fails every group."""
        if not self._failing:
            self._failing = True
            log.error(event, error=str(error), kind=type(error).__name__)

    def _recovered(self) -> None:
        if self._failing:
            self._failing = False
            log.info("store_recovered")
