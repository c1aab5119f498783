"""Tables' numbers and journals in the SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from gamehall.store.appends import Request
from gamehall.store.journals import Line, RoundSpan
from gamehall.store.sqlite.queries import count, counter, json_list, one, page

_FORGET_ROWS = 5000
"""Journal rows deleted in one transaction: others must not wait long for their turn."""

_decode_lines = msgspec.json.Decoder(list[tuple[int, str, int | None, str | None, str, int]]).decode
_decode_texts = msgspec.json.Decoder(list[str]).decode
_decode_ids = msgspec.json.Decoder(list[int]).decode
_decode_span = msgspec.json.Decoder(RoundSpan).decode


def new_table(cursor: sqlite3.Cursor) -> int:
    return count(cursor, "tables")


def had_table(connection: sqlite3.Connection, table: int) -> bool:
    return 0 < table <= counter(connection, "tables")


def read(connection: sqlite3.Connection, table: int, after: int, limit: int) -> list[Line]:
    return _lines(connection, "table_id = ? AND seq > ? ORDER BY seq LIMIT ?", table, after, limit)


def read_at(connection: sqlite3.Connection, table: int, seqs: Sequence[int]) -> list[Line]:
    named = "table_id = ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq"
    return _lines(connection, named, table, json_list(seqs))


def used_ids(connection: sqlite3.Connection, table: int, player: int, limit: int) -> list[str]:
    return page(
        connection,
        _decode_texts,
        """SELECT json_group_array(request) FROM (
            SELECT DISTINCT request FROM requests WHERE table_id = ? AND player = ? LIMIT ?)""",
        table,
        player,
        limit,
    )


def request(connection: sqlite3.Connection, table: int, player: int, id: str) -> Line | None:
    latest = """table_id = ?1 AND seq = (
        SELECT max(seq) FROM requests WHERE table_id = ?1 AND player = ?2 AND request = ?3)"""
    return next(iter(_lines(connection, latest, table, player, id)), None)


def request_between(
    connection: sqlite3.Connection, table: int, player: int, id: str, first_seq: int, last_seq: int
) -> Line | None:
    latest = """table_id = ? AND seq BETWEEN ? AND ? AND player = ? AND request = ?
        ORDER BY seq DESC LIMIT 1"""
    return next(iter(_lines(connection, latest, table, first_seq, last_seq, player, id)), None)


def _lines(connection: sqlite3.Connection, where: str, *values: Any) -> list[Line]:
    rows = page(
        connection,
        _decode_lines,
        f"""SELECT json_group_array(
            json_array(seq, hex(line), player, request, hex(digest), by_round))
        FROM (SELECT * FROM journal WHERE {where})""",
        *values,
    )
    return [
        Line(
            seq,
            bytes.fromhex(line),
            None
            if player is None or request is None
            else Request(player, request, bytes.fromhex(digest), bool(by_round)),
        )
        for seq, line, player, request, digest, by_round in rows
    ]


def round_span(connection: sqlite3.Connection, table: int, round: int) -> RoundSpan | None:
    found = one(
        connection,
        """SELECT json_object('first_seq', first_seq, 'last_seq', last_seq, 'hash', hash)
        FROM rounds WHERE table_id = ? AND round = ?""",
        table,
        round,
    )
    return None if found is None else _decode_span(found)


# Forgetting


def past_tables(connection: sqlite3.Connection, before_ms: int, limit: int) -> list[int]:
    """Unrated tables that were closed before then."""
    return page(
        connection,
        _decode_ids,
        """SELECT json_group_array(id) FROM (
            SELECT id FROM tables INDEXED BY tables_past
            WHERE status = 'closed' AND rated = 0 AND changed_at_ms < ?
            ORDER BY changed_at_ms LIMIT ?)""",
        before_ms,
        limit,
    )


def forget_part(cursor: sqlite3.Cursor, table: int) -> bool:
    """Deletes a part of a table; true while there is more. Nothing lists it after the first."""
    # Nobody can take it for a table whose last rows are missing.
    cursor.execute("UPDATE tables SET head = 0, hash = '' WHERE id = ?", (table,))
    for name in ("rounds", "played", "seated", "requests"):
        cursor.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    cursor.execute(
        """DELETE FROM journal WHERE rowid IN
        (SELECT rowid FROM journal WHERE table_id = ? ORDER BY seq DESC LIMIT ?)""",
        (table, _FORGET_ROWS),
    )
    if cursor.rowcount == _FORGET_ROWS:
        return True
    cursor.execute("DELETE FROM tables WHERE id = ?", (table,))
    return False
