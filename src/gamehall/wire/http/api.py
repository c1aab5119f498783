"""The HTTP API: what each path answers, to everyone and, with the token from the data folder, to
the operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
import structlog
from aiohttp import web

from gamehall.errors import (
    NoSuchGame,
    NoSuchPlayer,
    NoSuchRound,
    NoSuchTable,
    NotAnalysed,
    NotStarted,
    RoundOver,
    RoundRunning,
    TableClosed,
    Unavailable,
    WrongKey,
)
from gamehall.hall.hall import Hall
from gamehall.hall.records.analysis import Analysis
from gamehall.hall.records.reading import HistoryFilter, Journal, SeenRow
from gamehall.hall.records.replays import Replay
from gamehall.store.lists import TableInfo
from gamehall.table_log.journal import Row
from gamehall.table_log.log import Trailer
from gamehall.wire.http import api_messages as a
from gamehall.wire.http.route import HALL, Route
from gamehall.wire.native import messages as m
from gamehall.wire.native.actions import game_infos, table_list

T = TypeVar("T")
log = structlog.get_logger(__name__)

JSON_LINES = "application/x-ndjson"
NEXT = "X-Next"
"""The header of a journal's page that says what to ask for `after`; without it there is no more."""


async def games(hall: Hall, after: a.Place = 0, limit: m.Limit = 50) -> a.GamesPage:
    shown, next = page_of(game_infos(hall), after, limit)
    return a.GamesPage(tuple(shown), next)


async def tables(hall: Hall, payload: m.ListTables) -> m.TableList:
    game = _game_name(hall, payload.game)
    found = await hall.reading.tables(game, payload.status, payload.after, payload.limit)
    return table_list(hall, found, payload.limit)


async def table(hall: Hall, id: m.TableId, key: m.Key | None = None) -> TableInfo:
    return await hall.reading.table(id, key)


async def journal(
    request: web.Request,
    id: m.TableId,
    key: m.Key | None = None,
    after: m.After = 0,
    limit: a.JournalRows | None = None,
    round: m.Round | None = None,
) -> web.StreamResponse:
    """The journal as lines, without `limit` as a stream: however long, it is never held whole."""
    reading = request.app[HALL].reading
    rows_max = limit or a.JOURNAL_ROWS_MAX
    page = await reading.journal(id, key, after, rows_max, round)
    if limit is not None:
        headers = {} if page.next is None else {NEXT: str(page.next)}
        return web.Response(body=_lines(page), content_type=JSON_LINES, headers=headers)
    response = web.StreamResponse()
    response.content_type = JSON_LINES
    await response.prepare(request)
    if request.method == "HEAD":
        return response
    # A table that is played may grow faster than it is read: what comes later is not waited for.
    head = page.head
    whole = False
    try:
        while True:
            await response.write(_lines(page))
            if page.next is None or (page.next >= head and not page.finished):
                break
            page = await reading.journal(id, key, page.next, rows_max, round)
        whole = True
    finally:
        # The status is out already: only a torn connection says that this is not all.
        if not whole and request.transport is not None:
            request.transport.abort()
    return response


def _lines(page: Journal) -> bytes:
    lines = list(page.lines)
    if page.next is None and page.finished:
        lines.append(msgspec.json.encode(Trailer(page.head, page.hash)))
    return b"".join(line + b"\n" for line in lines)


async def player(
    hall: Hall, name: m.Name, after: m.After | None = None, limit: m.Limit = 50
) -> a.PlayerRecord:
    found = await hall.reading.player_named(name)
    if found is None:
        raise NoSuchPlayer
    rounds, next = await hall.reading.history(HistoryFilter(player=found.id), after, limit)
    return a.PlayerRecord(found.id, found.name, found.kind, rounds, next)


async def standings(
    hall: Hall, game: m.Name | None = None, after: a.Place = 0, limit: m.Limit = 50
) -> a.StandingsPage:
    # One more than is shown, to see whether there are more.
    first = await hall.reading.standings(game=_game_name(hall, game), limit=after + limit + 1)
    return a.StandingsPage(*page_of(first, after, limit))


