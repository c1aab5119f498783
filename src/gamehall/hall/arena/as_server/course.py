"""How the matches of portals go: when they start, how they end, who did not come.

What is told is written before, as a fact beside the match's table. If the hall stops in between,
the table still knows how it went, and so do all that follow.

At a hall of many nodes the leading one has the link to the portal and all matches in memory;
players are at any node. What lasts lies in facts and journals, so that the next node to lead can go
on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from math import inf

import structlog
from msgspec.structs import replace

from gamehall.errors import TooMany, Unavailable
from gamehall.hall.arena.as_server.book import HowEnded, Match, MatchBook, MatchId
from gamehall.hall.beat.requests import Ask, Told, unheard
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.common_turns import Turns
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import SeatResult
from gamehall.store.lists import ROUND_BITS, TableInfo
from gamehall.store.store import Store
from gamehall.table_log import house

log = structlog.get_logger(__name__)

TOLD_AGAIN_MAX, TOLD_AGAIN_MS = 1000, 7 * 86_400_000
"""Results of a game that a portal is told again, and for how long: it never says that it has one"""
AGAIN_SECONDS = 1.0
"""How long a match waits to be settled when the store is away."""
LOOK_SECONDS = 0.5
"""How often a node looks whether it leads."""
FIND_AGAIN_SECONDS = 10.0
"""After this matches are found once more: for a moment another node may have made some too."""
HEAL_MAX = 20
"""Matches that are looked at each time, in turn, lest someone has come and nobody was told."""
TURNS_MAX = 8
"""Those who want something of one match at once, one after the other; more are refused."""
SCORE_MAX = 2**31 - 1


class _Touched(Body, frozen=True):
    game: str
    number: int


@dataclass(eq=False, repr=False)
class MatchCourse:
    _store: Store
    _clock: Clock
    _nodes: Nodes
    _exchange: Exchange
    _known: Tables
    _spawn: Spawn
    _: KW_ONLY
    grace_ms: int
    no_show_ms: int

    def __post_init__(self) -> None:
        self.book = MatchBook(self._store)
        self.turns = Turns(TURNS_MAX)
        """Changes of one match come one after the other."""
        self.open: dict[MatchId, Match] = {}
        """Those that are not over."""
        self._tables: dict[int, MatchId] = {}
        self._alarms: dict[MatchId, Alarm] = {}
        self._overdue: set[MatchId] = set()
        self._ended: dict[str, dict[int, Match]] = {}
        """By game, in the order in which they ended."""
        self._unsettled: dict[MatchId, None] = {}
        self._has_unsettled = asyncio.Event()
        self.listeners: list[Callable[[Match], None]] = []
        """Told when a match has started and when it is over. They make nobody wait."""
        self._taken_up = False
        self._find_again_at = inf
        self._healed = 0
        self._exchange.on("match", _Touched, self._hear)

    # Leading

    @property
    def leads(self) -> bool:
        """Whether this node follows the course of all matches, and speaks to the portal for all."""
        return self._nodes.alone or (self._taken_up and self._nodes.leads)

    async def start(self) -> None:
        """Finds all matches again, and what has become of them while the hall was down, if this
        node is the one. Raises Unavailable."""
        if self._nodes.alone:
            await self._find_all()
        else:
            self._spawn(self._run())
        self._spawn(self._settle_all())

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except Unavailable:
                log.warning("cannot_take_up_matches")
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        leads = self._nodes.leads
        if leads and not self._taken_up:
            await self._find_all()
            self._taken_up = True
            self._find_again_at = asyncio.get_running_loop().time() + FIND_AGAIN_SECONDS
        elif self._taken_up and not leads:
            self._taken_up = False
            self._stand_back()
        elif leads and asyncio.get_running_loop().time() > self._find_again_at:
            await self._find_all()
            self._find_again_at = inf
        elif leads:
            # Those to which nobody has come, as far as is known.
            seen = set(self._tables.values())
            waiting = [id for id in self.open if id not in seen]
            self._healed = self._healed if self._healed < len(waiting) else 0
            for id in islice(waiting, self._healed, self._healed + HEAL_MAX):
                self._settle_soon(id)
            self._healed += HEAL_MAX

    def came(self, id: MatchId, table: int) -> None:
        """Someone plays this match at that table."""
        if self.leads:
            self._tables[table] = id
        else:
            self._exchange.tell(self._nodes.lead, "match", _Touched(*id))

    def _hear(self, _: str, touched: _Touched) -> None:
        if self.leads:
            self._settle_soon((touched.game, touched.number))

    async def _find_all(self) -> None:
        """After a start of the hall, or when this node begins to lead."""
        recent: list[Match] = []
        now_ms = self._clock.now_ms()
        async for match in self.book.all():
            if match.id in self.open:
                continue
            if not match.over:
                # Whoever was here when the hall went down is given time to come back. Later than
                # that only a clock can say that has been set back since.
                due_ms = min(match.due_ms, now_ms + self.no_show_ms)
                self.wait_for(match, max(due_ms, now_ms + self.grace_ms))
                self._settle_soon(match.id)
            elif match.ended_ms > now_ms - TOLD_AGAIN_MS:
                recent.append(match)
        for match in sorted(recent, key=lambda match: match.ended_ms):
            self._note_end(match)
            if match.how == "no_show":
                self.send_away(await self._table(match))

    def wait_for(self, match: Match, until_ms: int) -> None:
        """Both players must have come until then."""
        self._forget(match.id)
        self.open[match.id] = match

        def ring() -> None:
            if self._clock.now_ms() < until_ms:
                self._alarms[match.id] = self._clock.call_at(until_ms, ring)
            else:
                self._overdue.add(match.id)
                self._settle_soon(match.id)

        self._alarms[match.id] = self._clock.call_at(until_ms, ring)

    def _stand_back(self) -> None:
        """Another node follows their course from now on."""
        for id in tuple(self.open):
            self._forget(id)
        self._tables.clear()
        self._ended.clear()
        self._unsettled.clear()

    def is_played_at(self, table: int) -> bool:
        """Whether this node has to hear of what happens there."""
        return table in self._tables and not self._nodes.alone

    def owed(self, game: str) -> list[Match]:
        """What a portal may have missed: matches that run, and those that ended lately."""
        since_ms = self._clock.now_ms() - TOLD_AGAIN_MS
        running = [m for m in self.open.values() if m.game == game and m.started]
        return running + [m for m in self._ended.get(game, {}).values() if m.ended_ms > since_ms]

    # What has become of a match

    def told(self, told: Told) -> None:
        id = self._tables.get(told.table)
        started = any(isinstance(event, house.Started) for event in told.events)
        if id is not None and (told.ended or started):
            self._settle_soon(id)

    def _settle_soon(self, id: MatchId) -> None:
        """Something may have happened to this match."""
        self._unsettled[id] = None
        self._has_unsettled.set()

    async def _settle_all(self) -> None:
        """Settles one match after the other, whenever something has happened there."""
        while True:
            await self._has_unsettled.wait()
            self._has_unsettled.clear()
            while self._unsettled:
                id = next(iter(self._unsettled))
                del self._unsettled[id]
                try:
                    await self._settle(id)
                except (Unavailable, TooMany):
                    self._settle_soon(id)
                    await asyncio.sleep(AGAIN_SECONDS)
                except Exception:
                    # The others go on. This one is looked at again when something happens there.
                    log.exception("match_unsettled", game=id[0], match=id[1])

    async def _settle(self, id: MatchId) -> None:
        async with self.turns.of(id):
            match = await self.book.find(id)
            if match is None:
                self._forget(id)  # It could not be written when it was made.
                return
            table = await self._table(match)
            if match.over:
                if id in self.open:
                    # Written by an attempt that was not told so.
                    self._is_over(match, table)
            elif table is not None and (table.status in ("over", "closed") or table.round > 1):
                await self._start(match)
                await self._end(match, table, *await self._result(match, table.id))
            elif table is not None and table.status == "playing":
                await self._start(match)
            elif id in self._overdue:
                await self._end(match, table, await self._who_came(match, table), "no_show")

    async def _start(self, match: Match) -> None:
        if not match.started:
            match = await self.book.change(
                match.id, lambda m: m if m.over else replace(m, started=True)
            )
        known = self.open.get(match.id)
        self.open[match.id] = match
        # It may have been written by an attempt that was not told so.
        if known is None or not known.started:
            self._tell(match)

    async def _end(
        self, match: Match, table: TableInfo | None, scores: tuple[int, int], how: HowEnded
    ) -> None:
        ended_ms = self._clock.now_ms()
        match = await self.book.change(
            match.id,
            lambda m: m if m.over else replace(m, scores=scores, how=how, ended_ms=ended_ms),
        )
        if how == "no_show":
            # At another node someone may have come in this very moment.
            table = await self._table(match)
        self._is_over(match, table)

    def _is_over(self, match: Match, table: TableInfo | None) -> None:
        """It is written so: all others may know."""
        log.info("match_over", game=match.game, match=match.number, how=match.how)
        self._forget(match.id)
        if table is not None:
            self._tables.pop(table.id, None)
        self._note_end(match)
        self._tell(match)
        if match.how == "no_show":
            self.send_away(table)

    def _forget(self, id: MatchId) -> None:
        """Waits for nobody there any more."""
        self.open.pop(id, None)
        self._overdue.discard(id)
        alarm = self._alarms.pop(id, None)
        if alarm is not None:
            alarm.cancel()

    async def _result(self, match: Match, table: int) -> tuple[tuple[int, int], HowEnded]:
        """The scores of the table's first round, and how it ended. Others do not count."""
        place = table << ROUND_BITS | 1
        rounds = await self._store.history(
            game=match.game, player=match.players[0], before=place + 1, limit=1
        )
        if not rounds or rounds[0].place != place:
            return (0, 0), "called_off"
        results = {result.player: result for result in rounds[0].results}
        first, second = (results[player or 0] for player in match.players)
        return _scores(first, second), "played"

    async def _who_came(self, match: Match, table: TableInfo | None) -> tuple[int, int]:
        """The scores of a match for which at most one has come in time."""
        state = None if table is None else (await self._known.load(table.id)).state
        first, second = (
            int(state is not None and player in state.seat_of) for player in match.players
        )
        return first, second

    async def _table(self, match: Match) -> TableInfo | None:
        table = await self._store.table_by_origin(match.origin)
        if table is None:
            return None
        if not match.over:
            # Before the table is looked at: what happens from then on is told.
            self._tables[table] = match.id
            if not self._nodes.alone:
                await self._known.load(table)
        return await self._store.table(table)

    def send_away(self, table: TableInfo | None) -> None:
        """Who still waits there waits for a match that is over."""
        if table is not None and table.status in ("waiting", "playing"):
            self._known.put(Ask(table.id, None, house.Close("no_show"), unheard))

    def _note_end(self, match: Match) -> None:
        ended = self._ended.setdefault(match.game, {})
        ended[match.number] = match
        if len(ended) > TOLD_AGAIN_MAX:
            del ended[next(iter(ended))]

    def _tell(self, match: Match) -> None:
        for listener in self.listeners:
            try:
                listener(match)
            except Exception:
                log.exception("match_listener_failed", game=match.game, match=match.number)


def _scores(first: SeatResult, second: SeatResult) -> tuple[int, int]:
    """Points where the game has them. The winner has more also than one who has left."""
    own, other = (
        int(result.result == "win") if result.score is None else min(result.score, SCORE_MAX - 1)
        for result in (first, second)
    )
    if first.result == "win":
        return max(own, other + 1), other
    if second.result == "win":
        return own, max(other, own + 1)
    return own, other
