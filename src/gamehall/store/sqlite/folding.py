"""The journal as a log: its rows lie in the order of their commits, and are folded into an index.

A commit puts its rows at the end of `lines`, which has no index by table: with one, each row would
change a page of its own, 4 KB for 300 bytes, and cost 16 µs in place of 11. What has gathered is
entered into `places` at once and in its order, so that a page there takes the rows of many commits;
and requests of rounds that are over into `requests`. The counter `placed` says how far that has
come, and changes with it: a crash leaves every row on one side. Readers see both, as the view
`journal`, and look through the fresh one: 0.1 ms for 4,000 rows.

Rows stay where they are. To move them into a table that is ordered by its key costs 2 µs a row
more, and 12 at 1,000 tables.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from gamehall.store.database import Transaction
from gamehall.store.sqlite.writer import SqliteWork

FOLD_ROWS = 4000
"""Rows that gather before they are folded: more cost less each, and hold up the writer longer."""
FOLD_ROWS_MAX = 5000
"""Rows folded in one transaction, for which the next group waits; some 10 ms."""

_SPAN = """SELECT value, (SELECT coalesce(max(row), 0) FROM lines) FROM counters
    WHERE name = 'placed'"""
_PLACE = """INSERT INTO places SELECT table_id, seq, row FROM lines
    WHERE row > ? AND row <= ? ORDER BY table_id, seq"""
_CONCERNED = "id IN (SELECT table_id FROM lines WHERE row > ? AND row <= ?)"
_INDEX = f"""INSERT INTO requests SELECT places.table_id, player, request, places.seq
    FROM tables CROSS JOIN places ON places.table_id = id
        AND places.seq >= indexed_seq AND places.seq < round_seq
    CROSS JOIN lines ON lines.row = places.row
    WHERE {_CONCERNED} AND request IS NOT NULL AND NOT by_round"""
# A fold may end before the row that opens a round.
_INDEXED = f"""UPDATE tables SET indexed_seq = min(round_seq,
        (SELECT max(seq) + 1 FROM places WHERE table_id = id))
    WHERE {_CONCERNED} AND indexed_seq < round_seq"""
_PLACED = "UPDATE counters SET value = ? WHERE name = 'placed'"

_FORGET_FRESH = """DELETE FROM lines WHERE row IN (SELECT row FROM lines
    WHERE row > (SELECT value FROM counters WHERE name = 'placed') AND table_id = $1
    ORDER BY row DESC LIMIT $2)"""
_NEWEST = "FROM places WHERE table_id = $1 ORDER BY seq DESC LIMIT $2"
_FORGET_LINES = f"DELETE FROM lines WHERE row IN (SELECT row {_NEWEST})"
_FORGET_PLACES = f"DELETE FROM places WHERE table_id = $1 AND seq IN (SELECT seq {_NEWEST})"
# The numbers of the last rows are given again once these are gone, and are not placed then.
_LAST_PLACED = """UPDATE counters SET value = min(value, (SELECT coalesce(max(row), 0) FROM lines))
    WHERE name = 'placed'"""


def fold(cursor: sqlite3.Cursor) -> bool:
    """Enters the oldest rows that are fresh; whether there are more."""
    placed, last = cursor.execute(_SPAN).fetchone()
    end = min(last, placed + FOLD_ROWS_MAX)
    for statement in (_PLACE, _INDEX, _INDEXED):
        cursor.execute(statement, (placed, end))
    if end > placed:
        cursor.execute(_PLACED, (end,))
    return bool(last > end)


async def forget_rows(change: Transaction, table: int, limit: int) -> int:
    """Deletes the newest rows of a journal; how many."""
    fresh = await change.execute(_FORGET_FRESH, table, limit)
    placed = await change.execute(_FORGET_LINES, table, limit - fresh)
    await change.execute(_FORGET_PLACES, table, limit - fresh)
    await change.execute(_LAST_PLACED)
    return fresh + placed


class Folding:
    """A work of the writer, in its queue whenever enough rows have been given to that."""

    rows = 0
    bytes = 100
    """Not 0: it must not gather in a queue that is full and refuses what is appended."""
    apart = True
    rows_only = None

    def __init__(self, put: Callable[[SqliteWork], None]) -> None:
        self._put = put
        self._appended = 0

    def start(self) -> None:
        """Folds what was left when the file was closed: many tables are about to be read."""
        self._put(self)

    def appended(self, rows: int) -> None:
        self._appended += rows
        if self._appended >= FOLD_ROWS:
            self._appended = 0
            self._put(self)

    def write(self, cursor: sqlite3.Cursor) -> bool:
        return fold(cursor)

    def answer(self, answer: Any) -> None:
        """Goes on if there is more. What could not be written is left to the next time."""
        if answer is True:
            self._put(self)
