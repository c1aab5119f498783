"""Facts by their keys, and ratings, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gamehall.store.appends import SeatResult
from gamehall.store.facts import Fact
from gamehall.store.lists import RatedRound, Rating
from gamehall.store.postgres.ledger import columns
from gamehall.store.postgres.link import Connection, Link, key_bytes, key_text

_RATING = """SELECT player, name, game, bot, mu, sigma, rounds
    FROM ratings JOIN players ON id = player"""
_RATINGS = """INSERT INTO ratings SELECT * FROM unnest($1::bigint[], $2::text[], $3::boolean[],
        $4::double precision[], $5::double precision[], $6::bigint[])
    ON CONFLICT (player, game) DO UPDATE SET bot = excluded.bot, mu = excluded.mu,
        sigma = excluded.sigma, rounds = excluded.rounds"""

decode_results = msgspec.json.Decoder(tuple[SeatResult, ...]).decode


# Facts


async def fact(link: Link, key: str) -> bytes | None:
    found = await link.row("SELECT value FROM facts WHERE key = $1", key_bytes(key))
    return None if found is None else found[0]


async def facts(link: Link, prefix: str, after: str, limit: int) -> list[Fact]:
    found = await link.rows(
        # Text that begins with the prefix lies between it and it with the last of all characters.
        """SELECT key, value FROM facts WHERE key >= $1 AND key < $2 AND key > $3
        ORDER BY key LIMIT $4""",
        key_bytes(prefix),
        key_bytes(prefix + "\U0010ffff"),
        key_bytes(after),
        limit,
    )
    return [Fact(key_text(key), value) for key, value in found]


async def put_fact(connection: Connection, key: str, value: bytes, before: bytes | None) -> bool:
    at = key_bytes(key)
    if before is None:
        done = await connection.execute(
            "INSERT INTO facts VALUES ($1, $2) ON CONFLICT DO NOTHING", at, value
        )
    else:
        done = await connection.execute(
            "UPDATE facts SET value = $2 WHERE key = $1 AND value = $3", at, value, before
        )
    if done.endswith(" 1"):
        return True
    # Sent again, perhaps: then it is as the caller wants it.
    there = await connection.fetchval("SELECT value FROM facts WHERE key = $1", at)
    return bool(there == value)


# Ratings


async def unrated_rounds(link: Link, limit: int) -> list[RatedRound]:
    found = await link.rows(
        """SELECT rated_rounds.id, game, results
        FROM rated_rounds JOIN rounds USING (table_id, round)
        WHERE rated_rounds.id > (SELECT value FROM counters WHERE name = 'rated')
        ORDER BY rated_rounds.id LIMIT $1""",
        limit,
    )
    return [RatedRound(id, game, decode_results(results)) for id, game, results in found]


async def put_ratings(
    connection: Connection, first: int, upto: int, ratings: Sequence[Rating]
) -> None:
    counted = await connection.execute(
        "UPDATE counters SET value = $2 WHERE name = 'rated' AND value < $1", first, upto
    )
    if counted != "UPDATE 1" or not ratings:
        return  # Written before.
    rows = [(r.player, r.game, r.bot, r.mu, r.sigma, r.rounds) for r in ratings]
    await connection.execute(_RATINGS, *columns(sorted(rows)))


async def ratings_of(link: Link, game: str, players: Sequence[int]) -> list[Rating]:
    found = await link.rows(
        f"{_RATING} WHERE game = $1 AND player = ANY($2::bigint[])", game, list(players)
    )
    return [Rating(*row) for row in found]


async def best_rated(link: Link, game: str, bots: bool, limit: int) -> list[Rating]:
    found = await link.rows(
        f"{_RATING} WHERE game = $1 AND bot = $2 ORDER BY mu - 3 * sigma DESC, player LIMIT $3",
        game,
        bots,
        limit,
    )
    return [Rating(*row) for row in found]
