"""What the native door does for tournaments and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamehall.wire.native import tournament_messages as t
from gamehall.wire.native.action import Action, Asked

if TYPE_CHECKING:
    from gamehall.wire.native.dialect import NativeLink


async def open_tournament(
    link: NativeLink, payload: t.OpenTournament, asked: Asked
) -> t.TournamentId:
    me = link.me.player.id
    request = asked.request(me)
    return t.TournamentId(await link.hall.tournaments.open(payload.options(), me, request))


async def begin_tournament(link: NativeLink, payload: t.AtTournament, _: Asked) -> t.TournamentId:
    await link.hall.tournaments.begin(payload.tournament, link.me.player.id)
    return t.TournamentId(payload.tournament)


async def enter_tournament(link: NativeLink, payload: t.EnterTournament, _: Asked) -> t.EnteredAs:
    done = await link.hall.tournaments.enter(link.me, payload.tournament, payload.club)
    return t.EnteredAs(payload.tournament, done.seat)


async def leave_tournament(link: NativeLink, payload: t.AtTournament, _: Asked) -> t.TournamentId:
    await link.hall.tournaments.withdraw(link.me, payload.tournament)
    return t.TournamentId(payload.tournament)


async def list_tournaments(
    link: NativeLink, payload: t.ListTournaments, _: Asked
) -> t.TournamentList:
    page = await link.hall.tournaments.page(payload.status, payload.after, payload.limit)
    return t.TournamentList(page, page[-1].id if len(page) == payload.limit else None)


async def tournament(link: NativeLink, payload: t.AtTournament, _: Asked) -> t.TournamentShown:
    shown = await link.hall.tournaments.shown(payload.tournament)
    return t.TournamentShown(shown.id, shown.names, shown.tables, shown.view)


async def ratings(link: NativeLink, payload: t.ReadRatings, _: Asked) -> t.RatingList:
    game = link.hall.game_named(payload.game).name
    best = await link.hall.reading.best_rated(game, bots=payload.bots, limit=payload.limit)
    return t.RatingList(best)


TOURNAMENT_ACTIONS: dict[str, Action] = {
    "open_tournament": Action(t.OpenTournament, t.TournamentId, open_tournament),
    "begin_tournament": Action(t.AtTournament, t.TournamentId, begin_tournament, once=True),
    "enter_tournament": Action(t.EnterTournament, t.EnteredAs, enter_tournament, once=True),
    "leave_tournament": Action(t.AtTournament, t.TournamentId, leave_tournament, once=True),
    "list_tournaments": Action(t.ListTournaments, t.TournamentList, list_tournaments, login=False),
    "tournament": Action(t.AtTournament, t.TournamentShown, tournament, login=False),
    "ratings": Action(t.ReadRatings, t.RatingList, ratings, login=False),
}
