"""Tables' numbers and journals in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from gamehall.errors import Unavailable
from gamehall.store.appends import Request
from gamehall.store.journals import Line, RoundSpan
from gamehall.store.postgres.link import Connection, Link, key_bytes, key_text

_FORGET_ROWS = 5000
"""Journal rows deleted in one transaction."""

_LINE = "SELECT seq, line, player, request, digest, by_round FROM journal"


async def new_table(link: Link) -> int:
    found = await link.row("SELECT nextval('table_ids')")
    if found is None:
        raise Unavailable
    return int(found[0])


async def had_table(link: Link, table: int) -> bool:
    found = await link.row("SELECT $1 BETWEEN 1 AND last_value AND is_called FROM table_ids", table)
    return found is not None and bool(found[0])


async def read(link: Link, table: int, after: int, limit: int) -> list[Line]:
    rows = await link.rows(
        f"{_LINE} WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3", table, after, limit
    )
    return [_line(row) for row in rows]


async def read_at(link: Link, table: int, seqs: Sequence[int]) -> list[Line]:
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


async def round_span(link: Link, table: int, round: int) -> RoundSpan | None:
    found = await link.row(
        "SELECT first_seq, last_seq, hash FROM rounds WHERE table_id = $1 AND round = $2",
        table,
        round,
    )
    return None if found is None else RoundSpan(*found)


# Forgetting


async def past_tables(link: Link, before_ms: int, limit: int) -> list[int]:
    """Unrated tables that were closed before then."""
    rows = await link.rows(
        """SELECT id FROM tables WHERE closed_at_ms < $1 AND NOT rated
        ORDER BY closed_at_ms LIMIT $2""",
        before_ms,
        limit,
    )
    return [row[0] for row in rows]


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
