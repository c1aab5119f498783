"""What a hall on SQLite has written, read by other ways than the hall's own."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from gamehall.simulation.checker.money import Ledger, Transfer
from gamehall.simulation.checker.owners import Moment
from gamehall.simulation.checker.records import Record, kept_rows
from gamehall.simulation.checker.seats import Place


def read_records(path: Path) -> tuple[list[Record], Ledger, list[Place]]:
    """Everything, and the rows in the order in which they were written."""
    with closing(sqlite3.connect(path)) as connection:

        def rows(query: str) -> list[tuple[Any, ...]]:
            return connection.execute(query).fetchall()

        assert rows("PRAGMA integrity_check") == [("ok",)]
        records = kept_rows(
            rows("SELECT id, game, head, hash, status, origin, due_ms FROM tables ORDER BY id"),
            rows("SELECT table_id, seq, line, player, request, digest FROM journal ORDER BY 1, 2"),
            rows("SELECT table_id, player FROM seated"),
        )
        transfers = rows(
            "SELECT id, table_id, seq, n, source, target, chips FROM transfers ORDER BY id"
        )
        ledger = Ledger(
            tuple(Transfer(*row) for row in transfers),
            dict(rows("SELECT player, chips FROM balances")),
        )
        return records, ledger, rows("SELECT table_id, seq FROM lines ORDER BY row")


def read_moments(connection: sqlite3.Connection) -> list[Moment]:
    """How all tables stand, as whoever reads the file sees them."""
    found = connection.execute("SELECT id, epoch, head, hash, NULL FROM tables WHERE head > 0")
    return [Moment(*row) for row in found]
