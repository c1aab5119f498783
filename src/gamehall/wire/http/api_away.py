"""Tournaments of other halls over HTTP: everyone may look, the operator says which are followed."""

from __future__ import annotations

from typing import Any

import msgspec
from aiohttp import web

from gamehall.errors import (
    BadRequest,
    HallUnreachable,
    NoSuchTournament,
    NotOperator,
    TooLarge,
    TooMany,
    Unavailable,
)
from gamehall.hall.tournaments.away import Followed
from gamehall.wire.http import away_messages as m
from gamehall.wire.http.api import HALL, Route
from gamehall.wire.http.api_messages import NoParams
from gamehall.wire.http.other_halls import web_address
from gamehall.wire.native.tournament_messages import TournamentShown


async def follow(request: web.Request, _: NoParams, asked: m.FollowTournament) -> m.AwayId:
    url = web_address(asked.url)
    return m.AwayId(await request.app[HALL].away.follow(url, asked.tournament))


async def listed(request: web.Request, params: m.ListAway) -> m.AwayList:
    # One more than is shown, to see whether there are more.
    found = await request.app[HALL].away.page(params.after, params.limit + 1)
    page = [m.AwayInfo(**_place(f), **msgspec.structs.asdict(f.brief)) for f in found]
    shown = page[: params.limit]
    return m.AwayList(shown, shown[-1].away if len(page) > params.limit else None)


async def shown(request: web.Request, params: m.AwayParams) -> m.AwayShown:
    followed, found = await request.app[HALL].away.shown(params.id)
    stands = TournamentShown(found.id, found.names, found.tables, found.view)
    return m.AwayShown(**_place(followed), shown=stands)


async def forget(request: web.Request, params: m.AwayParams) -> m.AwayId:
    await request.app[HALL].away.forget(params.id)
    return m.AwayId(params.id)


def _place(followed: Followed) -> dict[str, Any]:
    return {
        "away": followed.id,
        "url": followed.url,
        "tournament": followed.tournament,
        "seen_at_ms": followed.seen_at_ms,
        "reachable": followed.reachable,
    }


AWAY_ROUTES = (
    Route(
        "listAwayTournaments",
        "/api/tournaments/away",
        "Tournaments at other halls that this one follows, by number",
        listed,
        m.ListAway,
        m.AwayList,
        (BadRequest, Unavailable),
    ),
    Route(
        "followTournament",
        "/api/tournaments/away",
        "Follows a tournament at another hall; the same one again has the same number",
        follow,
        answer=m.AwayId,
        refusals=(
            BadRequest, NotOperator, NoSuchTournament, HallUnreachable, TooMany, TooLarge,
            Unavailable,
        ),
        method="POST",
        body=m.FollowTournament,
    ),
    Route(
        "getAwayTournament",
        "/api/tournaments/away/{id}",
        "How a tournament at another hall stands, as it was last heard",
        shown,
        m.AwayParams,
        m.AwayShown,
        (BadRequest, NoSuchTournament, Unavailable),
    ),
    Route(
        "forgetAwayTournament",
        "/api/tournaments/away/{id}/forget",
        "Follows a tournament at another hall no longer",
        forget,
        m.AwayParams,
        m.AwayId,
        (BadRequest, NotOperator, NoSuchTournament, Unavailable),
        method="POST",
    ),
)  # fmt: skip
