"""What a hall on PostgreSQL has written, read by other ways than the hall's own."""

from __future__ import annotations

from typing import Any, NamedTuple

import asyncpg

from gamehall.simulation.checker.money import Ledger, Transfer
from gamehall.simulation.checker.records import Record, kept_rows
from gamehall.simulation.checker.seats import Place

# In the order in which they were committed. Rows of one transaction are of different tables, or
# follow upon each other.
ORDER = "SELECT table_id, seq FROM journal ORDER BY pg_xact_commit_timestamp(xmin), table_id, seq"


class Records(NamedTuple):
    records: list[Record]
    ledger: Ledger
    order: list[Place]
    """Every row, in the order in which they were written."""


async def read_records(url: str) -> Records:
    """Everything as it lies in the database at one moment."""
    connection = await asyncpg.connect(url)

    async def rows(query: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await connection.fetch(query)]

    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            records = kept_rows(
                await rows(
                    "SELECT id, game, head, hash, status, origin, due_ms FROM tables ORDER BY id"
                ),
                await rows(
                    "SELECT table_id, seq, line, player, request, digest FROM journal ORDER BY 1, 2"
                ),
                await rows("SELECT table_id, player FROM seated"),
            )
            moved = await rows(
                "SELECT id, table_id, seq, n, source, target, chips FROM transfers ORDER BY id"
            )
            order = [(table, seq) for table, seq in await rows(ORDER)]
            balances = dict(await rows("SELECT player, chips FROM balances"))
    finally:
        await connection.close()
    return Records(records, Ledger(tuple(Transfer(*row) for row in moved), balances), order)
