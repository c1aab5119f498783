"""Tournaments and ratings over HTTP: everyone may look, the operator opens and begins them."""

from __future__ import annotations

from gamehall.errors import (
    BadOptions,
    NoSuchBot,
    NoSuchGame,
    NoSuchTournament,
    RoundOver,
    TableClosed,
    TooLarge,
    Unavailable,
)
from gamehall.hall.hall import Hall
from gamehall.hall.tournaments.events import TournamentBegun
from gamehall.wire.http.api_messages import ById
from gamehall.wire.http.route import NoParams, Route
from gamehall.wire.native import tournament_messages as t
from gamehall.wire.native.tournaments import list_tournaments, ratings


async def shown(hall: Hall, params: ById) -> t.TournamentShown:
    return t.TournamentShown.of(await hall.tournaments.shown(params.id))


async def make(hall: Hall, _: NoParams, asked: t.MakeTournament) -> t.TournamentId:
    tournaments = hall.tournaments
    # Before it is open, so that none stays behind without its bots.
    tournaments.check_bots(asked.game, asked.bots)
    if len(asked.bots) > asked.players_most:
        raise BadOptions(f"{len(asked.bots)} bots are more than may enter.")
    id = await tournaments.open(asked.options())
    await tournaments.enter_bots(id, asked.bots)
    return t.TournamentId(id)


async def begin(hall: Hall, params: ById) -> t.TournamentId:
    await hall.tournaments.begin(params.id, None)
    return t.TournamentId(params.id)


TOURNAMENT_ROUTES = (
    Route(
        "listTournaments",
        "/api/tournaments",
        "Tournaments by id; without a status, those that are not closed",
        list_tournaments,
        (Unavailable,),
    ),
    Route(
        "getTournament",
        "/api/tournaments/{id}",
        "How a tournament stands. Its journal is that of the table of the same number",
        shown,
        (NoSuchTournament, Unavailable),
    ),
    Route(
        "openTournament",
        "/api/tournaments",
        "Opens a tournament, and enters bots of the house",
        make,
        (BadOptions, NoSuchGame, NoSuchBot, TournamentBegun, RoundOver, Unavailable),
        method="POST",
        operator=True,
    ),
    Route(
        "beginTournament",
        "/api/tournaments/{id}/begin",
        "Begins a tournament: nobody can enter it any more",
        begin,
        (NoSuchTournament, TournamentBegun, RoundOver, TableClosed, TooLarge, Unavailable),
        method="POST",
        operator=True,
    ),
    Route(
        "getRatings",
        "/api/ratings",
        "How strong players, or bots, probably are at a game",
        ratings,
        (NoSuchGame, Unavailable),
    ),
)
