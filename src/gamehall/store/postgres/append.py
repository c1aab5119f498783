"""A group of appends, judged and written in one transaction, with a few statements for all.

A group has at most one append of each table. Its head and epoch are compared and set by the
statement that writes them, and only those that win have rows inserted: no refusal makes the
transaction fail, which would take the others with it. Rows are locked in one order: new tables,
tables by their numbers, balances by players, standings, and at last the count of rated rounds.
Transfers are numbered when balances are locked, so that a player's later transfer has the higher
number on every node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from gamehall.store.appends import (
    Answer,
    Append,
    Durable,
    FinishedRound,
    Overtaken,
    Request,
    Short,
)
from gamehall.store.postgres.link import Connection, key_bytes
from gamehall.store.purses import Purses

_LOCK = """SELECT id FROM tables JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[])
        AS mine (table_id, after, my_epoch) ON id = table_id
    WHERE head = after AND epoch = my_epoch ORDER BY id FOR UPDATE OF tables"""
_HEADS = """UPDATE tables SET head = mine.head, hash = mine.hash, due_ms = mine.due_ms,
        changed_at_ms = mine.at_ms, status = coalesce(mine.status, tables.status),
        round = coalesce(mine.round, tables.round),
        round_seq = coalesce(mine.round_seq, tables.round_seq),
        names = coalesce(mine.names, tables.names), count = coalesce(mine.count, tables.count),
        closed_at_ms = CASE WHEN mine.status = 'closed' THEN mine.at_ms END
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[],
        $7::bigint[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[])
        AS mine (id, after, epoch, head, hash, due_ms, at_ms, status, round, round_seq, names,
            count)
    WHERE tables.id = mine.id AND tables.head = mine.after AND tables.epoch = mine.epoch
    RETURNING tables.id, game, private, rated"""
_OPEN = """INSERT INTO tables (id, epoch, head, hash, due_ms, changed_at_ms, opened_at_ms, game,
        private, rated, origin, owner, status, round, round_seq, names, count, closed_at_ms)
    SELECT id, epoch, head, hash, due_ms, at_ms, at_ms, game, private, rated, origin,
        nullif(owner, ''), coalesce(status, 'waiting'), coalesce(round, 0), coalesce(round_seq, 1),
        coalesce(names, '[]'), coalesce(count, 0), CASE WHEN status = 'closed' THEN at_ms END
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[],
        $7::bigint[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[],
        $13::text[], $14::boolean[], $15::boolean[], $16::bytea[], $17::text[])
        AS mine (id, after, epoch, head, hash, due_ms, at_ms, status, round, round_seq, names,
            count, game, private, rated, origin, owner)
    WHERE after = 0
    ON CONFLICT DO NOTHING RETURNING id, game, private, rated"""
_LINES = """INSERT INTO journal (table_id, seq, line, beat_id, player, request, digest, by_round)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[],
        $6::bytea[], $7::bytea[], $8::boolean[])"""
_INDEX = """INSERT INTO requests SELECT table_id, player, request, seq
    FROM tables JOIN journal ON table_id = id AND seq >= indexed_seq AND seq < round_seq
    WHERE id = ANY($1::bigint[]) AND request IS NOT NULL AND NOT by_round"""
_INDEXED = """UPDATE tables SET indexed_seq = round_seq
    WHERE id = ANY($1::bigint[]) AND indexed_seq < round_seq"""
_WHY = """SELECT beat_id, tables.id
    FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) WITH ORDINALITY
        AS mine (table_id, first, origin, place)
    LEFT JOIN journal ON journal.table_id = mine.table_id AND seq = first
    LEFT JOIN tables ON tables.origin = mine.origin ORDER BY place"""
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
_UNSEAT_ALL = "DELETE FROM seated WHERE table_id = ANY($1::bigint[])"
_UNSEAT = """DELETE FROM seated USING unnest($1::bigint[], $2::bigint[]) AS went (table_id, player)
    WHERE seated.table_id = went.table_id AND seated.player = went.player"""
_SEAT = "INSERT INTO seated SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING"
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


async def write_group(connection: Connection, appends: Sequence[Append]) -> list[Answer]:
    """What the callers are told if the transaction, which is open, is committed."""
    openings = [one for one in appends if one.opening is not None]
    others = [one for one in appends if one.opening is None]
    kinds: dict[int, Any] = {}
    if openings:
        rows = [(*_head(one), *_kind(one)) for one in openings]
        kinds = {row[0]: row for row in await connection.fetch(_OPEN, *columns(rows))}
    purses: Purses | None = None
    short: dict[int, Short] = {}
    if any(row.transfers for one in appends for row in one.rows):
        fitting = kinds.keys() | await _locked(connection, others)
        payable = [one for one in appends if one.table in fitting]
        purses = Purses(payable)
        purses.fill(map(tuple, await connection.fetch(_HELD, purses.players)))
        taken = ((one.table, purses.take(one.rows)) for one in payable)
        short = {table: lacking for table, lacking in taken if lacking is not None}
        unpaid = [table for table in short if table in kinds]
        if unpaid:
            await connection.execute("DELETE FROM tables WHERE id = ANY($1::bigint[])", unpaid)
    rows = [_head(one) for one in sorted(others, key=attrgetter("table")) if one.table not in short]
    if rows:
        kinds |= {row[0]: row for row in await connection.fetch(_HEADS, *columns(rows))}
    winners = [one for one in appends if one.table in kinds and one.table not in short]
    if winners:
        await _write_winners(connection, winners, kinds, purses)
    refused = [one for one in appends if one.table not in kinds and one.table not in short]
    refusals = await _refusals(connection, refused) if refused else {}
    answers: dict[int, Answer] = {one.table: Durable() for one in winners}
    answers |= short | refusals
    return [answers[one.table] for one in appends]


def _head(append: Append) -> tuple[Any, ...]:
    head = append.after + len(append.rows)
    where = (append.table, append.after, append.epoch)
    what = (head, append.hash, append.due_ms, append.at_ms)
    summary = append.summary
    if summary is None:
        return (*where, *what, None, None, None, None, None)
    names = msgspec.json.encode(summary.names).decode()
    shown = (summary.status, summary.round, summary.round_seq, names, summary.count)
    return (*where, *what, *shown)


def _kind(append: Append) -> tuple[Any, ...]:
    opening = append.opening
    assert opening is not None
    return (opening.game, opening.private, opening.rated, _origin(append), opening.owner)


def _origin(append: Append) -> bytes | None:
    opening = append.opening
    return None if opening is None or opening.origin is None else key_bytes(opening.origin)


async def _locked(connection: Connection, appends: Sequence[Append]) -> set[int]:
    """The tables whose heads and epochs fit, and stay as they are."""
    if not appends:
        return set()
    mine = columns((one.table, one.after, one.epoch) for one in appends)
    return {row[0] for row in await connection.fetch(_LOCK, *mine)}


async def _write_winners(
    connection: Connection, winners: Sequence[Append], kinds: dict[int, Any], purses: Purses | None
) -> None:
    lines = [
        (one.table, seq, row.line, one.beat_id, *_request(row.request))
        for one in winners
        for seq, row in enumerate(one.rows, start=one.after + 1)
    ]
    await connection.execute(_LINES, *columns(lines))
    later = [one.table for one in winners if one.summary is not None and one.summary.round_seq > 1]
    if later:
        await connection.execute(_INDEX, later)
        await connection.execute(_INDEXED, later)
    await _write_seats(connection, winners)
    if purses is not None:
        await _write_transfers(connection, winners, purses)
    rounds = [
        WrittenRound(finished, *kinds[one.table]) for one in winners for finished in one.finished
    ]
    if rounds:
        await _write_rounds(connection, rounds)


async def _write_transfers(
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


def _request(request: Request | None) -> tuple[Any, ...]:
    if request is None:
        return (None, None, None, False)
    return (request.player, key_bytes(request.id), request.digest, request.by_round)


async def _write_seats(connection: Connection, appends: Sequence[Append]) -> None:
    summaries = [(one.table, one.summary) for one in appends if one.summary is not None]
    closed = [table for table, summary in summaries if summary.status == "closed"]
    open = [(table, summary) for table, summary in summaries if summary.status != "closed"]
    went = [(table, player) for table, summary in open for player in summary.went]
    came = [(table, player) for table, summary in open for player in summary.came]
    if closed:
        await connection.execute(_UNSEAT_ALL, closed)
    if went:
        await connection.execute(_UNSEAT, *columns(went))
    if came:
        await connection.execute(_SEAT, *columns(came))


async def _refusals(connection: Connection, appends: Sequence[Append]) -> dict[int, Answer]:
    """Durable if this very append lies there already; else someone else came first."""
    mine = columns((one.table, one.after + 1, _origin(one)) for one in appends)
    found = await connection.fetch(_WHY, *mine)
    return {
        one.table: Durable() if beat_id == one.beat_id else Overtaken(existing)
        for one, (beat_id, existing) in zip(appends, found, strict=True)
    }


# Rounds that an append finished, with what lists and ratings read of them


class WrittenRound(NamedTuple):
    finished: FinishedRound
    table: int
    game: str
    private: bool
    rated: bool


def columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Rows as `unnest` takes them; there is at least one."""
    return [list(column) for column in zip(*rows, strict=True)]


async def _write_rounds(connection: Connection, rounds: Sequence[WrittenRound]) -> None:
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
