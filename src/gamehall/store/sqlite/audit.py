"""An audit of the SQLite file: one read transaction, on a connection that cannot write.

It never waits for the writer, nor the writer for it; but the write-ahead log cannot start over
before it ends.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from gamehall.errors import Unavailable
from gamehall.store.audit import PAGE_ROWS, Audit
from gamehall.store.database import made
from gamehall.store.sqlite.database import in_sqlite
from gamehall.store.sqlite.file import close, open_audit

T = TypeVar("T")


class SqliteAudit(Audit):
    # CAST reads as far as there are digits: the table, up to the colon before the round.
    pot_table = "CAST(substr(account, 5) AS INTEGER)"
    last_table = "SELECT value FROM counters WHERE name = 'tables'"

    async def _pages(self, kind: type[T], sql: str, *values: Any) -> AsyncIterator[list[T]]:
        cursor = self._connection.cursor()
        try:
            await asyncio.to_thread(cursor.execute, in_sqlite(sql), values)
            while rows := await asyncio.to_thread(cursor.fetchmany, PAGE_ROWS):
                yield made(kind, rows)
        except sqlite3.Error as error:
            raise Unavailable(f"The database cannot be read: {error}.") from error
        finally:
            cursor.close()


@asynccontextmanager
async def audited(path: Path) -> AsyncIterator[SqliteAudit]:
    """The file as it is now. Raises CannotOpen."""
    connection = await asyncio.to_thread(open_audit, path)
    try:
        yield SqliteAudit(connection)
    finally:
        await asyncio.to_thread(close, connection)
