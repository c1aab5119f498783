"""Tournaments as they are run: games are opened as they are paired, and reported as they end.

All that counts lies in journals: the tournament's own, and those of its games, which are found
again by their origin. So after a restart one has only to look at what is paired and not reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
import structlog

from gamehall.bus.bus import Ask, Bus, Done, Told, unheard
from gamehall.errors import (
    BadOptions,
    HallError,
    NoSuchBot,
    NoSuchTournament,
    NotOrganiser,
    Refused,
    TooMany,
    Unavailable,
)
from gamehall.games import house
from gamehall.games.game import Command
from gamehall.hall.attendance import HouseBots
from gamehall.hall.clock import Clock
from gamehall.hall.formats.field import NO_SHOW, Match
from gamehall.hall.players import Online, Players
from gamehall.hall.table import Table
from gamehall.hall.tables import Tables
from gamehall.hall.tournament import State, Tournament, View, check_club
from gamehall.hall.tournament_events import Begin, Enter, Paired, Report, Withdrew
from gamehall.store.store import Request, Store, TableInfo, TableStatus

log = structlog.get_logger(__name__)

OPEN_MAX = 8
"""Tournaments that one player may have opened and not ended."""
AGAIN_MS = 2000
"""How long opening, sitting down or reporting waits when the store is away."""
SEATS_KEPT_MS = 7 * 86_400_000
"""How long a game that has not begun waits for its players, who are seated by the hall itself: it
may be down for a while just then."""
PAGE = 100
DROPPED, VOID = "dropped", "void"

Ended = house.RoundEnded | house.RoundVoided


class Shown(msgspec.Struct, frozen=True):
    """A tournament as everyone may see it."""

    id: int
    names: dict[int, str]
    """Of the entrants, by seat."""
    tables: dict[int, int]
    """Where the games are played that are on, by number."""
    view: View


class Tournaments:
    def __init__(
        self,
        *,
        tables: Tables,
        players: Players,
        bus: Bus,
        store: Store,
        clock: Clock,
        bots: HouseBots,
        followed: set[int],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`followed`: the tables of which `told` hears everything."""
        self._tables = tables
        self._players = players
        self._bus = bus
        self._store = store
        self._clock = clock
        self._bots = bots
        self._followed = followed
        self._spawn = spawn
        self._games: dict[int, tuple[int, Match]] = {}
        """Tables at which games are on, with the tournament and its game."""
        self._table_of: dict[tuple[int, int], int] = {}
        """The other way round, by tournament and number."""

    # What organisers and entrants do

    async def open(
        self, options: dict[str, Any], organiser: int = 0, request: Request | None = None
    ) -> int:
        """The table that the new tournament is. `organiser` is a player; 0 is the operator.

        Raises:
            BadOptions, NoSuchGame, TooMany
        """
        game = options.get("game", "")
        kind = self._tables.public_kind(game if isinstance(game, str) else "")
        own = self._tables.kind(Tournament.name).rules.read_options(
            {**options, "game": kind.game.name, "organiser": organiser}
        )
        if kind.game.seats(kind.rules.read_options(own.game_options)).least != 2:
            raise BadOptions("A tournament is for games of two.")
        if 0 < own.starts_at_ms <= self._clock.now_ms():
            raise BadOptions("A tournament cannot begin before it is open.")
        if organiser and self._opened_by(organiser) >= OPEN_MAX:
            raise TooMany
        origin = None if request is None else f"request:{request.player}:{request.id}"
        options = msgspec.to_builtins(own)
        id = await self._tables.open(Tournament.name, options, origin=origin, request=request)
        self._followed.add(id)
        return id

    def _opened_by(self, organiser: int) -> int:
        loaded = (self._tables.loaded(id) for id in self._followed)
        states = (table.state for table in loaded if table is not None)
        return sum(s is not None and s.options.organiser == organiser for s in states)

    async def enter(self, online: Online, tournament: int, club: str) -> Done:
        """Seats the player among the entrants, for the machine that it names."""
        person = house.Person(online.player.id, online.player.name)
        # Before it sits down: who is refused has not entered.
        check_club(club.strip())
        await self._find(tournament)
        return await self._enter(tournament, person, club)

    def check_bots(self, game: str, levels: Sequence[str]) -> None:
        """Raises NoSuchGame or NoSuchBot."""
        known = self._bots.levels(self._tables.public_kind(game).game.name)
        for level in levels:
            if level not in known:
                raise NoSuchBot(f"There is no bot {level!r} for this game; it has {list(known)}.")

    async def enter_bots(self, tournament: int, levels: Sequence[str], club: str = "") -> None:
        """Seats bots of the house, as many as levels are named. Raises NoSuchBot."""
        state = (await self._find(tournament)).state
        assert state is not None
        self.check_bots(state.options.game, levels)
        there = [person.bot for person in state.chairs.values()]
        for place, level in enumerate(levels):
            number = there.count(level) + list(levels[: place + 1]).count(level)
            await self._enter(tournament, await self._bots.person(level, number), club)

    async def _enter(self, tournament: int, person: house.Person, club: str) -> Done:
        # Both at once, so that they are one beat: nobody begins without its machine.
        sitting = self._ask(tournament, person.player, house.Sit(person))
        entering = self._ask(tournament, person.player, Enter(club))
        done = await sitting
        for answer in (done, await entering):
            if isinstance(answer, HallError):
                raise answer
        assert isinstance(done, Done)
        return done

    async def withdraw(self, online: Online, tournament: int) -> Done:
        await self._find(tournament)
        return _done(await self._ask(tournament, online.player.id, house.Leave()))

    async def begin(self, tournament: int, organiser: int | None) -> Done:
        """`organiser` is the player who wants it; None is the operator. Raises NotOrganiser."""
        state = (await self._find(tournament)).state
        assert state is not None
        if organiser is not None and state.options.organiser != organiser:
            raise NotOrganiser
        return _done(await self._ask(tournament, None, Begin()))

    def plays_at(self, table: int) -> bool:
        """Whether a game is on there. Bots play on only at tables that are in memory."""
        return table in self._games

    async def page(self, status: TableStatus | None, after: int, limit: int) -> list[TableInfo]:
        return await self._store.tables(
            game=Tournament.name, status=status, private=False, after=after, limit=limit
        )

    async def shown(self, tournament: int) -> Shown:
        """Raises NoSuchTournament."""
        table = await self._find(tournament)
        assert table.state is not None
        view = table.kind.game.view(table.state.game, None)
        names = {seat: person.name for seat, person in table.state.chairs.items()}
        playing = (game.number for game in view.games if game.state == "playing")
        tables = {n: self._table_of.get((tournament, n), 0) for n in playing}
        return Shown(tournament, names, tables, view)

    async def _find(self, tournament: int) -> Table:
        info = await self._store.table(tournament)
        if info is None or info.game != Tournament.name:
            raise NoSuchTournament
        return await self._tables.load(tournament)

    def _ask(
        self, table: int, player: int | None, command: Command
    ) -> asyncio.Future[Done | HallError]:
        answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()
        self._bus.ask(Ask(table, player, command, answered.set_result))
        return answered

    # Games

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
        self._followed.add(tournament)
        try:
            table = await self._tables.load(tournament)
        except Refused as error:
            log.warning("tournament_out_of_reach", tournament=tournament, code=error.code)
            return
        assert table.state is not None
        for game in _running(table.state.game):
            await self._open_game(table, game)

    def told(self, told: Told) -> None:
        """Something has happened at a table: a game was paired, or has ended."""
        if told.table in self._games:
            table = self._tables.loaded(told.table)
            if told.ended and table is not None and table.state is not None:
                gave_up = (e for e in told.events if isinstance(e, house.Left))
                dropped = any(left.reason == DROPPED for left in gave_up)
                here = any(self._is_here(person) for person in table.state.chairs.values())
                self._report(told.table, told.ended[0][1], no_show=dropped and not here)
        elif told.table in self._followed:
            for event in told.events:
                if isinstance(event, Paired):
                    self._spawn(self._open_paired(told.table, event.game))
                elif isinstance(event, Withdrew):
                    self._give_up(told.table, event.seat)
            if told.status in ("over", "closed"):
                self._followed.discard(told.table)

    async def _open_paired(self, tournament: int, number: int) -> None:
        table = await self._tables.load(tournament)
        assert table.state is not None
        for game in _running(table.state.game):
            if game.number == number:
                await self._open_game(table, game)

    async def _open_game(self, tournament: Table, game: Match) -> None:
        """Opens the table of a game and seats both; or reports it, if it was played already."""
        assert tournament.state is not None
        chairs, options = tournament.state.chairs, tournament.state.options
        people = (chairs[game.first], chairs[game.second])
        until_ms = self._clock.now_ms() + SEATS_KEPT_MS
        try:
            id = await self._tables.open(
                options.game,
                options.game_options,
                origin=f"tournament:{tournament.id}:{game.number}",
                drawn=False,
                rated=options.rated,
                reserved=people,
                reserved_until_ms=until_ms,
            )
            # Before it is looked at, so that no end falls between looking and listening.
            self._games[id] = (tournament.id, game)
            self._table_of[tournament.id, game.number] = id
            ended = await self._ended(await self._tables.load(id))
        except Unavailable:
            again_ms = self._clock.now_ms() + AGAIN_MS
            again = self._open_paired
            self._clock.call_at(again_ms, lambda: self._spawn(again(tournament.id, game.number)))
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

    async def _ended(self, table: Table) -> Ended | None:
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

        self._bus.ask(Ask(table, sit.person.player, sit, answered))

    def _give_up(self, tournament: int, seat: int) -> None:
        """Whoever withdraws leaves the game that is on, and has lost it."""
        for table, (of, game) in tuple(self._games.items()):
            if of == tournament and seat in (game.first, game.second):
                found = self._tables.loaded(tournament)
                assert found is not None
                assert found.state is not None
                player = found.state.chairs[seat].player
                self._bus.ask(Ask(table, player, house.Leave("withdrew"), unheard))

    def _report(self, table: int, ended: Ended, *, no_show: bool = False) -> None:
        """Tells the tournament what has become of a game. `no_show`: neither is there."""
        tournament, game = self._games.pop(table)
        self._table_of.pop((tournament, game.number), None)
        report = Report(game.number, None, VOID)
        if isinstance(ended, house.RoundEnded):
            outcome, points = ended.outcome, ended.outcome.scores
            seats = (game.first, game.second)
            winner = seats[outcome.winners[0]] if outcome.winners else None
            scores = None if points is None else (points.get(0, 0), points.get(1, 0))
            report = Report(game.number, winner, outcome.reason, scores)
            if no_show:
                report = Report(game.number, None, NO_SHOW)
        self._send(tournament, report)

    def _send(self, tournament: int, report: Report) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Unavailable):
                again_ms = self._clock.now_ms() + AGAIN_MS
                self._clock.call_at(again_ms, lambda: self._send(tournament, report))
            elif isinstance(answer, Refused):
                # Reported before: the tournament has counted it.
                log.info("report_refused", tournament=tournament, code=answer.code)

        self._bus.ask(Ask(tournament, None, report, answered))

    def _is_here(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return person.bot is not None or (online is not None and bool(online.links))


def _running(state: State) -> list[Match]:
    return [match for match in state.field.matches if match.state == "playing"]


def _done(answer: Done | HallError) -> Done:
    if isinstance(answer, HallError):
        raise answer
    return answer
