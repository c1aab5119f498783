"""PostgreSQL as the parts of the port ask it, by way of the link's pool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import asyncpg

from gamehall.store.database import AlreadyThere, Row, Transaction, made
from gamehall.store.postgres.link import Connection, Link, key_bytes

T = TypeVar("T")


class PostgresDatabase:
    def __init__(self, link: Link) -> None:
        self._link = link

    async def one(self, kind: type[T], sql: str, *values: Any) -> T | None:
        found = await self._link.row(sql, *values)
        return None if found is None else made(kind, [found])[0]

    async def page(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        return made(kind, await self._link.rows(sql, *values))

    async def change(
        self, work: Callable[[Transaction], Awaitable[T]], *, apart: bool = False
    ) -> T:
        return await self._link.change(lambda connection: work(Statements(connection)))

    def key(self, text: str) -> bytes:
        return key_bytes(text)

    def text(self, key: bytes) -> str:
        return key.decode("utf-8", "surrogatepass")


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