async def history(
    hall: Hall,
    game: m.Name | None = None,
    player: a.PlayerId | None = None,
    result: m.Result | None = None,
    since_ms: m.TimeMs | None = None,
    until_ms: m.TimeMs | None = None,
    after: a.Before | None = None,
    limit: m.Limit = 50,
) -> m.HistoryList:
    wanted = HistoryFilter(_game_name(hall, game), player, result, since_ms, until_ms)
    return m.HistoryList(*await hall.reading.history(wanted, after, limit))


async def replay(
    hall: Hall,
    id: m.TableId,
    round: a.RoundNumber = 1,
    seat: a.Eyes | None = None,
    key: m.Key | None = None,
    after: m.After = 0,
    limit: m.Limit = 200,
) -> Replay:
    return await hall.replays.page(id, key, round, seat, after, limit)


async def analysis(
    hall: Hall, id: m.TableId, round: a.RoundNumber = 1, key: m.Key | None = None
) -> Analysis:
    return await hall.analyses.of(id, key, round)


# What only the operator may do and read


async def void(hall: Hall, id: m.TableId, asked: a.VoidRound) -> a.VoidedRound:
    table = await hall.reading.load(id)
    await hall.seating.void(id, asked.reason)
    # The next round opens after a pause at the earliest.
    round = table.state.opened.round
    log.info("round_voided", table=id, round=round)
    return a.VoidedRound(id, round)


async def reports(hall: Hall, after: a.Before | None = None, limit: m.Limit = 50) -> a.ReportsPage:
    found = await hall.reports.page(after, limit)
    return a.ReportsPage(found, found[-1].id if len(found) == limit else None)


def _game_name(hall: Hall, game: str | None) -> str | None:
    """The game's first name, whichever was given. Raises NoSuchGame."""
    return None if game is None else hall.reading.game_name(game)


def page_of(items: Sequence[T], after: int, limit: int) -> tuple[list[T], int | None]:
    """Those behind the first `after`, and where the next page begins, if there is one."""
    end = after + limit
    return list(items[after:end]), end if len(items) > end else None


ROUTES = (
    Route("listGames", "/api/games", "The games of this hall", games),
    Route(
        "listTables",
        "/api/tables",
        "Public tables by id; without a status, those that are not closed",
        tables,
        (NoSuchGame, Unavailable),
    ),
    Route("getTable", "/api/tables/{id}", "One table", table, (NoSuchTable, WrongKey, Unavailable)),
    Route(
        "getJournal",
        "/api/tables/{id}/journal",
        "A table's journal: its rows as they were hashed; of a round that is still played, what a"
        " spectator may see. Behind the last row of a finished one, and of a single round, stand"
        " head and hash",
        journal,
        (NoSuchTable, NoSuchRound, RoundRunning, WrongKey, Unavailable),
        media_type=JSON_LINES,
        lines=(Row, SeenRow, Trailer),
    ),
    Route(
        "getPlayer",
        "/api/players/{name}",
        "A player and its finished games",
        player,
        (NoSuchPlayer, Unavailable),
    ),
    Route(
        "getStandings",
        "/api/standings",
        "Who has won how often",
        standings,
        (NoSuchGame, Unavailable),
    ),
    Route(
        "getHistory",
        "/api/history",
        "Finished games of public tables, newest first",
        history,
        (NoSuchGame, Unavailable),
    ),
    Route(
        "getReplay",
        "/api/tables/{id}/replay",
        "A round that is over, step by step: what happened, and how the table stood then",
        replay,
        (NoSuchTable, NoSuchRound, NoSuchGame, RoundRunning, WrongKey, Unavailable),
    ),
    Route(
        "getAnalysis",
        "/api/tables/{id}/analysis",
        "What every move of a finished game of Connect Four was worth",
        analysis,
        (NoSuchTable, NoSuchRound, NotAnalysed, RoundRunning, WrongKey, Unavailable),
    ),
    Route(
        "voidRound",
        "/api/tables/{id}/void",
        "Calls the running round off: every stake goes back, and the secret is told",
        void,
        (NoSuchTable, RoundOver, NotStarted, TableClosed, Unavailable),
        method="POST",
        operator=True,
    ),
    Route(
        "listReports",
        "/api/reports",
        "What players have reported of others, the newest first",
        reports,
        (Unavailable,),
        operator=True,
    ),
)
