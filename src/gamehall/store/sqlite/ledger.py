"""The chips that change hands, in the SQLite file.

A transfer names the one before it of each player it concerns, and a balance names the player's last
one: a statement is read from there, link by link. An index by player would cost far more: with a
long past, each of ten thousand bets goes to another page of it, and all of them are written.

What an append moves is looked up in one statement and written in two, however many players it pays.
"""

from __future__ import annotations

import sqlite3
from itertools import count

import msgspec

from gamehall.errors import NoSuchPlayer
from gamehall.store.appends import Append
from gamehall.store.people import StatementItem
from gamehall.store.purses import Held, Purses, account_of
from gamehall.store.sqlite.queries import json_list, one, page

_HELD_BY_ONE = "SELECT player, chips, last FROM balances WHERE player = ?"
_HELD_BY_MANY = """SELECT player, chips, last FROM balances
    WHERE player IN (SELECT value FROM json_each(?))"""
_TRANSFER = """INSERT INTO transfers
    (id, table_id, seq, n, source, target, chips, at_ms, source_before, target_before)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_BALANCE = "REPLACE INTO balances (player, chips, last) VALUES (?, ?, ?)"
_MINTED = """INSERT INTO transfers
    (table_id, seq, n, source, target, chips, at_ms, target_before)
    VALUES (0, ?, ?, 'mint', ?, ?, ?, ?)"""
_STATEMENT = """WITH RECURSIVE listed (id, table_id, seq, n, chips, other, at_ms, before) AS (
        SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, CASE WHEN ?3 IS NULL
            THEN (SELECT last FROM balances WHERE player = ?2)
            ELSE (SELECT iif(source = ?1, source_before, target_before) FROM transfers
                WHERE id = ?3 AND ?1 IN (source, target)) END
        UNION ALL
        SELECT of.id, of.table_id, of.seq, of.n, iif(source = ?1, -of.chips, of.chips),
            iif(source = ?1, target, source), of.at_ms,
            iif(source = ?1, source_before, target_before)
        FROM listed JOIN transfers AS of ON of.id = listed.before
        LIMIT ?4 + 1)
    SELECT json_group_array(json_object('id', id, 'table', table_id, 'seq', seq, 'n', n,
        'chips', chips, 'other', other, 'at_ms', at_ms)) FROM listed WHERE id IS NOT NULL"""

_decode_statement = msgspec.json.Decoder(list[StatementItem]).decode


def opened_purses(cursor: sqlite3.Cursor, append: Append) -> Purses:
    """What each player has whom the append concerns."""
    purses = Purses([append])
    purses.fill(_held(cursor, purses.players))
    return purses


def write_transfers(cursor: sqlite3.Cursor, append: Append, purses: Purses) -> None:
    """Writes what the purses have moved."""
    first = one(cursor, "SELECT coalesce(max(id), 0) + 1 FROM transfers")
    entries, held = purses.entries([append], count(first))
    cursor.executemany(_TRANSFER, entries)
    cursor.executemany(_BALANCE, held)


def mint(cursor: sqlite3.Cursor, player: int, chips: int, at_ms: int) -> None:
    """New chips for a player who has a balance. They have table 0, and are counted by player."""
    gifts = "SELECT coalesce(max(n) + 1, 0) FROM transfers WHERE table_id = 0 AND seq = ?"
    n = one(cursor, gifts, player)
    last = one(cursor, "SELECT last FROM balances WHERE player = ?", player)
    cursor.execute(_MINTED, (player, n, account_of(player), chips, at_ms, last))
    cursor.execute(
        "UPDATE balances SET chips = chips + ?, last = ? WHERE player = ?",
        (chips, cursor.lastrowid, player),
    )


def refill(
    cursor: sqlite3.Cursor, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
) -> int | None:
    chips: int | None = one(cursor, "SELECT chips FROM balances WHERE player = ?", player)
    if chips is None:
        raise NoSuchPlayer
    if chips >= min(below, to):
        return None
    # The first gift is what everyone begins with.
    gifts = "SELECT max(at_ms) FROM transfers WHERE table_id = 0 AND seq = ? AND n > 0"
    last_ms = one(cursor, gifts, player)
    if last_ms is not None and at_ms < last_ms + every_ms:
        return None
    mint(cursor, player, to - chips, at_ms)
    return to


def statement(
    connection: sqlite3.Connection, player: int, *, before: int | None, limit: int
) -> list[StatementItem]:
    whose = (account_of(player), player)
    return page(connection, _decode_statement, _STATEMENT, *whose, before, limit)


def _held(cursor: sqlite3.Cursor, players: list[int]) -> list[Held]:
    if len(players) == 1:
        return cursor.execute(_HELD_BY_ONE, players).fetchall()
    return cursor.execute(_HELD_BY_MANY, (json_list(players),)).fetchall()
