"""PostgreSQL as the parts of the port ask it, on a few connections that they share.

What is read and what is changed outside a table's beat takes a connection from the pool, in a
transaction of its own. It is tried again, a few times, as long as it is known not to be written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import asyncpg
import structlog

import gamehall.errors as errors
from gamehall.store.database import AlreadyThere, Row, Transaction, made
from gamehall.store.postgres.link import (
    ATTEMPTS_MAX,
    COMMAND_SECONDS,
    Connection,
    InDoubt,
    commit,
    is_the_database,
    key_bytes,
    new_pool,
    pause,
    rollback,
)

log = structlog.get_logger(__name__)

T = TypeVar("T")

WAITING_MAX = 1000
"""What waits for one of the pool's connections; more is refused."""


class PostgresDatabase:
    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._waiting = 0

    async def start(self) -> None:
        self._pool = await new_pool(self._url)

    async def stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                await pool.close()
        except TimeoutError:
            pool.terminate()

    async def few(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        return made(kind, await self._tried(lambda connection: connection.fetch(sql, *values)))

    page = few

    def key(self, text: str) -> bytes:
        return key_bytes(text)

    def text(self, key: bytes) -> str:
        return key.decode("utf-8", "surrogatepass")

    async def change(
        self, work: Callable[[Transaction], Awaitable[T]], *, apart: bool = False
    ) -> T:
        in_doubt = False

        async def changed(connection: Connection) -> T:
            nonlocal in_doubt
            await connection.execute("BEGIN")
            try:
                result = await work(Statements(connection))
                await commit(connection)
            except InDoubt:
                # Noted, because the pool may raise something else when it takes this one back.
                in_doubt = True
                raise
            except BaseException:
                await rollback(connection)
                raise
            return result

        return await self._tried(changed, lambda: not in_doubt)

    async def _tried(
        self,
        work: Callable[[Connection], Awaitable[T]],
        may_repeat: Callable[[], bool] = lambda: True,
    ) -> T:
        if self._pool is None or self._waiting >= WAITING_MAX:
            raise errors.Unavailable
        self._waiting += 1
        try:
            for attempt in range(ATTEMPTS_MAX):
                await pause(attempt)
                try:
                    async with self._pool.acquire(timeout=COMMAND_SECONDS) as connection:
                        return await work(connection)
                except Exception as error:
                    failed = error
                    if not may_repeat():
                        break
                    if not is_the_database(error):
                        raise
            log.warning("database_failed", error=str(failed), kind=type(failed).__name__)
            raise errors.Unavailable from failed
        finally:
            self._waiting -= 1


class Statements:
    """A transaction on one of the pool's connections."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def row(self, sql: str, *values: Any) -> Row | None:
        found = await self._connection.fetchrow(sql, *values)
        return None if found is None else tuple(found)

    async def value(self, sql: str, *values: Any) -> Any:
        return await self._connection.fetchval(sql, *values)

    async def execute(self, sql: str, *values: Any) -> int:
        try:
            done = await self._connection.execute(sql, *values)
        except asyncpg.UniqueViolationError as error:
            raise AlreadyThere from error
        return int(done.rpartition(" ")[2])

    async def insert(self, sql: str, *values: Any) -> int | None:
        id: int | None = await self._connection.fetchval(f"{sql} RETURNING id", *values)
        return id

    async def execute_many(self, sql: str, rows: Sequence[Row]) -> None:
        await self._connection.executemany(sql, rows)
