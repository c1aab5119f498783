"""The games of tournaments: opened as they are paired, and reported as they end.

All that counts lies in journals: the tournament's own, and those of its games, which are found
again by their origin. The node that owns the tournament's table runs it, wherever its games are: to
take it up, it looks at what is paired and not reported. For a moment two may do it, and a result
that is reported twice is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass

import structlog

from gamehall.errors import HallError, Refused, Unavailable
from gamehall.games.game import Event
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Done, Told, unheard
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Spawn
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables
from gamehall.hall.tournaments.events import Paired, Report, Reported, Withdrew
from gamehall.hall.tournaments.formats.field import NO_SHOW, Match
from gamehall.hall.tournaments.tournament import Tournament
from gamehall.store.store import Store
from gamehall.table_log import house

log = structlog.get_logger(__name__)

AGAIN_MS = 2000
"""How long opening, sitting down, leaving or reporting waits when the store is away."""
SEATS_KEPT_MS = 7 * 86_400_000
"""How long a game that has not begun waits for its players, who are seated by the hall itself: it
may be down for a while just then."""
PAGE = 100
LOOK_SECONDS = 2.0
"""How often a node makes sure that tournaments are still its own."""
HEADS_MAX = 1000
"""Tournaments that are asked for at once."""
FOUND_MAX = 10_000
"""Tables of games of other nodes' tournaments that are remembered."""
DROPPED = "dropped"
VOID = "void"

Ended = house.RoundEnded | house.RoundVoided


