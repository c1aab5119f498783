"""The games of tournaments: opened as they are paired, and reported as they end.

All that counts lies in journals: the tournament's own, and those of its games, which are found
again by their origin. So after a restart one has only to look at what is paired and not reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from gamehall.errors import HallError, Refused, Unavailable
from gamehall.games import house
from gamehall.hall.asks import Ask, Done, Told
from gamehall.hall.clock import Clock
from gamehall.hall.formats.field import NO_SHOW, Match
from gamehall.hall.known_table import KnownTable
from gamehall.hall.players import Players
from gamehall.hall.tables import Tables
from gamehall.hall.tournament import State, Tournament
from gamehall.hall.tournament_events import Paired, Report, Reported, Withdrew
from gamehall.store.store import Store, TableInfo, TableStatus

log = structlog.get_logger(__name__)

AGAIN_MS = 2000
"""How long opening, sitting down, leaving or reporting waits when the store is away."""
SEATS_KEPT_MS = 7 * 86_400_000
"""How long a game that has not begun waits for its players, who are seated by the hall itself: it
may be down for a while just then."""
PAGE = 100
DROPPED, VOID = "dropped", "void"

Ended = house.RoundEnded | house.RoundVoided


class TournamentGames:
    def __init__(
        self,
        *,
        tables: Tables,
        players: Players,
        store: Store,
        clock: Clock,
        followed: set[int],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`followed`: the tables of which `told` hears everything."""
        self._tables = tables
        self._players = players
        self._store = store
        self._clock = clock
        self._followed = followed
        self._spawn = spawn
        self._games: dict[int, tuple[int, Match]] = {}
        """Tables at which games are on, with the tournament and its game."""
        self._table_of: dict[tuple[int, int], int] = {}
        """The other way round, by tournament and number, until the result is counted."""
        self._organisers: dict[int, int] = {}
        """Of the tournaments that are followed, which need not be in memory all the time."""

    def plays_at(self, table: int) -> bool:
        """Whether a game is on there. Bots play on only at tables that are in memory."""
        return table in self._games

    async def page(self, status: TableStatus | None, after: int, limit: int) -> list[TableInfo]:
        return await self._store.tables(
            game=Tournament.name, status=status, private=False, after=after, limit=limit
        )

    async def _table(self, tournament: int, game: Match) -> int:
        """Where a game is or was played; 0 before it has a table."""
        found = game.table or self._table_of.get((tournament, game.number), 0)
        if not found and tournament not in self._followed:
            # Called off while this game was on: no result of it was counted.
            found = await self._store.table_by_origin(_origin(tournament, game)) or 0
        return found

    def _follow(self, tournament: int, organiser: int) -> None:
        self._followed.add(tournament)
        self._organisers[tournament] = organiser

    async def take_up(self) -> None:
        """After a start: goes on with the tournaments that were on before."""
        after = 0
        while True:
            try:
                page = await self.page("playing", after, PAGE)
                for info in page:
                    await self._take_up(info.id)
                    after = info.id
            except Unavailable:
                await asyncio.sleep(AGAIN_MS / 1000)
                continue
            if len(page) < PAGE:
                return

    async def _take_up(self, tournament: int) -> None:
        # Before it is loaded, which may be when it begins by itself.
        self._followed.add(tournament)
        try:
            table = await self._tables.load(tournament)
        except Refused as error:
            log.warning("tournament_out_of_reach", tournament=tournament, code=error.code)
            return
        assert table.state is not None
        self._follow(tournament, table.state.options.organiser)
        for game in _running(table.state.game):
            await self._open_game(table, game)

    def told(self, told: Told) -> None:
        """Something has happened at a table: a game was paired, or has ended."""
        if told.table in self._games:
            table = self._tables.loaded(told.table)
            if told.ended and table is not None and table.state is not None:
                gave_up = (e for e in told.events if isinstance(e, house.Left))
                if any(left.reason == DROPPED for left in gave_up):
                    people = tuple(table.state.chairs.values())
                    self._report_dropped(told.table, told.ended[0][1], people)
                else:
                    self._report(told.table, told.ended[0][1])
        elif told.table in self._followed:
            for event in told.events:
                if isinstance(event, Paired):
                    self._spawn(self._open_paired(told.table, event.game))
                elif isinstance(event, Withdrew):
                    self._give_up(told.table, event.seat)
                elif isinstance(event, Reported):
                    self._table_of.pop((told.table, event.game), None)
            if told.status in ("over", "closed"):
                self._unfollow(told.table)

    def _unfollow(self, tournament: int) -> None:
        self._followed.discard(tournament)
        self._organisers.pop(tournament, None)
        for of, number in [place for place in self._table_of if place[0] == tournament]:
            del self._table_of[of, number]

    async def _open_paired(self, tournament: int, number: int) -> None:
        try:
            table = await self._tables.load(tournament)
        except Unavailable:
            self._open_again(tournament, number)
            return
        assert table.state is not None
        game = table.state.game.field.matches[number - 1]
        if game.state == "playing":
            await self._open_game(table, game)

    def _open_again(self, tournament: int, number: int) -> None:
        again_ms = self._clock.now_ms() + AGAIN_MS
        self._clock.call_at(again_ms, lambda: self._spawn(self._open_paired(tournament, number)))

    async def _open_game(self, tournament: KnownTable, game: Match) -> None:
        """Opens the table of a game and seats both; or reports it, if it was played already."""
        assert tournament.state is not None
        chairs, options = tournament.state.chairs, tournament.state.options
        people = (chairs[game.first], chairs[game.second])
        until_ms = self._clock.now_ms() + SEATS_KEPT_MS
        try:
            id = await self._tables.open(
                options.game,
                options.game_options,
                origin=_origin(tournament.id, game),
                drawn=False,
                rated=options.rated,
                reserved=people,
                reserved_until_ms=until_ms,
                # Nobody takes the other's seat, and with it the first move, before both sit.
                by_invitation=True,
            )
            # Before it is looked at, so that no end falls between looking and listening.
            self._games[id] = (tournament.id, game)
            self._table_of[tournament.id, game.number] = id
            ended = await self._ended(await self._tables.load(id))
        except Unavailable:
            self._open_again(tournament.id, game.number)
            return
        if id not in self._games:
            return
        if ended is not None:
            # Who was here then is not known any more: what the journal says counts.
            self._report(id, ended)
            return
        for seat, person in enumerate(people):
            # Whoever is not here has the grace time to come, as has whoever drops.
            self._sit(id, house.Sit(person, seat), until_ms)
        for seat in tournament.state.game.field.withdrawn & {game.first, game.second}:
            # Meanwhile, or before a restart: it was not known then where it was to play.
            self._give_up(tournament.id, seat)

    async def _ended(self, table: KnownTable) -> Ended | None:
        """How the first round at this table ended, if it has: that is the game, and whatever its
        players do after it is their own affair."""
        span = await self._store.round_span(table.id, 1)
        if span is None:
            return None
        lines = await self._tables.lines(table.id, span.last_seq, span.last_seq)
        events = table.kind.codec.decode(lines[0].line).events
        return next(event for event in events if isinstance(event, Ended))

    def _sit(self, table: int, sit: house.Sit, until_ms: int) -> None:
        def answered(answer: Done | HallError) -> None:
            again_ms = self._clock.now_ms() + AGAIN_MS
            if isinstance(answer, Unavailable) and again_ms < until_ms:
                self._clock.call_at(again_ms, lambda: self._sit(table, sit, until_ms))

        self._tables.put(Ask(table, sit.person.player, sit, answered))

    def _give_up(self, tournament: int, seat: int) -> None:
        """Whoever withdraws leaves the game that is on, and has lost it."""
        for table, (of, game) in tuple(self._games.items()):
            if of == tournament and seat in (game.first, game.second):
                found = self._tables.loaded(tournament)
                assert found is not None
                assert found.state is not None
                self._leave(table, found.state.chairs[seat].player)

    def _leave(self, table: int, player: int) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Unavailable) and table in self._games:
                again_ms = self._clock.now_ms() + AGAIN_MS
                self._clock.call_at(again_ms, lambda: self._leave(table, player))

        self._tables.put(Ask(table, player, house.Leave("withdrew"), answered))

    def _report_dropped(self, table: int, ended: Ended, people: tuple[house.Person, ...]) -> None:
        """Reports a game that someone did not come back to. If the other is away just then, it has
        its own time to come back, and has won if it does."""
        here = any(self._is_here(person) for person in people)
        if not here and any(self._may_come_back(person) for person in people):
            again_ms = self._clock.now_ms() + AGAIN_MS
            self._clock.call_at(again_ms, lambda: self._report_dropped(table, ended, people))
        elif table in self._games:
            self._report(table, ended, no_show=not here)

    def _report(self, table: int, ended: Ended, *, no_show: bool = False) -> None:
        """Tells the tournament what has become of a game. `no_show`: neither is there."""
        tournament, game = self._games.pop(table)
        report = Report(game.number, None, VOID, table=table)
        if isinstance(ended, house.RoundEnded):
            outcome, points = ended.outcome, ended.outcome.scores
            seats = (game.first, game.second)
            winner = seats[outcome.winners[0]] if outcome.winners else None
            scores = None if points is None else (points.get(0, 0), points.get(1, 0))
            report = Report(game.number, winner, outcome.reason, scores, table)
            if no_show:
                report = Report(game.number, None, NO_SHOW, table=table)
        self._send(tournament, report)

    def _send(self, tournament: int, report: Report) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Unavailable):
                again_ms = self._clock.now_ms() + AGAIN_MS
                self._clock.call_at(again_ms, lambda: self._send(tournament, report))
            elif isinstance(answer, Refused):
                # Reported before: the tournament has counted it.
                log.info("report_refused", tournament=tournament, code=answer.code)

        self._tables.put(Ask(tournament, None, report, answered))

    def _is_here(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return person.bot is not None or (online is not None and online.here)

    def _may_come_back(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return online is not None and online.alarm is not None


def _running(state: State) -> list[Match]:
    return [match for match in state.field.matches if match.state == "playing"]


def _origin(tournament: int, game: Match) -> str:
    return f"tournament:{tournament}:{game.number}"
