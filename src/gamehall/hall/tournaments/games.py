"""The games of tournaments: opened as they are paired, and reported as they end.

All that counts lies in journals: the tournament's own, and those of its games, which are found
again by their origin. The node that owns the tournament's table runs it, wherever its games are: to
take it up, it looks at what is paired and not reported. For a moment two may do it, and a result
that is reported twice is refused.
"""

from __future__ import annotations

import asyncio

import structlog

from gamehall.errors import HallError, Refused, Unavailable
from gamehall.games.game import Event
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.hall.tournaments.events import Paired, Reported, Withdrew
from gamehall.hall.tournaments.formats.field import Match
from gamehall.hall.tournaments.reports import AGAIN_MS, Ended, TournamentReports
from gamehall.hall.tournaments.tournament import State, Tournament
from gamehall.store.appends import TableStatus
from gamehall.store.lists import TableInfo
from gamehall.table_log import house

log = structlog.get_logger(__name__)

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


class TournamentGames(TournamentReports):
    def follows(self, table: int) -> bool:
        """Whether `told` is to hear everything of this table, a running tournament's."""
        return table in self._followed

    def plays_at(self, table: int) -> bool:
        """Whether a game is on there. Bots play on only at tables that are in memory."""
        return table in self._games

    async def page(self, status: TableStatus | None, after: int, limit: int) -> list[TableInfo]:
        return await self._store.tables(
            game=Tournament.name, status=status, private=False, after=after, limit=limit
        )

    async def _table(self, tournament: int, game: Match) -> int:
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

    def _follow(self, tournament: int, organiser: int) -> None:
        self._followed.add(tournament)
        self._organisers[tournament] = organiser

    # Taking up and giving away

    async def take_up(self) -> None:
        """After the start of a hall of one node: goes on with the tournaments that were on."""
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

    def table_loaded(self, table: KnownTable) -> None:
        """A table is in memory: of a tournament, perhaps, that this node runs from now on."""
        if table.kind.game.name != Tournament.name:
            return
        if not table.owned or table.state.over or table.state.closed is not None:
            self._give_away(table.id)
            return
        # Now, so that what happens next is heard.
        self._follow(table.id, table.state.options.organiser)
        self._spawn(self._take_up_own(table.id))

    async def _take_up_own(self, tournament: int) -> None:
        try:
            await self._take_up(tournament)
        except Unavailable:
            again_ms = self._clock.now_ms() + AGAIN_MS
            self._clock.call_at(again_ms, lambda: self._take_up_again(tournament))

    def _take_up_again(self, tournament: int) -> None:
        if tournament in self._organisers:
            self._spawn(self._take_up_own(tournament))

    async def _take_up(self, tournament: int) -> None:
        """Raises Unavailable."""
        try:
            table = await self._tables.load(tournament)
        except Refused as error:
            log.warning("tournament_out_of_reach", tournament=tournament, code=error.code)
            return
        if not table.owned or table.state.over:
            return
        self._follow(tournament, table.state.options.organiser)
        running = _running(table.state.game)
        numbers = {game.number for game in running}
        for of, number in [place for place in self._table_of if place[0] == tournament]:
            if number not in numbers:
                self._forget_game(of, number)  # Another node has reported it.
        for game in running:
            if (tournament, game.number) not in self._table_of:
                await self._open_game(table, game)

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
        self._followed.discard(tournament)
        self._organisers.pop(tournament, None)
        for of, number in [place for place in self._table_of if place[0] == tournament]:
            self._forget_game(of, number)

    def _forget_game(self, tournament: int, number: int) -> None:
        table = self._table_of.pop((tournament, number), None)
        if table is not None:
            self._games.pop(table, None)

    # What happens

    def told(self, told: Told) -> None:
        """Something has happened at a table: a game was paired, or has ended."""
        if told.table in self._games:
            for scene in told.scenes:
                if scene.ended is None:
                    continue
                gave_up = [e for e in scene.events if isinstance(e, house.Left)]
                broke = {left.seat for left in gave_up if left.reason == house.NO_FUNDS}
                if broke:
                    self._report_broke(told.table, broke)
                elif any(left.reason == DROPPED for left in gave_up):
                    people = tuple(scene.state.chairs.values())
                    self._report_dropped(told.table, scene.ended, people)
                else:
                    self._report(told.table, scene.ended)
                break  # What they play after it is their own affair.
        elif told.table in self._organisers:
            for event in told.events:
                if isinstance(event, Paired):
                    self._spawn(self._open_paired(told.table, event.game))
                elif isinstance(event, Withdrew):
                    self._give_up(told.table, event.seat)
                elif isinstance(event, Reported):
                    self._forget_game(told.table, event.game)
            if told.status in ("over", "closed"):
                self._give_away(told.table)

    async def _open_paired(self, tournament: int, number: int) -> None:
        if tournament not in self._organisers:
            return  # Over, or another node's by now.
        try:
            table = await self._tables.load(tournament)
        except Unavailable:
            self._open_again(tournament, number)
            return
        game = table.state.game.field.matches[number - 1]
        if game.state == "playing" and table.owned:
            await self._open_game(table, game)

    def _open_again(self, tournament: int, number: int) -> None:
        again_ms = self._clock.now_ms() + AGAIN_MS
        self._clock.call_at(again_ms, lambda: self._spawn(self._open_paired(tournament, number)))

    async def _open_game(self, tournament: KnownTable, game: Match) -> None:
        """Opens the table of a game and seats both; or reports it, if it was played already."""
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
            self._report_as_written(id, ended)
            return
        for seat, person in enumerate(people):
            # A player who is not here has the grace time to come, as after a drop.
            self._sit(id, house.Sit(person, seat), until_ms)
        state = (self._tables.loaded(tournament.id) or tournament).state
        for seat in state.game.field.withdrawn & {game.first, game.second}:
            # Meanwhile, or before a restart: it was not known then where it was to play.
            self._leave(id, chairs[seat].player)

    def _report_as_written(self, table: int, events: tuple[Event, ...]) -> None:
        broke = {e.seat for e in events if isinstance(e, house.Left) and e.reason == house.NO_FUNDS}
        if broke:
            self._report_broke(table, broke)
        else:
            self._report(table, next(event for event in events if isinstance(event, Ended)))

    async def _ended(self, table: KnownTable) -> tuple[Event, ...] | None:
        """What ended the first round at this table, if it has: that is the game, and whatever its
        players do after it is their own affair."""
        span = await self._store.round_span(table.id, 1)
        if span is None:
            return None
        lines = await self._tables.lines(table.id, span.last_seq, span.last_seq)
        return table.kind.codec.decode(lines[0].line).events

    def _sit(self, table: int, sit: house.Sit, until_ms: int) -> None:
        def answered(answer: Done | HallError) -> None:
            again_ms = self._clock.now_ms() + AGAIN_MS
            is_ours = table in self._games and again_ms < until_ms
            if isinstance(answer, Unavailable) and is_ours:
                self._clock.call_at(again_ms, lambda: self._sit(table, sit, until_ms))

        self._tables.put(Ask(table, sit.person.player, sit, answered))

    def _give_up(self, tournament: int, seat: int) -> None:
        """A player who withdraws leaves the game that is on, and has lost it."""
        for table, (of, game) in tuple(self._games.items()):
            if of == tournament and seat in (game.first, game.second):
                found = self._tables.loaded(tournament)
                assert found is not None
                self._leave(table, found.state.chairs[seat].player)

    def _leave(self, table: int, player: int) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Unavailable) and table in self._games:
                again_ms = self._clock.now_ms() + AGAIN_MS
                self._clock.call_at(again_ms, lambda: self._leave(table, player))

        self._tables.put(Ask(table, player, house.Leave("withdrew"), answered))


def _running(state: State) -> list[Match]:
    return [match for match in state.field.matches if match.state == "playing"]


def _origin(tournament: int, game: Match) -> str:
    return f"tournament:{tournament}:{game.number}"
