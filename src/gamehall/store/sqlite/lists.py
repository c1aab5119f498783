"""Lists of tables, finished rounds, standings and ratings, out of the SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from gamehall.store.appends import TableStatus
from gamehall.store.lists import (
    HistoryItem,
    RatedRound,
    Rating,
    Standing,
    TableInfo,
    round_at,
)
from gamehall.store.sqlite.queries import Reading, json_list, one, page

_TABLE = """json_object('id', id, 'game', game, 'status', status, 'round', round,
    'round_seq', round_seq, 'head', head,
    'hash', hash, 'names', json(names), 'count', count, 'private', private, 'rated', rated,
    'opened_at_ms', opened_at_ms, 'changed_at_ms', changed_at_ms)"""
_ROUND = """json_object('table', table_id, 'game', game, 'round', round, 'first_seq', first_seq,
    'last_seq', last_seq, 'hash', hash, 'ended_at_ms', ended_at_ms, 'reason', reason,
    'rated', rated, 'results', json(results))"""
_RATING = """json_object('player', player, 'name', name, 'game', game, 'bot', bot, 'mu', mu,
    'sigma', sigma, 'rounds', ratings.rounds)"""

_decode_pairs = msgspec.json.Decoder(list[tuple[int, int]]).decode
_decode_ids = msgspec.json.Decoder(list[int]).decode
# Not strict, because SQLite has no truth values: 0 and 1 stand for them.
_decode_table = msgspec.json.Decoder(TableInfo, strict=False).decode
_decode_tables = msgspec.json.Decoder(list[TableInfo], strict=False).decode
_decode_history = msgspec.json.Decoder(list[HistoryItem], strict=False).decode
_decode_standings = msgspec.json.Decoder(list[Standing]).decode
_decode_rounds = msgspec.json.Decoder(list[RatedRound]).decode
_decode_ratings = msgspec.json.Decoder(list[Rating], strict=False).decode


def table(connection: sqlite3.Connection, table: int) -> TableInfo | None:
    found = one(connection, f"SELECT {_TABLE} FROM tables WHERE id = ? AND head > 0", table)
    return None if found is None else _decode_table(found)


def table_by_origin(reading: Reading, origin: str) -> int | None:
    found: int | None = one(reading, "SELECT id FROM tables WHERE origin = ?", origin)
    return found


def tables(
    connection: sqlite3.Connection,
    *,
    game: str | None,
    status: TableStatus | None,
    private: bool,
    after: int,
    limit: int,
) -> list[TableInfo]:
    if status == "closed":
        source, where = "tables", "status = 'closed'"
    else:
        source, where = "tables INDEXED BY tables_open", "status <> 'closed'"
    filters: list[Any] = []
    if status is not None and status != "closed":
        where += " AND status = ?"
        filters.append(status)
    if game is not None:
        where += " AND game = ?"
        filters.append(game)
    if not private:
        where += " AND private = 0"
    return page(
        connection,
        _decode_tables,
        f"""SELECT json_group_array({_TABLE}) FROM (
            SELECT * FROM {source} WHERE id > ? AND {where} ORDER BY id LIMIT ?)""",
        after,
        *filters,
        limit,
    )


def tables_of(connection: sqlite3.Connection, player: int) -> list[int]:
    return page(
        connection,
        _decode_ids,
        """SELECT json_group_array(table_id) FROM (
            SELECT table_id FROM seated WHERE player = ? ORDER BY table_id LIMIT 10000)""",
        player,
    )


def seats_of(connection: sqlite3.Connection, players: Sequence[int]) -> list[tuple[int, int]]:
    return page(
        connection,
        _decode_pairs,
        """SELECT json_group_array(json_array(player, table_id)) FROM (
            SELECT player, table_id FROM seated
            WHERE player IN (SELECT value FROM json_each(?)) ORDER BY player, table_id)""",
        json_list(players),
    )


def history(
    connection: sqlite3.Connection,
    *,
    game: str | None,
    player: int | None,
    before: int | None,
    limit: int,
) -> list[HistoryItem]:
    where = "private = 0 AND voided = 0 AND (table_id, round) < (?, ?)"
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
    return page(
        connection,
        _decode_history,
        f"""SELECT json_group_array({_ROUND}) FROM (SELECT rounds.* FROM {source}
            WHERE {where} ORDER BY {order}.table_id DESC, {order}.round DESC LIMIT ?)""",
        *round_at(before),
        *filters,
        limit,
    )


def standings(connection: sqlite3.Connection, *, game: str | None, limit: int) -> list[Standing]:
    return page(
        connection,
        _decode_standings,
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


# Ratings


def unrated_rounds(connection: sqlite3.Connection, limit: int) -> list[RatedRound]:
    return page(
        connection,
        _decode_rounds,
        """SELECT json_group_array(json_object('id', id, 'game', game, 'results', json(results)))
        FROM (SELECT rated_rounds.id, rounds.game, rounds.results FROM rated_rounds
            JOIN rounds USING (table_id, round)
            WHERE rated_rounds.id > (SELECT value FROM counters WHERE name = 'rated')
            ORDER BY rated_rounds.id LIMIT ?)""",
        limit,
    )


def put_ratings(cursor: sqlite3.Cursor, first: int, upto: int, ratings: Sequence[Rating]) -> None:
    cursor.execute(
        "UPDATE counters SET value = ? WHERE name = 'rated' AND value < ?", (upto, first)
    )
    if cursor.rowcount == 0:
        return  # Written before.
    cursor.executemany(
        "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)",
        [(r.player, r.game, r.bot, r.mu, r.sigma, r.rounds) for r in ratings],
    )


def ratings_of(connection: sqlite3.Connection, game: str, players: Sequence[int]) -> list[Rating]:
    return page(
        connection,
        _decode_ratings,
        f"""SELECT json_group_array({_RATING}) FROM ratings JOIN players ON id = player
        WHERE game = ? AND player IN (SELECT value FROM json_each(?))""",
        game,
        json_list(players),
    )


def best_rated(
    connection: sqlite3.Connection, game: str, *, bots: bool, limit: int
) -> list[Rating]:
    return page(
        connection,
        _decode_ratings,
        f"""SELECT json_group_array({_RATING}) FROM (
            SELECT * FROM ratings WHERE game = ? AND bot = ?
            ORDER BY mu - 3 * sigma DESC, player LIMIT ?) AS ratings
        JOIN players ON id = player""",
        game,
        bots,
        limit,
    )
