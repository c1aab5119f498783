"""What the native door does for tournaments and ratings."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from gamehall.hall.hall import Hall
from gamehall.wire.native import tournament_messages as t
from gamehall.wire.native.action import Action, Asked, Handler

if TYPE_CHECKING:
    from gamehall.wire.native.dialect import NativeLink


async def open_tournament(
    link: NativeLink, payload: t.OpenTournament, asked: Asked
) -> t.TournamentId:
    me = link.me.player.id
    request = asked.request(me)
    return t.TournamentId(await link.hall.tournaments.open(payload.options(), me, request))


async def begin_tournament(
    link: NativeLink, payload: t.AtTournament, asked: Asked
) -> t.TournamentId:
    me = link.me.player.id
    await link.hall.tournaments.begin(payload.tournament, me, asked.request(me))
    return t.TournamentId(payload.tournament)


async def enter_tournament(
    link: NativeLink, payload: t.EnterTournament, asked: Asked
) -> t.EnteredAs:
    me, request = link.me, asked.request(link.me.player.id)
    done = await link.hall.tournaments.enter(me, payload.tournament, payload.club, request)
    return t.EnteredAs(payload.tournament, done.seat)


async def leave_tournament(
    link: NativeLink, payload: t.AtTournament, asked: Asked
) -> t.TournamentId:
    me, request = link.me, asked.request(link.me.player.id)
    await link.hall.tournaments.withdraw(me, payload.tournament, request)
    return t.TournamentId(payload.tournament)


async def list_tournaments(hall: Hall, payload: t.ListTournaments) -> t.TournamentList:
    page = await hall.tournaments.page(payload.status, payload.after, payload.limit)
    return t.TournamentList(page, page[-1].id if len(page) == payload.limit else None)


async def tournament(link: NativeLink, payload: t.AtTournament, _: Asked) -> t.TournamentShown:
    return t.TournamentShown.of(await link.hall.tournaments.shown(payload.tournament))


async def ratings(hall: Hall, payload: t.ReadRatings) -> t.RatingList:
    game = hall.game_named(payload.game).name
    best = await hall.reading.best_rated(game, bots=payload.bots, limit=payload.limit)
    return t.RatingList(best)


def _reads(read: Callable[[Hall, Any], Coroutine[Any, Any, Any]]) -> Handler:
    """Answers what everyone may know, here and over HTTP."""
    return lambda link, payload, _: read(link.hall, payload)


TOURNAMENT_ACTIONS: dict[str, Action] = {
    "open_tournament": Action(t.OpenTournament, t.TournamentId, open_tournament),
    "begin_tournament": Action(t.AtTournament, t.TournamentId, begin_tournament),
    "enter_tournament": Action(t.EnterTournament, t.EnteredAs, enter_tournament),
    "leave_tournament": Action(t.AtTournament, t.TournamentId, leave_tournament),
    "list_tournaments": Action(
        t.ListTournaments, t.TournamentList, _reads(list_tournaments), login=False
    ),
    "tournament": Action(t.AtTournament, t.TournamentShown, tournament, login=False),
    "ratings": Action(t.ReadRatings, t.RatingList, _reads(ratings), login=False),
}
