"""An audit of the database: one transaction that only reads, all of it at the moment it began."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import asyncpg

from gamehall.errors import Unavailable
from gamehall.store.audit import AccountSum, AuditedTable, Entry, PotSum
from gamehall.store.postgres.link import Connection, close, connect_patiently
from gamehall.store.postgres.schema import check_current

T = TypeVar("T")

PAGE_ROWS = 500

_SIDES = """SELECT source AS account, 1 AS times, -chips AS chips, NULL::bigint AS balance
    FROM transfers UNION ALL SELECT target, 1, chips, NULL FROM transfers"""
_ACCOUNTS = f"""SELECT account, sum(times)::bigint, sum(chips)::bigint, max(balance)
    FROM ({_SIDES} UNION ALL SELECT 'player:' || player, 0, 0, chips FROM balances) AS sides
    WHERE NOT starts_with(account, 'pot:') GROUP BY account"""
_POTS = f"""SELECT account, coalesce(substring(account from '^pot:([0-9]{{1,18}})')::bigint, 0)
        AS of_table, sum(chips)::bigint
    FROM ({_SIDES}) AS sides WHERE starts_with(account, 'pot:')
    GROUP BY account ORDER BY of_table, account"""
_TABLES = """SELECT named.id, named.id <= (
            SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM table_ids),
        game, status, round, head, hash
    FROM (SELECT id FROM tables UNION SELECT table_id FROM journal
        UNION SELECT table_id FROM transfers WHERE table_id <> 0) AS named
    LEFT JOIN tables ON tables.id = named.id ORDER BY named.id"""
_LINES = "SELECT seq, line FROM journal WHERE table_id = $1 ORDER BY seq"
_TRANSFERS = """SELECT seq, n, source, target, chips FROM transfers
    WHERE table_id = $1 ORDER BY seq, n"""
# A link that leads onwards in place of back is not followed: it might lead in a circle.
_LISTED = """WITH RECURSIVE listed (id, chips, before) AS (
        SELECT 9223372036854775807, 0::bigint, last FROM balances WHERE player = $2
        UNION ALL
        SELECT of.id, CASE WHEN source = $1 THEN -of.chips ELSE of.chips END,
            CASE WHEN source = $1 THEN source_before ELSE target_before END
        FROM listed JOIN transfers AS of ON of.id = listed.before AND of.id < listed.id
        WHERE $1 IN (source, target))
    SELECT coalesce(sum(chips), 0)::bigint FROM listed"""


class PostgresAudit:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def accounts(self) -> AsyncIterator[list[AccountSum]]:
        return self._pages(_ACCOUNTS, (), self._account)

    def pots(self) -> AsyncIterator[list[PotSum]]:
        return self._pages(_POTS, (), _as(PotSum))

    def tables(self) -> AsyncIterator[list[AuditedTable]]:
        return self._pages(_TABLES, (), _as(AuditedTable))

    def lines(self, table: int) -> AsyncIterator[list[tuple[int, bytes]]]:
        return self._pages(_LINES, (table,), _as(lambda seq, line: (seq, line)))

    def transfers(self, table: int) -> AsyncIterator[list[Entry]]:
        return self._pages(_TRANSFERS, (table,), _as(Entry))

    async def _account(self, row: asyncpg.Record) -> AccountSum:
        account, transfers, chips, balance = row
        player = account.removeprefix("player:")
        listed = None
        if player != account:
            listed = await self._connection.fetchval(_LISTED, account, int(player))
        return AccountSum(account, transfers, chips, balance, listed)

    async def _pages(
        self,
        query: str,
        values: tuple[int, ...],
        read: Callable[[asyncpg.Record], Awaitable[T]],
    ) -> AsyncIterator[list[T]]:
        try:
            cursor = await self._connection.cursor(query, *values)
            while rows := await cursor.fetch(PAGE_ROWS):
                yield [await read(row) for row in rows]
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise Unavailable(f"The database cannot be read: {error}.") from error


def _as(make: Callable[..., T]) -> Callable[[asyncpg.Record], Awaitable[T]]:
    async def read(row: asyncpg.Record) -> T:
        return make(*row)

    return read


@asynccontextmanager
async def audited(url: str) -> AsyncIterator[PostgresAudit]:
    """The database as it is now. Raises CannotOpen."""
    connection = await connect_patiently(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            # The snapshot is taken by this first question.
            await check_current(connection)
            yield PostgresAudit(connection)
    finally:
        await close(connection)
