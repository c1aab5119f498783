"""The store in PostgreSQL: the same port as SQLite's, for halls that outgrow one file.

writer.py says how tables are written and what is answered when the database fails, database.py
how everything else is read and changed beside that, nodes.py who owns which table. While PostgreSQL
is away everything is Unavailable; it heals by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from gamehall.store.appends import Answer, Append
from gamehall.store.audit import Audit
from gamehall.store.nodes import Renewed
from gamehall.store.postgres.audit import audited
from gamehall.store.postgres.database import PostgresDatabase
from gamehall.store.postgres.link import opened
from gamehall.store.postgres.nodes import LeaseLine, Owners
from gamehall.store.postgres.schema import found_version, migrate
from gamehall.store.postgres.writer import Writer
from gamehall.store.store import Store


class PostgresStore(Owners, Store):
    def __init__(self, url: str, *, queue_bytes: int = 64 * 2**20) -> None:
        """`queue_bytes`: what may wait to be written; more is answered NotWritten."""
        self._url = url
        self._pool = PostgresDatabase(url)
        self._writer = Writer(url, queue_bytes)
        self._leases = LeaseLine(url)
        super().__init__(self._pool)

    async def exists(self) -> bool:
        async with opened(self._url) as connection:
            return await found_version(connection) > 0

    async def start(self) -> None:
        async with opened(self._url) as connection:
            await migrate(connection)
        await self._pool.start()
        self._writer.start()
        self._leases.start()

    async def stop(self) -> None:
        await self._writer.stop()
        await self._leases.stop()
        await self._pool.stop()

    async def ping(self) -> None:
        # Written, because a full disk still takes an empty transaction.
        count = "UPDATE counters SET value = value + 1 WHERE name = 'pings'"
        await self._database.change(lambda change: change.execute(count))

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self._writer.append(append, done)

    async def new_table(self) -> int:
        (table,) = await self._database.few(int, "SELECT nextval('table_ids')")
        return table

    async def had_table(self, table: int) -> bool:
        given = "SELECT $1 BETWEEN 1 AND last_value AND is_called FROM table_ids"
        return bool(await self._one(bool, given, table))

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        return await self._leases.renew(node, lease_ms)

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        return audited(self._url)
