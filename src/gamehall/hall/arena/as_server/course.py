"""How the matches of portals go: when they start, how they end, who did not come.

What is told is written before, as a fact beside the match's table. If the hall stops in between,
the table still knows how it went, and so do all that follow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from gamehall.errors import TooMany, Unavailable
from gamehall.hall.arena.as_server.book import HowEnded, Match, MatchBook, MatchId
from gamehall.hall.beat.requests import Ask, Told, unheard
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.common_turns import Turns
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
SCORE_MAX = 2**31 - 1

replace = msgspec.structs.replace


class MatchCourse:
    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        nodes: Nodes,
        tables: Tables,
        book: MatchBook,
        turns: Turns,
        grace_ms: int,
        no_show_ms: int,
    ) -> None:
        """`turns`: changes of one match come one after the other."""
        self._store = store
        self._clock = clock
        self._nodes = nodes
        self._known = tables
        self._book = book
        self._turns = turns
        self._grace_ms = grace_ms
        self._no_show_ms = no_show_ms
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

    async def find_all(self) -> None:
        """After a start of the hall, or when this node begins to lead."""
        recent: list[Match] = []
        now_ms = self._clock.now_ms()
        async for match in self._book.all():
            if match.id in self.open:
                continue
            if not match.over:
                # Whoever was here when the hall went down is given time to come back. Later than
                # that only a clock can say that has been set back since.
                due_ms = min(match.due_ms, now_ms + self._no_show_ms)
                self.wait_for(match, max(due_ms, now_ms + self._grace_ms))
                self.settle_soon(match.id)
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
                self.settle_soon(match.id)

        self._alarms[match.id] = self._clock.call_at(until_ms, ring)

    def stand_back(self) -> None:
        """Another node follows their course from now on."""
        for id in tuple(self.open):
            self._forget(id)
        self._tables.clear()
        self._ended.clear()
        self._unsettled.clear()

    def unseen(self) -> list[MatchId]:
        """Those to which nobody has come, as far as is known."""
        seen = set(self._tables.values())
        return [id for id in self.open if id not in seen]

    def plays_at(self, match: MatchId, table: int) -> None:
        """What happens at this table is the match's."""
        self._tables[table] = match

    def is_played_at(self, table: int) -> bool:
        """Whether this node has to hear of what happens there."""
        return table in self._tables and not self._nodes.alone

    def owed(self, game: str) -> list[Match]:
        """Those that run, and those that ended lately."""
        since_ms = self._clock.now_ms() - TOLD_AGAIN_MS
        running = [m for m in self.open.values() if m.game == game and m.started]
        return running + [m for m in self._ended.get(game, {}).values() if m.ended_ms > since_ms]

    # What has become of a match

    def told(self, told: Told) -> None:
        id = self._tables.get(told.table)
        started = any(isinstance(event, house.Started) for event in told.events)
        if id is not None and (told.ended or started):
            self.settle_soon(id)

    def settle_soon(self, id: MatchId) -> None:
        """Something may have happened to this match."""
        self._unsettled[id] = None
        self._has_unsettled.set()

    async def run(self) -> None:
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
                    self.settle_soon(id)
                    await asyncio.sleep(AGAIN_SECONDS)
                except Exception:
                    # The others go on. This one is looked at again when something happens there.
                    log.exception("match_unsettled", game=id[0], match=id[1])

    async def _settle(self, id: MatchId) -> None:
        async with self._turns.of(id):
            match = await self._book.find(id)
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
            match = await self._book.change(
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
        match = await self._book.change(
            match.id,
            lambda m: m if m.over else replace(m, scores=scores, how=how, ended_ms=ended_ms),
        )
        if how == "no_show":
            # At another node someone may have come in this very moment.
            table = await self._look_up(match)
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
        if table is not None and not match.over:
            # Before the table is looked at: what happens from then on is told.
            self.plays_at(match.id, table)
            if not self._nodes.alone:
                await self._known.load(table)
        return await self._look_up(match)

    async def _look_up(self, match: Match) -> TableInfo | None:
        table = await self._store.table_by_origin(match.origin)
        return None if table is None else await self._store.table(table)

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
