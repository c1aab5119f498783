"""The chips that change hands, in PostgreSQL.

A transfer names the one before it of each player it concerns, and a balance names the player's last
one: a statement is read from there, link by link, as in SQLite.

Balances are locked by all who change them, in the order of the players' numbers; only then are
transfers numbered, so that a player's later transfer has the higher number on every node.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gamehall.errors import NoSuchPlayer
from gamehall.store.appends import Append
from gamehall.store.people import StatementItem
from gamehall.store.postgres.link import Connection, Link
from gamehall.store.purses import Purses, account_of

_HELD = """SELECT player, chips, last FROM balances WHERE player = ANY($1::bigint[])
    ORDER BY player FOR UPDATE"""
_IDS = "SELECT nextval('transfer_ids') FROM generate_series(1, $1)"
_TRANSFERS = """INSERT INTO transfers
    (id, table_id, seq, n, source, target, chips, at_ms, source_before, target_before)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
        $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])"""
_BALANCES = """INSERT INTO balances (player, chips, last)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
    ON CONFLICT (player) DO UPDATE SET chips = excluded.chips, last = excluded.last"""
_MINTED = """INSERT INTO transfers
    (id, table_id, seq, n, source, target, chips, at_ms, target_before)
    SELECT nextval('transfer_ids'), 0, player, (
        SELECT coalesce(max(n) + 1, 0) FROM transfers WHERE table_id = 0 AND seq = player
    ), 'mint', $2, $3, $4, last FROM balances WHERE player = $1 RETURNING id"""
_STATEMENT = """WITH RECURSIVE listed (id, "table", seq, n, chips, other, at_ms, before) AS (
        SELECT NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
            NULL::text COLLATE "C", NULL::bigint, CASE WHEN $3::bigint IS NULL
            THEN (SELECT last FROM balances WHERE player = $2)
            ELSE (SELECT CASE WHEN source = $1 THEN source_before ELSE target_before END
                FROM transfers WHERE id = $3 AND $1 IN (source, target)) END
        UNION ALL
        SELECT of.id, of.table_id, of.seq, of.n,
            CASE WHEN source = $1 THEN -of.chips ELSE of.chips END,
            CASE WHEN source = $1 THEN target ELSE source END, of.at_ms,
            CASE WHEN source = $1 THEN source_before ELSE target_before END
        FROM listed JOIN transfers AS of ON of.id = listed.before)
    SELECT id, "table", seq, n, chips, other, at_ms FROM listed LIMIT $4"""


async def locked_purses(connection: Connection, appends: Sequence[Append]) -> Purses:
    """What each player has whom the appends concern, locked until they are committed."""
    purses = Purses(appends)
    held = await connection.fetch(_HELD, purses.players)
    purses.fill((player, chips, last) for player, chips, last in held)
    return purses


async def write_transfers(
    connection: Connection, appends: Sequence[Append], purses: Purses
) -> None:
    """Writes what the purses have moved for these."""
    moves = sum(len(row.transfers) for append in appends for row in append.rows)
    if not moves:
        return
    ids = [row[0] for row in await connection.fetch(_IDS, moves)]
    entries, held = purses.entries(appends, iter(ids))
    await connection.execute(_TRANSFERS, *columns(entries))
    if held:
        await connection.execute(_BALANCES, *columns(held))


def columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Rows as `unnest` takes them; there is at least one."""
    return [list(column) for column in zip(*rows, strict=True)]


async def mint(connection: Connection, player: int, chips: int, at_ms: int) -> None:
    """New chips for a player whose balance is locked. They have table 0, counted by player."""
    id = await connection.fetchval(_MINTED, player, account_of(player), chips, at_ms)
    await connection.execute(
        "UPDATE balances SET chips = chips + $2, last = $3 WHERE player = $1", player, chips, id
    )


async def refill(
    connection: Connection, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
) -> int | None:
    chips = await connection.fetchval(
        "SELECT chips FROM balances WHERE player = $1 FOR UPDATE", player
    )
    if chips is None:
        raise NoSuchPlayer
    if chips >= min(below, to):
        return None
    # The first gift is what everyone begins with.
    last_ms = await connection.fetchval(
        "SELECT max(at_ms) FROM transfers WHERE table_id = 0 AND seq = $1 AND n > 0", player
    )
    if last_ms is not None and at_ms < last_ms + every_ms:
        return None
    await mint(connection, player, to - chips, at_ms)
    return to


async def statement(
    link: Link, player: int, *, before: int | None, limit: int
) -> list[StatementItem]:
    # One more, since the first row is where the links begin.
    rows = await link.rows(_STATEMENT, account_of(player), player, before, limit + 1)
    return [StatementItem(*row) for row in rows[1:]]
