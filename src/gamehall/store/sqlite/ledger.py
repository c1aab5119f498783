"""The chips that change hands, in the SQLite file.

A transfer names the one before it of each player it concerns, and a balance names the player's last
one: a statement is read from there, link by link. An index by player would cost far more: with a
long past, each of ten thousand bets goes to another page of it, and all of them are written.

What an append moves is looked up in one statement and written in two, however many players it pays.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from gamehall.errors import NoSuchPlayer
from gamehall.store.appends import Append, NewRow
from gamehall.store.people import StatementItem

_PLAYER = "player:"

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


class Purses:
    """What each player has whom an append concerns: first before it, then after it."""

    def __init__(self, cursor: sqlite3.Cursor, rows: Sequence[NewRow]) -> None:
        self._cursor = cursor
        self._new_rows = rows
        accounts: set[str] = set()
        for row in rows:
            for move in row.transfers:
                accounts.add(move.source)
                accounts.add(move.target)
        self._players = {
            int(account[len(_PLAYER) :]): account
            for account in accounts
            if account.startswith(_PLAYER)
        }
        # Only players are in these: all other accounts are sums of transfers and may be negative.
        self._chips = dict.fromkeys(self._players.values(), 0)
        self._last: dict[str, int | None] = dict.fromkeys(self._players.values())
        for player, chips, last in _held(cursor, list(self._players)):
            account = self._players[player]
            self._chips[account] = chips
            self._last[account] = last

    def take(self) -> dict[int, set[int]]:
        """Moves the chips; of each row whose payers lack them, which moves none, who does."""
        chips = self._chips
        short = {}
        for place, row in enumerate(self._new_rows):
            lacking = set()
            for move in row.transfers:
                if move.target in chips:
                    chips[move.target] += move.chips
                if move.source in chips:
                    chips[move.source] -= move.chips
                    if chips[move.source] < 0:
                        lacking.add(int(move.source[len(_PLAYER) :]))
            if lacking:
                self._give_back(row)
                short[place] = lacking
        return short

    def _give_back(self, row: NewRow) -> None:
        for move in row.transfers:
            for account, chips in ((move.source, move.chips), (move.target, -move.chips)):
                if account in self._chips:
                    self._chips[account] += chips

    def write(self, append: Append) -> None:
        """Writes what `take` has moved."""
        last = self._last
        id = _last_id(self._cursor)
        table, at_ms = append.table, append.at_ms
        rows = []
        for seq, row in enumerate(self._new_rows, start=append.after + 1):
            for n, move in enumerate(row.transfers):
                id += 1
                source, target = move.source, move.target
                before = last.get(source), last.get(target)
                rows.append((id, table, seq, n, source, target, move.chips, at_ms, *before))
                if source in last:
                    last[source] = id
                if target in last:
                    last[target] = id
        held = [(player, self._chips[of], last[of]) for player, of in self._players.items()]
        self._cursor.executemany(_TRANSFER, rows)
        self._cursor.executemany(_BALANCE, held)


def mint(cursor: sqlite3.Cursor, player: int, chips: int, at_ms: int) -> None:
    """New chips for a player who has a balance. They have table 0, and are counted by player."""
    n = cursor.execute(
        "SELECT coalesce(max(n) + 1, 0) FROM transfers WHERE table_id = 0 AND seq = ?", (player,)
    ).fetchone()[0]
    last = cursor.execute("SELECT last FROM balances WHERE player = ?", (player,)).fetchone()[0]
    cursor.execute(_MINTED, (player, n, f"{_PLAYER}{player}", chips, at_ms, last))
    cursor.execute(
        "UPDATE balances SET chips = chips + ?, last = ? WHERE player = ?",
        (chips, cursor.lastrowid, player),
    )


def refill(
    cursor: sqlite3.Cursor, player: int, below: int, to: int, at_ms: int, every_ms: int
) -> int | None:
    found = cursor.execute("SELECT chips FROM balances WHERE player = ?", (player,)).fetchone()
    if found is None:
        raise NoSuchPlayer
    chips = int(found[0])
    if chips >= min(below, to):
        return None
    # The first gift is what everyone begins with.
    (last_ms,) = cursor.execute(
        "SELECT max(at_ms) FROM transfers WHERE table_id = 0 AND seq = ? AND n > 0", (player,)
    ).fetchone()
    if last_ms is not None and at_ms < last_ms + every_ms:
        return None
    mint(cursor, player, to - chips, at_ms)
    return to


def statement(
    connection: sqlite3.Connection, player: int, before: int | None, limit: int
) -> list[StatementItem]:
    values = (f"{_PLAYER}{player}", player, before, limit)
    return _decode_statement(connection.execute(_STATEMENT, values).fetchone()[0])


def _held(cursor: sqlite3.Cursor, players: list[int]) -> list[tuple[int, int, int | None]]:
    if len(players) == 1:
        return cursor.execute(_HELD_BY_ONE, players).fetchall()
    of_many = msgspec.json.encode(players).decode()
    return cursor.execute(_HELD_BY_MANY, (of_many,)).fetchall()


def _last_id(cursor: sqlite3.Cursor) -> int:
    return int(cursor.execute("SELECT coalesce(max(id), 0) FROM transfers").fetchone()[0])
