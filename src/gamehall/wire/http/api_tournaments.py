"""Tournaments and ratings over HTTP: everyone may look; the operator opens and begins them, and
says which of other halls are followed."""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.errors import (
    BadOptions,
    HallUnreachable,
    NoSuchBot,
    NoSuchGame,
    NoSuchTournament,
    RoundOver,
    TableClosed,
    TooLarge,
    TooMany,
    Unavailable,
)
from gamehall.hall.hall import Hall
from gamehall.hall.tournaments.away import Followed
from gamehall.hall.tournaments.events import TournamentBegun
from gamehall.wire.http import api_messages as a
from gamehall.wire.http.other_halls import web_address
from gamehall.wire.http.route import Route
from gamehall.wire.native import tournament_messages as t
from gamehall.wire.native.messages import After, Limit, TableId
from gamehall.wire.native.tournaments import list_tournaments, ratings


async def shown(hall: Hall, id: TableId) -> t.TournamentShown:
    return t.TournamentShown.of(await hall.tournaments.shown(id))


async def make(hall: Hall, asked: t.MakeTournament) -> t.TournamentId:
    return t.TournamentId(await hall.tournaments.open_with_bots(asked.options(), asked.bots))


async def begin(hall: Hall, id: TableId) -> t.TournamentId:
    await hall.tournaments.begin(id, None)
    return t.TournamentId(id)


# Those that other halls hold


async def follow(hall: Hall, asked: a.FollowTournament) -> a.AwayId:
    url = web_address(asked.url)
    return a.AwayId(await hall.away.follow(url, asked.tournament))


async def list_away(hall: Hall, after: After = 0, limit: Limit = 50) -> a.AwayList:
    # One more than is shown, to see whether there are more.
    found = await hall.away.page(after, limit + 1)
    page = [a.AwayInfo(**_place(f), **msgspec.structs.asdict(f.brief)) for f in found]
    shown = page[:limit]
    return a.AwayList(shown, shown[-1].away if len(page) > limit else None)


async def show_away(hall: Hall, id: TableId) -> a.AwayShown:
    followed, found = await hall.away.shown(id)
    return a.AwayShown(**_place(followed), shown=t.TournamentShown.of(found))


async def forget(hall: Hall, id: TableId) -> a.AwayId:
    await hall.away.forget(id)
    return a.AwayId(id)


def _place(followed: Followed) -> dict[str, Any]:
    return {
        "away": followed.id,
        "url": followed.url,
        "tournament": followed.tournament,
        "seen_at_ms": followed.seen_at_ms,
        "reachable": followed.reachable,
    }


TOURNAMENT_ROUTES = (
    Route(
        "listAwayTournaments",
        "/api/tournaments/away",
        "Tournaments at other halls that this one follows, by number",
        list_away,
        (Unavailable,),
    ),
    Route(
        "followTournament",
        "/api/tournaments/away",
        "Follows a tournament at another hall; the same one again has the same number",
        follow,
        (NoSuchTournament, HallUnreachable, TooMany, Unavailable),
        method="POST",
        operator=True,
    ),
    Route(
        "getAwayTournament",
        "/api/tournaments/away/{id}",
        "How a tournament at another hall stands, as it was last heard",
        show_away,
        (NoSuchTournament, Unavailable),
    ),
    Route(
        "forgetAwayTournament",
        "/api/tournaments/away/{id}/forget",
        "Follows a tournament at another hall no longer",
        forget,
        (NoSuchTournament, Unavailable),
        method="POST",
        operator=True,
    ),
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
