"""Players, their names and tokens, in the SQLite file."""

from __future__ import annotations

import sqlite3

from gamehall.errors import Conflict, NameTaken, NoSuchPlayer
from gamehall.store.people import TOKENS_MAX, Member, Player, PlayerKind, name_key
from gamehall.store.sqlite.ledger import mint
from gamehall.store.sqlite.queries import Reading, one

_PLAYER = """SELECT id, name, kind, coalesce(chips, 0), password_hash
    FROM players LEFT JOIN balances ON balances.player = players.id"""


# Changes, in the writer's transaction


def add_player(
    cursor: sqlite3.Cursor,
    name: str,
    kind: PlayerKind,
    *,
    chips: int,
    at_ms: int,
    password_hash: str | None = None,
    token_digest: bytes | None = None,
) -> Player:
    key = name_key(name)
    _check_free(cursor, key)
    if token_digest is not None:
        _check_unused(cursor, token_digest, None)
    cursor.execute(
        """INSERT INTO players (name, name_key, kind, password_hash, added_at_ms)
        VALUES (?, ?, ?, ?, ?)""",
        (name, key, kind, password_hash, at_ms),
    )
    id = cursor.lastrowid
    assert id is not None
    cursor.execute("INSERT INTO balances (player, chips) VALUES (?, 0)", (id,))
    if chips:
        mint(cursor, id, chips, at_ms)
    if token_digest is not None:
        cursor.execute("INSERT INTO tokens VALUES (?, ?, ?)", (token_digest, id, at_ms))
    return Player(id, name, kind, chips)


def make_member(cursor: sqlite3.Cursor, player: int, name: str, password_hash: str) -> Player:
    guest = find_player(cursor, player)
    if guest is None or guest.kind != "guest":
        raise NoSuchPlayer(f"There is no guest with the number {player}.")
    key = name_key(name)
    _check_free(cursor, key)
    cursor.execute(
        """UPDATE players SET name = ?, name_key = ?, kind = 'member', password_hash = ?
        WHERE id = ?""",
        (name, key, password_hash, player),
    )
    return Player(player, name, "member", guest.balance)


def add_token(cursor: sqlite3.Cursor, player: int, digest: bytes, at_ms: int) -> None:
    _check_unused(cursor, digest, player)
    cursor.execute("INSERT OR IGNORE INTO tokens VALUES (?, ?, ?)", (digest, player, at_ms))
    cursor.execute(
        """DELETE FROM tokens WHERE digest IN (
            SELECT digest FROM tokens WHERE player = ? ORDER BY at_ms DESC LIMIT -1 OFFSET ?)""",
        (player, TOKENS_MAX),
    )


def drop_token(cursor: sqlite3.Cursor, digest: bytes) -> None:
    cursor.execute("DELETE FROM tokens WHERE digest = ?", (digest,))


def _check_free(cursor: sqlite3.Cursor, key: str) -> None:
    if one(cursor, "SELECT 1 FROM players WHERE name_key = ? AND kind <> 'guest'", key):
        raise NameTaken


def _check_unused(cursor: sqlite3.Cursor, digest: bytes, player: int | None) -> None:
    found = one(cursor, "SELECT player FROM tokens WHERE digest = ?", digest)
    if found is not None and found != player:
        raise Conflict("Another player has this token.")


# Reads


def find_player(reading: Reading, player: int) -> Player | None:
    found = reading.execute(f"{_PLAYER} WHERE id = ?", (player,)).fetchone()
    return None if found is None else Player(*found[:4])


def player_named(connection: sqlite3.Connection, name: str) -> Player | None:
    key = name_key(name)
    found = connection.execute(
        f"{_PLAYER} WHERE name_key = ? AND kind <> 'guest'", (key,)
    ).fetchone()
    if found is None:
        found = connection.execute(
            f"{_PLAYER} WHERE name_key = ? ORDER BY id DESC LIMIT 1", (key,)
        ).fetchone()
    return None if found is None else Player(*found[:4])


def member(connection: sqlite3.Connection, name: str) -> Member | None:
    found = connection.execute(
        f"{_PLAYER} WHERE name_key = ? AND kind <> 'guest' AND password_hash IS NOT NULL",
        (name_key(name),),
    ).fetchone()
    return None if found is None else Member(Player(*found[:4]), found[4])


def player_by_token(connection: sqlite3.Connection, digest: bytes) -> Player | None:
    found = connection.execute(
        f"{_PLAYER} JOIN tokens ON tokens.player = players.id WHERE digest = ?", (digest,)
    ).fetchone()
    return None if found is None else Player(*found[:4])


def balance(connection: sqlite3.Connection, player: int) -> int:
    return int(one(connection, "SELECT chips FROM balances WHERE player = ?", player) or 0)
