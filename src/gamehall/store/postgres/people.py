"""Players, their names and tokens, in PostgreSQL. Each change is a transaction of its own."""

from __future__ import annotations

import asyncpg

from gamehall.errors import Conflict, NameTaken, NoSuchPlayer
from gamehall.store.people import TOKENS_MAX, Member, Player, PlayerKind, name_key
from gamehall.store.postgres.ledger import mint
from gamehall.store.postgres.link import Connection, Link, key_bytes

_PLAYER = """SELECT id, name, kind, coalesce(chips, 0), password_hash
    FROM players LEFT JOIN balances ON balances.player = players.id"""


# Changes


async def add_player(
    connection: Connection,
    name: str,
    kind: PlayerKind,
    *,
    chips: int,
    at_ms: int,
    password_hash: str | None = None,
    token_digest: bytes | None = None,
) -> Player:
    key = key_bytes(name_key(name))
    await _check_free(connection, key)
    id = await connection.fetchval(
        """INSERT INTO players (name, name_key, kind, password_hash, added_at_ms)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id""",
        name,
        key,
        kind,
        password_hash,
        at_ms,
    )
    if id is None:
        raise NameTaken  # Since it was looked up.
    await connection.execute("INSERT INTO balances (player, chips) VALUES ($1, 0)", id)
    if chips:
        await mint(connection, id, chips, at_ms)
    if token_digest is not None:
        await _keep_token(connection, id, token_digest, at_ms)
    return Player(id, name, kind, chips)


async def make_member(connection: Connection, player: int, name: str, password_hash: str) -> Player:
    guest = await connection.fetchrow(f"{_PLAYER} WHERE id = $1 FOR UPDATE OF players", player)
    if guest is None or guest["kind"] != "guest":
        raise NoSuchPlayer(f"There is no guest with the number {player}.")
    key = key_bytes(name_key(name))
    await _check_free(connection, key)
    try:
        await connection.execute(
            """UPDATE players SET name = $2, name_key = $3, kind = 'member', password_hash = $4
            WHERE id = $1""",
            player,
            name,
            key,
            password_hash,
        )
    except asyncpg.UniqueViolationError:
        raise NameTaken from None  # Since it was looked up.
    return Player(player, name, "member", guest[3])


async def add_token(connection: Connection, player: int, digest: bytes, at_ms: int) -> None:
    await _keep_token(connection, player, digest, at_ms)
    await connection.execute(
        """DELETE FROM tokens WHERE digest IN (
            SELECT digest FROM tokens WHERE player = $1 ORDER BY at_ms DESC OFFSET $2)""",
        player,
        TOKENS_MAX,
    )


async def drop_token(connection: Connection, digest: bytes) -> None:
    await connection.execute("DELETE FROM tokens WHERE digest = $1", digest)


async def _check_free(connection: Connection, key: bytes) -> None:
    if await connection.fetchval(
        "SELECT 1 FROM players WHERE name_key = $1 AND kind <> 'guest'", key
    ):
        raise NameTaken


async def _keep_token(connection: Connection, player: int, digest: bytes, at_ms: int) -> None:
    await connection.execute(
        "INSERT INTO tokens VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", digest, player, at_ms
    )
    if player != await connection.fetchval("SELECT player FROM tokens WHERE digest = $1", digest):
        raise Conflict("Another player has this token.")


# Reads


async def find_player(link: Link, player: int) -> Player | None:
    return _player(await link.row(f"{_PLAYER} WHERE id = $1", player))


async def player_named(link: Link, name: str) -> Player | None:
    return _player(
        await link.row(
            f"{_PLAYER} WHERE name_key = $1 ORDER BY kind = 'guest', id DESC LIMIT 1",
            key_bytes(name_key(name)),
        )
    )


async def member(link: Link, name: str) -> Member | None:
    found = await link.row(
        f"{_PLAYER} WHERE name_key = $1 AND kind <> 'guest' AND password_hash IS NOT NULL",
        key_bytes(name_key(name)),
    )
    return None if found is None else Member(Player(*found[:4]), found[4])


async def player_by_token(link: Link, digest: bytes) -> Player | None:
    return _player(
        await link.row(
            f"{_PLAYER} JOIN tokens ON tokens.player = players.id WHERE digest = $1", digest
        )
    )


async def balance(link: Link, player: int) -> int:
    found = await link.row("SELECT chips FROM balances WHERE player = $1", player)
    return 0 if found is None else int(found[0])


def _player(found: asyncpg.Record | None) -> Player | None:
    return None if found is None else Player(*found[:4])