@dataclass(eq=False, repr=False)
class TournamentGames:
    _tables: Tables
    _players: Players
    _store: Store
    _clock: Clock
    _nodes: Nodes
    _spawn: Spawn

    def __post_init__(self) -> None:
        self._games: dict[int, tuple[int, Match]] = {}
        """Tables at which games are on, with the tournament and its game."""
        self._table_of: dict[tuple[int, int], int] = {}
        """The other way round, by tournament and number, until the result is counted."""
        self._organisers: dict[int, int] = {}
        """Of the tournaments that this node runs, which need not be in memory all the time."""
        self._found: dict[tuple[int, int], int] = {}
        """As `_table_of`, of tournaments that other nodes run."""

    def follows(self, table: int) -> bool:
        """Whether `told` is to hear everything of this table, a running tournament's."""
        return table in self._organisers

    def plays_at(self, table: int) -> bool:
        """Whether a game is on there. Bots play on only at tables that are in memory."""
        return table in self._games

    def opened_by(self, organiser: int) -> int:
        """How many tournaments of this organiser the node runs."""
        return sum(opener == organiser for opener in self._organisers.values())

    async def table(self, tournament: int, game: Match) -> int:
        """Where a game is or was played; 0 before it has a table."""
        place = (tournament, game.number)
        found = game.table or self._table_of.get(place) or self._found.get(place, 0)
        if not found and tournament not in self._organisers:
            # Called off while this game was on, or run by another node.
            found = await self._store.table_by_origin(_origin(tournament, game)) or 0
            if len(self._found) >= FOUND_MAX:
                self._found.clear()
            if found:
                self._found[place] = found
        return found

    # Taking up and giving away

    def follow(self, tournament: int, organiser: int) -> None:
        """This node runs it from now on."""
        self._organisers[tournament] = organiser

    async def take_up(self) -> None:
        """After the start of a hall of one node: goes on with the tournaments that were on."""
        after = 0
        while True:
            try:
                page = await self._store.tables(
                    game=Tournament.name, status="playing", private=False, after=after, limit=PAGE
                )
                for info in page:
                    await self._take_up(info.id)
                    after = info.id
            except Unavailable:
                await asyncio.sleep(AGAIN_MS / 1000)
                continue
            if len(page) < PAGE:
                return

    def table_loaded(self, table: KnownTable) -> None:
        """A table is in memory: of a tournament, perhaps, that this node runs from now on."""
        if table.kind.game.name != Tournament.name:
            return
        if not table.owned or table.state.over or table.state.closed is not None:
            self._give_away(table.id)
            return
        # Now, so that what happens next is heard.
        self.follow(table.id, table.state.options.organiser)
        self._spawn(self._take_up_own(table.id))

    async def _take_up_own(self, tournament: int) -> None:
        if tournament not in self._organisers:
            return  # Over, or another node's by now.
        try:
            await self._take_up(tournament)
        except Unavailable:
            self._again(lambda: self._spawn(self._take_up_own(tournament)))

    async def _take_up(self, tournament: int) -> None:
        """Raises Unavailable."""
        try:
            table = await self._tables.load(tournament)
        except Refused as error:
            log.warning("tournament_out_of_reach", tournament=tournament, code=error.code)
            return
        if not table.owned or table.state.over:
            return
        self.follow(tournament, table.state.options.organiser)
        matches = table.state.game.field.matches
        running = [match.number for match in matches if match.state == "playing"]
        for number in self._numbers(tournament).difference(running):
            self._forget_game(tournament, number)  # Another node has reported it.
        for number in running:
            if (tournament, number) not in self._table_of:
                await self._open_game(tournament, number)

    async def keep_up(self) -> None:
        """With other nodes: gives away what they own by now, for as long as the hall runs."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            runs = sorted(self._organisers)
            try:
                for start in range(0, len(runs), HEADS_MAX):
                    for head in await self._store.heads(runs[start : start + HEADS_MAX]):
                        if head.owner not in (None, self._nodes.name):
                            self._give_away(head.table)
            except Unavailable:
                log.warning("cannot_look_after_tournaments")

    def _give_away(self, tournament: int) -> None:
        """It is over, or another node's."""
        self._organisers.pop(tournament, None)
        for number in self._numbers(tournament):
            self._forget_game(tournament, number)

    def _numbers(self, tournament: int) -> set[int]:
        """The games whose tables are known and whose results are not counted."""
        return {number for of, number in self._table_of if of == tournament}

    def _forget_game(self, tournament: int, number: int) -> None:
        table = self._table_of.pop((tournament, number), None)
        if table is not None:
            self._games.pop(table, None)

    # What happens

    def told(self, told: Told) -> None:
        """Something has happened at a table: a game was paired, or has ended."""
        if told.table in self._games:
            # What they play after the first round is their own affair.
            scene = next((scene for scene in told.scenes if scene.ended is not None), None)
            if scene is not None:
                self._has_ended(told.table, scene.events, scene.state.chairs.values())
        elif told.table in self._organisers:
            for event in told.events:
                if isinstance(event, Paired):
                    self._spawn(self._open_game(told.table, event.game))
                elif isinstance(event, Withdrew):
                    self._give_up(told.table, event.seat)
                elif isinstance(event, Reported):
                    self._forget_game(told.table, event.game)
            if told.status in ("over", "closed"):
                self._give_away(told.table)

    async def _open_game(self, tournament: int, number: int) -> None:
        """Opens the table of a game and seats both; or reports it, if it was played already."""
        if tournament not in self._organisers:
            return  # Over, or another node's by now.
        try:
            table = await self._tables.load(tournament)
            game = table.state.game.field.matches[number - 1]
            if game.state == "playing" and table.owned:
                await self._open(table, game)
        except Unavailable:
            self._again(lambda: self._spawn(self._open_game(tournament, number)))

    async def _open(self, tournament: KnownTable, game: Match) -> None:
        chairs, options = tournament.state.chairs, tournament.state.options
        people = (chairs[game.first], chairs[game.second])
        until_ms = self._clock.now_ms() + SEATS_KEPT_MS
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
        if id not in self._games:
            return
        if ended is not None:
            # Who was here then is not known any more: what the journal says counts.
            self._has_ended(id, ended)
            return
        for seat, person in enumerate(people):
            # A player who is not here has the grace time to come, as after a drop.
            self._sit(id, house.Sit(person, seat), until_ms)
        state = (self._tables.loaded(tournament.id) or tournament).state
        for seat in state.game.field.withdrawn & {game.first, game.second}:
            # Meanwhile, or before a restart: it was not known then where it was to play.
            self._leave(id, chairs[seat].player)

    async def _ended(self, table: KnownTable) -> tuple[Event, ...] | None:
        """What ended the first round at this table, if it has: that is the game, and whatever its
        players do after it is their own affair."""
        span = await self._store.round_span(table.id, 1)
        if span is None:
            return None
        lines = await self._tables.lines(table.id, span.last_seq, span.last_seq)
        return table.kind.codec.decode(lines[0].line).events

    def _give_up(self, tournament: int, seat: int) -> None:
        """A player who withdraws leaves the game that is on, and has lost it."""
        for table, (of, game) in tuple(self._games.items()):
            if of == tournament and seat in (game.first, game.second):
                found = self._tables.loaded(tournament)
                assert found is not None
                self._leave(table, found.state.chairs[seat].player)

    # How games end

    def _has_ended(
        self, table: int, events: Collection[Event], people: Collection[house.Person] | None = None
    ) -> None:
        """Reports a game. `people` played it, where it is known who of them is here."""
        left = [event for event in events if isinstance(event, house.Left)]
        broke = {event.seat for event in left if event.reason == house.NO_FUNDS}
        ended = next(event for event in events if isinstance(event, Ended))
        if broke:
            # It has not begun, since these seats could not pay: the other has won.
            could = {0, 1} - broke
            self._report(table, could.pop() if len(could) == 1 else None, house.NO_FUNDS)
        elif people is not None and any(event.reason == DROPPED for event in left):
            self._report_dropped(table, ended, tuple(people))
        else:
            self._report_as_played(table, ended)

    def _report_dropped(self, table: int, ended: Ended, people: tuple[house.Person, ...]) -> None:
        """Reports a game that someone did not come back to. If the other is away just then, it has
        its own time to come back, and has won if it does."""
        here = any(self._is_here(person) for person in people)
        if not here and any(self._may_come_back(person) for person in people):
            self._again(lambda: self._report_dropped(table, ended, people))
        elif here or isinstance(ended, house.RoundVoided):
            self._report_as_played(table, ended)
        else:
            self._report(table, None, NO_SHOW)

    def _report_as_played(self, table: int, ended: Ended) -> None:
        if isinstance(ended, house.RoundVoided):
            self._report(table, None, VOID)
            return
        outcome, points = ended.outcome, ended.outcome.scores
        winner = outcome.winners[0] if outcome.winners else None
        scores = None if points is None else (points.get(0, 0), points.get(1, 0))
        self._report(table, winner, outcome.reason, scores)

    def _report(
        self, table: int, winner: int | None, reason: str, scores: tuple[int, int] | None = None
    ) -> None:
        """Tells the tournament what has become of a game. `winner` is a seat at its table."""
        if table in self._games:
            tournament, game = self._games.pop(table)
            entrant = None if winner is None else (game.first, game.second)[winner]
            self._send(tournament, Report(game.number, entrant, reason, scores, table))

    def _is_here(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return person.bot is not None or (online is not None and online.here)

    def _may_come_back(self, person: house.Person) -> bool:
        online = self._players.online.get(person.player)
        return online is not None and online.alarm is not None

    # Asking tables, also while the store is away

    def _sit(self, table: int, sit: house.Sit, until_ms: int) -> None:
        def is_wanted() -> bool:
            return table in self._games and self._clock.now_ms() < until_ms

        self._tables.insist(Ask(table, sit.person.player, sit, unheard), is_wanted)

    def _leave(self, table: int, player: int) -> None:
        leave = Ask(table, player, house.Leave("withdrew"), unheard)
        self._tables.insist(leave, lambda: table in self._games)

    def _send(self, tournament: int, report: Report) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Refused):
                # Reported before: the tournament has counted it.
                log.info("report_refused", tournament=tournament, code=answer.code)

        # Another node that runs it by now sees for itself what there is to report.
        ask = Ask(tournament, None, report, answered)
        self._tables.insist(ask, lambda: tournament in self._organisers)

    def _again(self, work: Callable[[], None]) -> None:
        self._clock.call_at(self._clock.now_ms() + AGAIN_MS, work)


def _origin(tournament: int, game: Match) -> str:
    return f"tournament:{tournament}:{game.number}"
