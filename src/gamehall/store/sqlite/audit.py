"""An audit of the SQLite file: one read transaction, on a connection that cannot write.

It never waits for the writer, nor the writer for it; but the write-ahead log cannot start over
before it ends.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from gamehall.errors import Unavailable
from gamehall.store.audit import AccountSum, AuditedTable, Entry, PotSum
from gamehall.store.sqlite.file import close, open_audit

T = TypeVar("T")

PAGE_ROWS = 500

_SIDES = """SELECT source AS account, 1 AS times, -chips AS chips, NULL AS balance FROM transfers
    UNION ALL SELECT target, 1, chips, NULL FROM transfers"""
_ACCOUNTS = f"""SELECT account, sum(times), sum(chips), max(balance) FROM ({_SIDES}
        UNION ALL SELECT 'player:' || player, 0, 0, chips FROM balances)
    WHERE account NOT GLOB 'pot:*' GROUP BY account"""
# CAST reads as far as there are digits: the table, up to the colon before the round.
_POTS = f"""SELECT account, CAST(substr(account, 5) AS INTEGER) AS of_table, sum(chips)
    FROM ({_SIDES}) WHERE account GLOB 'pot:*' GROUP BY account ORDER BY of_table, account"""
_TABLES = """SELECT named.id, named.id <= (SELECT value FROM counters WHERE name = 'tables'),
        game, status, round, head, hash
    FROM (SELECT id FROM tables UNION SELECT table_id FROM journal
        UNION SELECT table_id FROM transfers WHERE table_id <> 0) AS named
    LEFT JOIN tables ON tables.id = named.id ORDER BY named.id"""
_LINES = "SELECT seq, line FROM journal WHERE table_id = ? ORDER BY seq"
_TRANSFERS = """SELECT seq, n, source, target, chips FROM transfers
    WHERE table_id = ? ORDER BY seq, n"""
# A link that leads onwards in place of back is not followed: it might lead in a circle.
_LISTED = """WITH RECURSIVE listed (id, chips, before) AS (
        SELECT 9223372036854775807, 0, last FROM balances WHERE player = ?2
        UNION ALL
        SELECT of.id, iif(source = ?1, -of.chips, of.chips),
            iif(source = ?1, source_before, target_before)
        FROM listed JOIN transfers AS of ON of.id = listed.before AND of.id < listed.id
        WHERE ?1 IN (source, target))
    SELECT coalesce(sum(chips), 0) FROM listed"""


class SqliteAudit:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def accounts(self) -> AsyncIterator[list[AccountSum]]:
        return self._pages(_ACCOUNTS, (), self._account)

    def pots(self) -> AsyncIterator[list[PotSum]]:
        return self._pages(_POTS, (), lambda row: PotSum(*row))

    def tables(self) -> AsyncIterator[list[AuditedTable]]:
        return self._pages(_TABLES, (), lambda row: AuditedTable(row[0], bool(row[1]), *row[2:]))

    def lines(self, table: int) -> AsyncIterator[list[tuple[int, bytes]]]:
        return self._pages(_LINES, (table,), lambda row: (row[0], bytes(row[1])))

    def transfers(self, table: int) -> AsyncIterator[list[Entry]]:
        return self._pages(_TRANSFERS, (table,), lambda row: Entry(*row))

    def _account(self, row: tuple[Any, ...]) -> AccountSum:
        account, transfers, chips, balance = row
        player = account.removeprefix("player:")
        listed = None
        if player != account:
            listed = self._connection.execute(_LISTED, (account, player)).fetchone()[0]
        return AccountSum(account, transfers, chips, balance, listed)

    async def _pages(
        self, query: str, values: tuple[int, ...], read: Callable[[tuple[Any, ...]], T]
    ) -> AsyncIterator[list[T]]:
        cursor = self._connection.cursor()

        def page() -> list[T]:
            return [read(row) for row in cursor.fetchmany(PAGE_ROWS)]

        try:
            await asyncio.to_thread(cursor.execute, query, values)
            while items := await asyncio.to_thread(page):
                yield items
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
