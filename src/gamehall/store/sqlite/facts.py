"""Facts by their keys, and ratings, in the SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from gamehall.store.facts import Fact
from gamehall.store.lists import RatedRound, Rating

_RATING = """json_object('player', player, 'name', name, 'game', game, 'bot', bot, 'mu', mu,
    'sigma', sigma, 'rounds', ratings.rounds)"""

_decode_ratings = msgspec.json.Decoder(list[Rating], strict=False).decode
_decode_rounds = msgspec.json.Decoder(list[RatedRound]).decode


# Facts


def fact(connection: sqlite3.Connection | sqlite3.Cursor, key: str) -> bytes | None:
    found = connection.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if found is None else found[0]


def facts(connection: sqlite3.Connection, prefix: str, after: str, limit: int) -> list[Fact]:
    found = connection.execute(
        # Text that begins with the prefix lies between it and it with the last of all characters.
        "SELECT key, value FROM facts WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?",
        (prefix, prefix + "\U0010ffff", after, limit),
    ).fetchall()
    return [Fact(*row) for row in found]


def put_fact(cursor: sqlite3.Cursor, key: str, value: bytes, before: bytes | None) -> bool:
    there = fact(cursor, key)
    if there == value:
        return True  # Sent again, perhaps: it is as the caller wants it.
    if there != before:
        return False
    cursor.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, value))
    return True


# Ratings


def rated_after(connection: sqlite3.Connection, limit: int) -> list[RatedRound]:
    found = connection.execute(
        """SELECT json_group_array(json_object('id', id, 'game', game, 'results', json(results)))
        FROM (SELECT rated_rounds.id, rounds.game, rounds.results FROM rated_rounds
            JOIN rounds USING (table_id, round)
            WHERE rated_rounds.id > (SELECT value FROM counters WHERE name = 'rated')
            ORDER BY rated_rounds.id LIMIT ?)""",
        (limit,),
    ).fetchone()
    return _decode_rounds(found[0])


def put_ratings(cursor: sqlite3.Cursor, first: int, upto: int, ratings: Sequence[Rating]) -> None:
    cursor.execute(
        "UPDATE counters SET value = ? WHERE name = 'rated' AND value < ?", (upto, first)
    )
    if cursor.rowcount == 0:
        return  # Written before.
    cursor.executemany(
        "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)",
        [(r.player, r.game, r.bot, r.mu, r.sigma, r.rounds) for r in ratings],
    )


def ratings_of(connection: sqlite3.Connection, game: str, players: Sequence[int]) -> list[Rating]:
    found = connection.execute(
        f"""SELECT json_group_array({_RATING}) FROM ratings JOIN players ON id = player
        WHERE game = ? AND player IN (SELECT value FROM json_each(?))""",
        (game, msgspec.json.encode(list(players)).decode()),
    ).fetchone()
    return _decode_ratings(found[0])


def best(connection: sqlite3.Connection, game: str, bots: bool, limit: int) -> list[Rating]:
    found = connection.execute(
        f"""SELECT json_group_array({_RATING}) FROM (
            SELECT * FROM ratings WHERE game = ? AND bot = ?
            ORDER BY mu - 3 * sigma DESC, player LIMIT ?) AS ratings
        JOIN players ON id = player""",
        (game, bots, limit),
    ).fetchone()
    return _decode_ratings(found[0])
