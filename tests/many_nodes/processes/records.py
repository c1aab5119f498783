"""What a hall on PostgreSQL has written, read by other ways than the hall's own."""

from __future__ import annotations

import asyncpg

from gamehall.simulation.checker.journals import Record, kept_rows


async def read_records(url: str) -> list[Record]:
    """Everything as it lies in the database at one moment."""
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            tables = await connection.fetch(
                "SELECT id, game, head, hash, status, origin FROM tables ORDER BY id"
            )
            rows = await connection.fetch(
                "SELECT table_id, seq, line, player, request, digest FROM journal ORDER BY 1, 2"
            )
            seated = await connection.fetch("SELECT table_id, player FROM seated")
    finally:
        await connection.close()
    return kept_rows(*([tuple(row) for row in each] for each in (tables, rows, seated)))
