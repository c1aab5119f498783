"""An audit of the database: one transaction that only reads, all of it at the moment it began."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import asyncpg

from gamehall.errors import Unavailable
from gamehall.store.audit import PAGE_ROWS, Audit
from gamehall.store.database import made
from gamehall.store.postgres.link import opened
from gamehall.store.postgres.schema import check_current

T = TypeVar("T")


class PostgresAudit(Audit):
    pot_table = "coalesce(substring(account from '^pot:([0-9]{1,18})')::bigint, 0)"
    last_table = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM table_ids"

    async def _pages(self, kind: type[T], sql: str, *values: Any) -> AsyncIterator[list[T]]:
        try:
            cursor = await self._connection.cursor(sql, *values)
            while rows := await cursor.fetch(PAGE_ROWS):
                yield made(kind, rows)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise Unavailable(f"The database cannot be read: {error}.") from error


@asynccontextmanager
async def audited(url: str) -> AsyncIterator[PostgresAudit]:
    """The database as it is now. Raises CannotOpen, also if the connection breaks meanwhile."""
    async with opened(url) as connection:
        # It ends with its connection: to end it where that is lost would hide why.
        await connection.transaction(isolation="repeatable_read", readonly=True).start()
        # The snapshot is taken by this first question.
        await check_current(connection)
        yield PostgresAudit(connection)
