"""Queries of tables, journals and read models. Each is one statement that returns one row."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from gamehall.store.appends import Request, TableStatus
from gamehall.store.journals import Line, RoundSpan
from gamehall.store.lists import ROUND_BITS, HistoryItem, Standing, TableInfo
from gamehall.store.nodes import Head

T = TypeVar("T")

_INT_MAX = 2**63 - 1

_TABLE = """json_object('id', id, 'game', game, 'status', status, 'round', round,
    'round_seq', round_seq, 'head', head,
    'hash', hash, 'names', json(names), 'count', count, 'private', private, 'rated', rated,
    'opened_at_ms', opened_at_ms, 'changed_at_ms', changed_at_ms)"""
_ROUND = """json_object('table', table_id, 'game', game, 'round', round, 'first_seq', first_seq,
    'last_seq', last_seq, 'hash', hash, 'ended_at_ms', ended_at_ms, 'reason', reason,
    'rated', rated, 'results', json(results))"""

_decode_lines = msgspec.json.Decoder(list[tuple[int, str, int | None, str | None, str, int]]).decode
_decode_texts = msgspec.json.Decoder(list[str]).decode
_decode_pairs = msgspec.json.Decoder(list[tuple[int, int]]).decode
_decode_heads = msgspec.json.Decoder(list[tuple[int, int, int]]).decode
_decode_ids = msgspec.json.Decoder(list[int]).decode
# Not strict, because SQLite has no truth values: 0 and 1 stand for them.
_decode_table = msgspec.json.Decoder(TableInfo, strict=False).decode
_decode_tables = msgspec.json.Decoder(list[TableInfo], strict=False).decode
_decode_span = msgspec.json.Decoder(RoundSpan).decode
_decode_history = msgspec.json.Decoder(list[HistoryItem], strict=False).decode
_decode_standings = msgspec.json.Decoder(list[Standing]).decode


def lines(connection: sqlite3.Connection, table: int, after: int, limit: int) -> list[Line]:
    return _lines(
        connection, "table_id = ? AND seq > ? ORDER BY seq LIMIT ?", (table, after, limit)
    )


def lines_at(connection: sqlite3.Connection, table: int, seqs: Sequence[int]) -> list[Line]:
    named = msgspec.json.encode(seqs).decode()
    return _lines(
        connection,
        "table_id = ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
        (table, named),
    )


def used_ids(connection: sqlite3.Connection, table: int, player: int, limit: int) -> list[str]:
    return _decode_texts(
        _one(
            connection,
            """SELECT json_group_array(request) FROM (
                SELECT DISTINCT request FROM requests WHERE table_id = ? AND player = ? LIMIT ?)""",
            table,
            player,
            limit,
        )
    )


def request(connection: sqlite3.Connection, table: int, player: int, id: str) -> Line | None:
    latest = """table_id = ?1 AND seq = (
        SELECT max(seq) FROM requests WHERE table_id = ?1 AND player = ?2 AND request = ?3)"""
    return next(iter(_lines(connection, latest, (table, player, id))), None)


def request_between(
    connection: sqlite3.Connection, table: int, player: int, id: str, first_seq: int, last_seq: int
) -> Line | None:
    latest = """table_id = ? AND seq BETWEEN ? AND ? AND player = ? AND request = ?
        ORDER BY seq DESC LIMIT 1"""
    found = _lines(connection, latest, (table, first_seq, last_seq, player, id))
    return next(iter(found), None)


def _lines(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[Line]:
    rows = _decode_lines(
        _one(
            connection,
            f"""SELECT json_group_array(
                json_array(seq, hex(line), player, request, hex(digest), by_round))
            FROM (SELECT * FROM journal WHERE {where})""",
            *values,
        )
    )
    return [
        Line(
            seq,
            bytes.fromhex(line),
            None
            if player is None or request is None
            else Request(player, request, bytes.fromhex(digest), bool(by_round)),
        )
        for seq, line, player, request, digest, by_round in rows
    ]


def due(
    connection: sqlite3.Connection, limit: int, after: tuple[int, int]
) -> list[tuple[int, int]]:
    return _decode_pairs(
        _one(
            connection,
            """SELECT json_group_array(json_array(due_ms, id)) FROM (
                SELECT due_ms, id FROM tables INDEXED BY tables_open
                WHERE status <> 'closed' AND (due_ms, id) > (?, ?)
                ORDER BY due_ms, id LIMIT ?)""",
            *after,
            limit,
        )
    )


def table(connection: sqlite3.Connection, table: int) -> TableInfo | None:
    found = _one(connection, f"SELECT {_TABLE} FROM tables WHERE id = ? AND head > 0", table)
    return None if found is None else _decode_table(found)


def table_by_origin(connection: sqlite3.Connection, origin: str) -> int | None:
    found: int | None = _one(connection, "SELECT id FROM tables WHERE origin = ?", origin)
    return found


def tables(
    connection: sqlite3.Connection,
    game: str | None,
    status: TableStatus | None,
    private: bool,
    after: int,
    limit: int,
) -> list[TableInfo]:
    if status == "closed":
        source, where, values = "tables", "status = 'closed'", [after]
    else:
        source, where, values = "tables INDEXED BY tables_open", "status <> 'closed'", [after]
    filters: list[Any] = []
    if status is not None and status != "closed":
        where += " AND status = ?"
        filters.append(status)
    if game is not None:
        where += " AND game = ?"
        filters.append(game)
    if not private:
        where += " AND private = 0"
    return _decode_tables(
        _one(
            connection,
            f"""SELECT json_group_array({_TABLE}) FROM (
                SELECT * FROM {source} WHERE id > ? AND {where} ORDER BY id LIMIT ?)""",
            *values,
            *filters,
            limit,
        )
    )


def tables_of(connection: sqlite3.Connection, player: int) -> list[int]:
    return _decode_ids(
        _one(
            connection,
            """SELECT json_group_array(table_id) FROM (
                SELECT table_id FROM seated WHERE player = ? ORDER BY table_id LIMIT 10000)""",
            player,
        )
    )


def seats_of(connection: sqlite3.Connection, players: Sequence[int]) -> list[tuple[int, int]]:
    return _decode_pairs(
        _one(
            connection,
            """SELECT json_group_array(json_array(player, table_id)) FROM (
                SELECT player, table_id FROM seated
                WHERE player IN (SELECT value FROM json_each(?)) ORDER BY player, table_id)""",
            msgspec.json.encode([*players]).decode(),
        )
    )


def heads(connection: sqlite3.Connection, tables: Sequence[int]) -> list[Head]:
    rows = _decode_heads(
        _one(
            connection,
            """SELECT json_group_array(json_array(id, head, epoch)) FROM (
                SELECT id, head, epoch FROM tables
                WHERE id IN (SELECT value FROM json_each(?)) AND head > 0 ORDER BY id)""",
            msgspec.json.encode([*tables]).decode(),
        )
    )
    return [Head(*row, "") for row in rows]


def round_span(connection: sqlite3.Connection, table: int, round: int) -> RoundSpan | None:
    found = _one(
        connection,
        """SELECT json_object('first_seq', first_seq, 'last_seq', last_seq, 'hash', hash)
        FROM rounds WHERE table_id = ? AND round = ?""",
        table,
        round,
    )
    return None if found is None else _decode_span(found)


def past_tables(connection: sqlite3.Connection, before_ms: int, limit: int) -> list[int]:
    """Unrated tables that were closed before then."""
    return _decode_ids(
        _one(
            connection,
            """SELECT json_group_array(id) FROM (
                SELECT id FROM tables INDEXED BY tables_past
                WHERE status = 'closed' AND rated = 0 AND changed_at_ms < ?
                ORDER BY changed_at_ms LIMIT ?)""",
            before_ms,
            limit,
        )
    )


def history(
    connection: sqlite3.Connection,
    game: str | None,
    player: int | None,
    before: int | None,
    limit: int,
) -> list[HistoryItem]:
    place = _INT_MAX if before is None else before
    where = "private = 0 AND voided = 0 AND (table_id, round) < (?, ?)"
    values = [place >> ROUND_BITS, place & (1 << ROUND_BITS) - 1]
    source, order, filters = "rounds", "rounds", list[Any]()
    if player is not None:
        # Named, because SQLite sorts all of a player's rounds if it orders by the joined columns.
        order = "played"
        source = "played CROSS JOIN rounds USING (table_id, round)"
        where += " AND player = ?"
        filters.append(player)
    if game is not None:
        where += " AND game = ?"
        filters.append(game)
    return _decode_history(
        _one(
            connection,
            f"""SELECT json_group_array({_ROUND}) FROM (SELECT rounds.* FROM {source}
                WHERE {where} ORDER BY {order}.table_id DESC, {order}.round DESC LIMIT ?)""",
            *values,
            *filters,
            limit,
        )
    )


def standings(connection: sqlite3.Connection, game: str | None, limit: int) -> list[Standing]:
    return _decode_standings(
        _one(
            connection,
            f"""SELECT json_group_array(json_object('player', id, 'name', name, 'played', played,
                'won', won, 'drawn', drawn, 'lost', lost)) FROM (
                SELECT id, name, sum(played) AS played, sum(won) AS won, sum(drawn) AS drawn,
                    sum(lost) AS lost
                FROM standings JOIN players ON players.id = standings.player
                WHERE kind <> 'bot' {"" if game is None else "AND game = ?"}
                GROUP BY id ORDER BY won DESC, lost, id LIMIT ?)""",
            *(() if game is None else (game,)),
            limit,
        )
    )


def counter(reading: sqlite3.Connection | sqlite3.Cursor, name: str) -> int:
    return int(_one(reading, "SELECT value FROM counters WHERE name = ?", name))


def _one(reading: sqlite3.Connection | sqlite3.Cursor, query: str, *values: Any) -> Any:
    """The first column of the one row; None if there is none."""
    found = reading.execute(query, values).fetchone()
    return None if found is None else found[0]
