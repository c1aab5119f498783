"""What a hall on PostgreSQL has written, read by other ways than the hall's own."""

from __future__ import annotations

from typing import Any

import asyncpg

from gamehall.simulation.checker.money import Ledger, Transfer
from gamehall.simulation.checker.records import Record, kept_rows


async def read_records(url: str) -> tuple[list[Record], Ledger]:
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
            balances = dict(await rows("SELECT player, chips FROM balances"))
    finally:
        await connection.close()
    return records, Ledger(tuple(Transfer(*row) for row in moved), balances)
