"""Tournaments of other halls over HTTP: everyone may look, the operator says which are followed."""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.errors import HallUnreachable, NoSuchTournament, TooMany, Unavailable
from gamehall.hall.hall import Hall
from gamehall.hall.tournaments.away import Followed
from gamehall.wire.http import away_messages as m
from gamehall.wire.http.api_messages import ById, Page
from gamehall.wire.http.other_halls import web_address
from gamehall.wire.http.route import NoParams, Route
from gamehall.wire.native.tournament_messages import TournamentShown


async def follow(hall: Hall, _: NoParams, asked: m.FollowTournament) -> m.AwayId:
    url = web_address(asked.url)
    return m.AwayId(await hall.away.follow(url, asked.tournament))


async def listed(hall: Hall, params: Page) -> m.AwayList:
    # One more than is shown, to see whether there are more.
    found = await hall.away.page(params.after, params.limit + 1)
    page = [m.AwayInfo(**_place(f), **msgspec.structs.asdict(f.brief)) for f in found]
    shown = page[: params.limit]
    return m.AwayList(shown, shown[-1].away if len(page) > params.limit else None)


async def shown(hall: Hall, params: ById) -> m.AwayShown:
    followed, found = await hall.away.shown(params.id)
    return m.AwayShown(**_place(followed), shown=TournamentShown.of(found))


async def forget(hall: Hall, params: ById) -> m.AwayId:
    await hall.away.forget(params.id)
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
        shown,
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
)
