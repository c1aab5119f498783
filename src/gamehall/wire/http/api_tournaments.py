"""Tournaments and ratings over HTTP: everyone may look, the operator opens and begins them."""

from __future__ import annotations

from aiohttp import web

from gamehall.errors import (
    BadOptions,
    BadRequest,
    NoSuchBot,
    NoSuchGame,
    NoSuchTournament,
    NotOperator,
    RoundOver,
    TableClosed,
    TooLarge,
    Unavailable,
)
from gamehall.hall.tournaments.events import TournamentBegun
from gamehall.wire.http.api import HALL, Route
from gamehall.wire.http.api_messages import NoParams
from gamehall.wire.native import tournament_messages as t


async def listed(request: web.Request, params: t.ListTournaments) -> t.TournamentList:
    page = await request.app[HALL].tournaments.page(params.status, params.after, params.limit)
    return t.TournamentList(page, page[-1].id if len(page) == params.limit else None)


async def shown(request: web.Request, params: t.TournamentParams) -> t.TournamentShown:
    found = await request.app[HALL].tournaments.shown(params.id)
    return t.TournamentShown(found.id, found.names, found.tables, found.view)


async def make(request: web.Request, _: NoParams, asked: t.MakeTournament) -> t.TournamentId:
    tournaments = request.app[HALL].tournaments
    # Before it is open, so that none stays behind without its bots.
    tournaments.check_bots(asked.game, asked.bots)
    if len(asked.bots) > asked.players_most:
        raise BadOptions(f"{len(asked.bots)} bots are more than may enter.")
    id = await tournaments.open(asked.options())
    await tournaments.enter_bots(id, asked.bots)
    return t.TournamentId(id)


async def begin(request: web.Request, params: t.TournamentParams) -> t.TournamentId:
    await request.app[HALL].tournaments.begin(params.id, None)
    return t.TournamentId(params.id)


async def ratings(request: web.Request, params: t.ReadRatings) -> t.RatingList:
    hall = request.app[HALL]
    game = hall.game_named(params.game).name
    return t.RatingList(await hall.reading.best_rated(game, bots=params.bots, limit=params.limit))


TOURNAMENT_ROUTES = (
    Route(
        "listTournaments",
        "/api/tournaments",
        "Tournaments by id; without a status, those that are not closed",
        listed,
        t.ListTournaments,
        t.TournamentList,
        (BadRequest, Unavailable),
    ),
    Route(
        "getTournament",
        "/api/tournaments/{id}",
        "How a tournament stands. Its journal is that of the table of the same number",
        shown,
        t.TournamentParams,
        t.TournamentShown,
        (BadRequest, NoSuchTournament, Unavailable),
    ),
    Route(
        "openTournament",
        "/api/tournaments",
        "Opens a tournament, and enters bots of the house",
        make,
        answer=t.TournamentId,
        refusals=(
            BadRequest, NotOperator, BadOptions, NoSuchGame, NoSuchBot, TournamentBegun, RoundOver,
            TooLarge, Unavailable,
        ),
        method="POST",
        body=t.MakeTournament,
    ),
    Route(
        "beginTournament",
        "/api/tournaments/{id}/begin",
        "Begins a tournament: nobody can enter it any more",
        begin,
        t.TournamentParams,
        t.TournamentId,
        (
            BadRequest, NotOperator, NoSuchTournament, TournamentBegun, RoundOver, TableClosed,
            TooLarge, Unavailable,
        ),
        method="POST",
    ),
    Route(
        "getRatings",
        "/api/ratings",
        "How strong players, or bots, probably are at a game",
        ratings,
        t.ReadRatings,
        t.RatingList,
        (BadRequest, NoSuchGame, Unavailable),
    ),
)  # fmt: skip
