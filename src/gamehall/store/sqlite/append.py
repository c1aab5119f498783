"""Appends, checked and then written; nothing is written of one that does not pass.

There are no savepoints: whatever could refuse an append is looked up before its first write. An
append sees those before it in the same transaction, their heads and balances too. What it moves is
looked up in one statement and written in two, however many players it pays. Appends that are
nothing but rows, as moves are, are written together: two statements for a whole group of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import msgspec

from gamehall.store.appends import (
    Answer,
    Append,
    Durable,
    FinishedRound,
    Opening,
    Overtaken,
    Summary,
)
from gamehall.store.purses import Held, Purses
from gamehall.store.writing import AppendWork

_HEAD = """UPDATE tables SET head = ?, hash = ?, due_ms = ?, changed_at_ms = ?
    WHERE id = ? AND head = ? AND epoch = ?"""
_OPEN = """INSERT INTO tables (head, hash, due_ms, changed_at_ms, id, epoch, opened_at_ms, game,
    private, rated, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_LINE = """INSERT INTO lines (table_id, seq, line, beat_id, player, request, digest, by_round)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_SUMMARY = (
    "UPDATE tables SET status = ?, round = ?, round_seq = ?, names = ?, count = ? WHERE id = ?"
)
_ALL_STOOD_UP = "DELETE FROM seated WHERE table_id = ?"
_STOOD_UP = """DELETE FROM seated WHERE table_id = ?
    AND player IN (SELECT value FROM json_each(?))"""
_SAT_DOWN = "INSERT OR IGNORE INTO seated SELECT ?, value FROM json_each(?)"
_HELD_BY_ONE = "SELECT player, chips, last FROM balances WHERE player = ?"
_HELD_BY_MANY = """SELECT player, chips, last FROM balances
    WHERE player IN (SELECT value FROM json_each(?))"""
_TRANSFER = """INSERT INTO transfers
    (id, table_id, seq, n, source, target, chips, at_ms, source_before, target_before)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_BALANCE = "REPLACE INTO balances (player, chips, last) VALUES (?, ?, ?)"
_ROUND = """INSERT INTO rounds SELECT id, ?, game, private, rated, ?, ?, ?, ?, ?, ?, ?
    FROM tables WHERE id = ?"""
_RATED = """INSERT INTO rated_rounds (table_id, round)
    SELECT id, ? FROM tables WHERE id = ? AND rated = 1"""
_PLAYED = "INSERT OR IGNORE INTO played VALUES (?, ?, ?)"
_STANDING = """INSERT INTO standings
    SELECT ?, game, 1, ?, ?, ? FROM tables WHERE id = ?
    ON CONFLICT (player, game) DO UPDATE SET played = played + 1,
    won = won + excluded.won, drawn = drawn + excluded.drawn, lost = lost + excluded.lost"""


class SqliteAppend(AppendWork):
    __slots__ = ()

    apart = False

    def write(self, cursor: sqlite3.Cursor) -> Answer:
        return write_append(cursor, self.append)


def write_append(cursor: sqlite3.Cursor, append: Append) -> Answer:
    """What the caller is told if the transaction commits."""
    opening = append.opening
    purses: Purses | None = None
    pays = any(row.transfers for row in append.rows)
    if (opening is not None or pays) and not _fits(cursor, append):
        return _refusal(cursor, append)
    if pays:
        purses = Purses([append])
        purses.fill(_held(cursor, purses.players))
        short = purses.take(append.rows)
        if short is not None:
            return short
    table = append.table
    head = _head(append)
    if opening is None:
        cursor.execute(_HEAD, head)
        if cursor.rowcount == 0:
            return _refusal(cursor, append)
    else:
        how = (opening.game, opening.private, opening.rated, opening.origin)
        cursor.execute(_OPEN, (*head[:5], append.epoch, append.at_ms, *how))
    cursor.executemany(_LINE, _lines(append))
    if purses is not None:
        first = _one(cursor, "SELECT coalesce(max(id), 0) + 1 FROM transfers")
        entries, held = purses.entries([append], count(first))
        cursor.executemany(_TRANSFER, entries)
        cursor.executemany(_BALANCE, held)
    if append.summary is not None:
        _summarise(cursor, table, append.summary)
    for finished in append.finished:
        _finish(cursor, table, finished)
    return Durable()


def write_together(cursor: sqlite3.Cursor, appends: list[Append]) -> bool:
    """Writes appends that are nothing but rows. False: one of them does not fit, and what was
    written of the others has to be undone."""
    cursor.executemany(_HEAD, [_head(append) for append in appends])
    if appends and cursor.rowcount != len(appends):
        return False
    cursor.executemany(_LINE, [line for append in appends for line in _lines(append)])
    return True


def _head(append: Append) -> tuple[Any, ...]:
    after = append.after
    head = (after + len(append.rows), append.hash, append.due_ms, append.at_ms, append.table)
    return (*head, after, append.epoch)


def _lines(append: Append) -> Iterator[tuple[Any, ...]]:
    table, seq, beat_id = append.table, append.after, append.beat_id
    for row in append.rows:
        seq += 1
        request = row.request
        if request is None:
            yield table, seq, row.line, beat_id, None, None, None, False
        else:
            who = request.player, request.id, request.digest, request.by_round
            yield table, seq, row.line, beat_id, *who


def json_list(numbers: Sequence[int]) -> str:
    """Numbers, as `json_each` takes them."""
    return msgspec.json.encode([*numbers]).decode()


def _held(cursor: sqlite3.Cursor, players: list[int]) -> list[Held]:
    if len(players) == 1:
        return cursor.execute(_HELD_BY_ONE, players).fetchall()
    return cursor.execute(_HELD_BY_MANY, (json_list(players),)).fetchall()


def _one(cursor: sqlite3.Cursor, query: str, *values: Any) -> Any:
    """The first column of the one row; None if there is none."""
    found = cursor.execute(query, values).fetchone()
    return None if found is None else found[0]


def _fits(cursor: sqlite3.Cursor, append: Append) -> bool:
    found = cursor.execute(
        "SELECT head, epoch FROM tables WHERE id = ?", (append.table,)
    ).fetchone()
    if append.opening is None:
        return bool(found == (append.after, append.epoch))
    return found is None and append.after == 0 and _opened_by(cursor, append.opening) is None


def _refusal(cursor: sqlite3.Cursor, append: Append) -> Answer:
    """Durable if this very append lies there already; else someone else came first."""
    beat_of = "SELECT beat_id FROM journal WHERE table_id = ? AND seq = ?"
    if _one(cursor, beat_of, append.table, append.after + 1) == append.beat_id:
        return Durable()
    return Overtaken(_opened_by(cursor, append.opening))


def _opened_by(cursor: sqlite3.Cursor, opening: Opening | None) -> int | None:
    if opening is None or opening.origin is None:
        return None
    found: int | None = _one(cursor, "SELECT id FROM tables WHERE origin = ?", opening.origin)
    return found


def _summarise(cursor: sqlite3.Cursor, table: int, summary: Summary) -> None:
    names = msgspec.json.encode(summary.names).decode()
    cursor.execute(
        _SUMMARY,
        (summary.status, summary.round, summary.round_seq, names, summary.count, table),
    )
    if summary.status == "closed":
        cursor.execute(_ALL_STOOD_UP, (table,))
        return
    if summary.went:
        cursor.execute(_STOOD_UP, (table, json_list(summary.went)))
    if summary.came:
        cursor.execute(_SAT_DOWN, (table, json_list(summary.came)))


def _finish(cursor: sqlite3.Cursor, table: int, finished: FinishedRound) -> None:
    results = msgspec.json.encode(finished.results).decode()
    where = (finished.first_seq, finished.last_seq, finished.hash)
    how = (finished.ended_at_ms, finished.reason, results, finished.voided)
    cursor.execute(_ROUND, (finished.round, *where, *how, table))
    if finished.results:
        cursor.execute(_RATED, (finished.round, table))
    for seat in finished.results:
        counts = (seat.result == "win", seat.result == "draw", seat.result == "loss")
        cursor.execute(_PLAYED, (seat.player, table, finished.round))
        cursor.execute(_STANDING, (seat.player, *counts, table))
