"""Queries of tables, journals and read models in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg
import msgspec

from gamehall.store.appends import Request, TableStatus
from gamehall.store.journals import Line, RoundSpan
from gamehall.store.lists import ROUND_BITS, HistoryItem, Standing, TableInfo
from gamehall.store.postgres.facts import decode_results
from gamehall.store.postgres.link import Connection, Link, key_bytes, key_text
from gamehall.store.postgres.nodes import LIVE

_INT_MAX = 2**63 - 1
_FORGET_ROWS = 5000
"""Journal rows deleted in one transaction."""

_TABLE = """SELECT id, game, status, round, round_seq, head, hash, names, count, private, rated,
    opened_at_ms, changed_at_ms FROM tables"""

_LINE = "SELECT seq, line, player, request, digest, by_round FROM journal"

_decode_names = msgspec.json.Decoder(tuple[str, ...]).decode


async def lines(link: Link, table: int, after: int, limit: int) -> list[Line]:
    rows = await link.rows(
        f"{_LINE} WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3", table, after, limit
    )
    return [_line(row) for row in rows]


async def lines_at(link: Link, table: int, seqs: Sequence[int]) -> list[Line]:
    rows = await link.rows(
        f"{_LINE} WHERE table_id = $1 AND seq = ANY($2::bigint[]) ORDER BY seq", table, list(seqs)
    )
    return [_line(row) for row in rows]


async def used_ids(link: Link, table: int, player: int, limit: int) -> list[str]:
    rows = await link.rows(
        """SELECT DISTINCT request FROM earlier_requests WHERE table_id = $1 AND player = $2
        LIMIT $3""",
        table,
        player,
        limit,
    )
    return [key_text(row[0]) for row in rows]


async def request(link: Link, table: int, player: int, id: str) -> Line | None:
    found = await link.row(
        f"""{_LINE} WHERE table_id = $1 AND seq = (SELECT max(seq) FROM earlier_requests
            WHERE table_id = $1 AND player = $2 AND request = $3)""",
        table,
        player,
        key_bytes(id),
    )
    return None if found is None else _line(found)


async def request_between(
    link: Link, table: int, player: int, id: str, first_seq: int, last_seq: int
) -> Line | None:
    found = await link.row(
        f"""{_LINE} WHERE table_id = $1 AND seq BETWEEN $2 AND $3 AND player = $4 AND request = $5
        ORDER BY seq DESC LIMIT 1""",
        table,
        first_seq,
        last_seq,
        player,
        key_bytes(id),
    )
    return None if found is None else _line(found)


def _line(row: asyncpg.Record) -> Line:
    seq, line, player, request, digest, by_round = row
    if player is None:
        return Line(seq, line, None)
    return Line(seq, line, Request(player, key_text(request), digest, by_round))


async def due(link: Link, limit: int, after: tuple[int, int], node: str) -> list[tuple[int, int]]:
    rows = await link.rows(
        f"""SELECT due_ms, id FROM tables WHERE status <> 'closed' AND (due_ms, id) > ($1, $2)
            AND ($4 = '' OR owner IS NULL OR owner = $4 OR owner <> ALL({LIVE}))
        ORDER BY due_ms, id LIMIT $3""",
        *after,
        limit,
        node,
    )
    return [(due_ms, id) for due_ms, id in rows]


async def table(link: Link, table: int) -> TableInfo | None:
    found = await link.row(f"{_TABLE} WHERE id = $1 AND head > 0", table)
    return None if found is None else _info(found)


async def table_by_origin(link: Link, origin: str) -> int | None:
    found = await link.row("SELECT id FROM tables WHERE origin = $1", key_bytes(origin))
    return None if found is None else int(found[0])


async def tables(
    link: Link,
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


async def round_span(link: Link, table: int, round: int) -> RoundSpan | None:
    found = await link.row(
        "SELECT first_seq, last_seq, hash FROM rounds WHERE table_id = $1 AND round = $2",
        table,
        round,
    )
    return None if found is None else RoundSpan(*found)


async def past_tables(link: Link, before_ms: int, limit: int) -> list[int]:
    """Unrated tables that were closed before then."""
    rows = await link.rows(
        """SELECT id FROM tables WHERE closed_at_ms < $1 AND NOT rated
        ORDER BY closed_at_ms LIMIT $2""",
        before_ms,
        limit,
    )
    return [row[0] for row in rows]


async def history(
    link: Link, game: str | None, player: int | None, before: int | None, limit: int
) -> list[HistoryItem]:
    place = _INT_MAX if before is None else before
    values: list[Any] = [place >> ROUND_BITS, place & (1 << ROUND_BITS) - 1, limit]
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
        HistoryItem(**(dict(row) | {"results": decode_results(row["results"])})) for row in rows
    ]


async def standings(link: Link, game: str | None, limit: int) -> list[Standing]:
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


# Changes of a whole table


async def forget_part(connection: Connection, table: int) -> bool:
    """Deletes a part of a table; true while there is more. Nothing lists it after the first."""
    # Nobody can take it for a table whose last rows are missing.
    await connection.execute("UPDATE tables SET head = 0, hash = '' WHERE id = $1", table)
    for name in ("rounds", "played", "seated", "requests"):
        await connection.execute(f"DELETE FROM {name} WHERE table_id = $1", table)
    done = await connection.execute(
        """DELETE FROM journal WHERE table_id = $1 AND seq IN
        (SELECT seq FROM journal WHERE table_id = $1 ORDER BY seq DESC LIMIT $2)""",
        table,
        _FORGET_ROWS,
    )
    if done == f"DELETE {_FORGET_ROWS}":
        return True
    await connection.execute("DELETE FROM tables WHERE id = $1", table)
    return False


def _info(row: asyncpg.Record) -> TableInfo:
    return TableInfo(**(dict(row) | {"names": _decode_names(row["names"])}))
