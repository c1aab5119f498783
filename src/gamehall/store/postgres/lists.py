"""Lists of tables, finished rounds, standings and ratings, out of PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg
import msgspec

from gamehall.store.appends import SeatResult, TableStatus
from gamehall.store.lists import HistoryItem, RatedRound, Rating, Standing, TableInfo, round_at
from gamehall.store.postgres.ledger import columns
from gamehall.store.postgres.link import Connection, Link, key_bytes

_TABLE = """SELECT id, game, status, round, round_seq, head, hash, names, count, private, rated,
    opened_at_ms, changed_at_ms FROM tables"""
_RATING = """SELECT player, name, game, bot, mu, sigma, rounds
    FROM ratings JOIN players ON id = player"""
_RATINGS = """INSERT INTO ratings SELECT * FROM unnest($1::bigint[], $2::text[], $3::boolean[],
        $4::double precision[], $5::double precision[], $6::bigint[])
    ON CONFLICT (player, game) DO UPDATE SET bot = excluded.bot, mu = excluded.mu,
        sigma = excluded.sigma, rounds = excluded.rounds"""

_decode_names = msgspec.json.Decoder(tuple[str, ...]).decode
_decode_results = msgspec.json.Decoder(tuple[SeatResult, ...]).decode


async def table(link: Link, table: int) -> TableInfo | None:
    found = await link.row(f"{_TABLE} WHERE id = $1 AND head > 0", table)
    return None if found is None else _info(found)


async def table_by_origin(link: Link, origin: str) -> int | None:
    found = await link.row("SELECT id FROM tables WHERE origin = $1", key_bytes(origin))
    return None if found is None else int(found[0])


async def tables(
    link: Link,
    *,
    game: str | None,
    status: TableStatus | None,
    private: bool,
    after: int,
    limit: int,
) -> list[TableInfo]:
    values: list[Any] = [after, limit]
    # In these words, so that the index of open tables serves.
    where = "status = 'closed'" if status == "closed" else "status <> 'closed'"
    if status is not None and status != "closed":
        values.append(status)
        where += f" AND status = ${len(values)}"
    if game is not None:
        values.append(game)
        where += f" AND game = ${len(values)}"
    if not private:
        where += " AND NOT private"
    rows = await link.rows(f"{_TABLE} WHERE id > $1 AND {where} ORDER BY id LIMIT $2", *values)
    return [_info(row) for row in rows]


def _info(row: asyncpg.Record) -> TableInfo:
    return TableInfo(**(dict(row) | {"names": _decode_names(row["names"])}))


async def tables_of(link: Link, player: int) -> list[int]:
    rows = await link.rows(
        "SELECT table_id FROM seated WHERE player = $1 ORDER BY table_id LIMIT 10000", player
    )
    return [row[0] for row in rows]


async def seats_of(link: Link, players: Sequence[int]) -> list[tuple[int, int]]:
    rows = await link.rows(
        """SELECT player, table_id FROM seated WHERE player = ANY($1::bigint[])
        ORDER BY player, table_id""",
        players,
    )
    return [(player, table) for player, table in rows]


async def history(
    link: Link, *, game: str | None, player: int | None, before: int | None, limit: int
) -> list[HistoryItem]:
    values: list[Any] = [*round_at(before), limit]
    source, of = "rounds", "rounds"
    where = "NOT private AND NOT voided"
    if player is not None:
        source, of = "played JOIN rounds USING (table_id, round)", "played"
        values.append(player)
        where += f" AND player = ${len(values)}"
    if game is not None:
        values.append(game)
        where += f" AND game = ${len(values)}"
    rows = await link.rows(
        f"""SELECT {of}.table_id AS table, game, {of}.round, first_seq, last_seq, hash, ended_at_ms,
            reason, rated, results
        FROM {source} WHERE {where} AND ({of}.table_id, {of}.round) < ($1, $2)
        ORDER BY {of}.table_id DESC, {of}.round DESC LIMIT $3""",
        *values,
    )
    return [
        HistoryItem(**(dict(row) | {"results": _decode_results(row["results"])})) for row in rows
    ]


async def standings(link: Link, *, game: str | None, limit: int) -> list[Standing]:
    rows = await link.rows(
        f"""SELECT id, name, sum(played)::bigint, sum(won)::bigint AS won, sum(drawn)::bigint,
            sum(lost)::bigint AS lost
        FROM standings JOIN players ON players.id = standings.player
        WHERE kind <> 'bot' {"" if game is None else "AND game = $2"}
        GROUP BY id ORDER BY won DESC, lost, id LIMIT $1""",
        limit,
        *(() if game is None else (game,)),
    )
    return [Standing(*row) for row in rows]


# Ratings


async def unrated_rounds(link: Link, limit: int) -> list[RatedRound]:
    found = await link.rows(
        """SELECT rated_rounds.id, game, results
        FROM rated_rounds JOIN rounds USING (table_id, round)
        WHERE rated_rounds.id > (SELECT value FROM counters WHERE name = 'rated')
        ORDER BY rated_rounds.id LIMIT $1""",
        limit,
    )
    return [RatedRound(id, game, _decode_results(results)) for id, game, results in found]


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


async def best_rated(link: Link, game: str, *, bots: bool, limit: int) -> list[Rating]:
    found = await link.rows(
        f"{_RATING} WHERE game = $1 AND bot = $2 ORDER BY mu - 3 * sigma DESC, player LIMIT $3",
        game,
        bots,
        limit,
    )
    return [Rating(*row) for row in found]
