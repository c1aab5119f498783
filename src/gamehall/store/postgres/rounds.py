"""Rounds that an append finished, with what lists and ratings read of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from gamehall.store.appends import FinishedRound
from gamehall.store.postgres.link import Connection

_ROUNDS = """INSERT INTO rounds (table_id, round, game, private, rated, first_seq, last_seq, hash,
        ended_at_ms, reason, results, voided)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[], $5::boolean[],
        $6::bigint[], $7::bigint[], $8::text[], $9::bigint[], $10::text[], $11::text[],
        $12::boolean[])"""
_PLAYED = """INSERT INTO played SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
    ON CONFLICT DO NOTHING"""
_STANDINGS = """INSERT INTO standings
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[],
        $6::bigint[])
    ON CONFLICT (player, game) DO UPDATE SET played = standings.played + excluded.played,
        won = standings.won + excluded.won, drawn = standings.drawn + excluded.drawn,
        lost = standings.lost + excluded.lost"""
# The counter's row stays locked until the commit: so no round becomes visible after one with
# a higher number, and ratings that have counted up to a number have missed none below it.
_RATED = """WITH counted AS (
        UPDATE counters SET value = value + cardinality($1::bigint[]) WHERE name = 'rated_rounds'
        RETURNING value - cardinality($1::bigint[]) AS before)
    INSERT INTO rated_rounds (id, table_id, round)
    SELECT before + place, table_id, round
    FROM counted, unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY
        AS ended (table_id, round, place)"""


class WrittenRound(NamedTuple):
    finished: FinishedRound
    table: int
    game: str
    private: bool
    rated: bool


def columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Rows as `unnest` takes them; there is at least one."""
    return [list(column) for column in zip(*rows, strict=True)]


async def write_rounds(connection: Connection, rounds: Sequence[WrittenRound]) -> None:
    """At least one."""
    rows = []
    for ended, table, game, private, rated in rounds:
        results = msgspec.json.encode(ended.results).decode()
        where = (ended.first_seq, ended.last_seq, ended.hash)
        how = (ended.ended_at_ms, ended.reason, results, ended.voided)
        rows.append((table, ended.round, game, private, rated, *where, *how))
    await connection.execute(_ROUNDS, *columns(rows))
    played = [
        (seat.player, of.table, of.finished.round) for of in rounds for seat in of.finished.results
    ]
    if not played:
        return
    await connection.execute(_PLAYED, *columns(played))
    await connection.execute(_STANDINGS, *columns(_standings(rounds)))
    to_rate = [(of.table, of.finished.round) for of in rounds if of.rated and of.finished.results]
    if to_rate:
        await connection.execute(_RATED, *columns(to_rate))


def _standings(rounds: Sequence[WrittenRound]) -> list[tuple[int, str, int, int, int, int]]:
    """One row for each player and game, in the order in which all nodes lock them."""
    counts = Counter(
        (seat.player, of.game, seat.result) for of in rounds for seat in of.finished.results
    )
    standings = []
    for player, game in sorted({(player, game) for player, game, _ in counts}):
        won, drawn, lost = (counts[player, game, end] for end in ("win", "draw", "loss"))
        standings.append((player, game, won + drawn + lost, won, drawn, lost))
    return standings
