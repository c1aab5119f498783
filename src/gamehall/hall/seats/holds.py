"""Who is about to sit down at a table that is being opened, as this node knows it.

The lead holds people when it pairs them, and nobody twice; the nodes at which they are hold them
too, so that they are busy there from then on. A hold for another node's table ends by itself if
nothing is heard of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
import structlog

from gamehall.errors import HallError, NotFree
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.exchange import Spawn
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.notices import NotBegun
from gamehall.hall.people.online import ABOUT_TO_SIT, Online
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

HOLD_MS = 15_000
"""How long someone is held for another node that says nothing."""
OPEN_MS = 10_000
"""How long that node may take to open the table."""
LATE_MS = 2000
"""How much later than planned it may say that nobody could be seated."""


class Hold(msgspec.Struct, eq=False):
    online: Online
    origin: str
    by: str
    """The node that opens the table."""
    table: int = ABOUT_TO_SIT
    alarm: Alarm | None = None


@dataclass(eq=False, repr=False)
class Holds:
    _nodes: Nodes
    _players: Players
    _tables: Tables
    _clock: Clock
    _spawn: Spawn

    def __post_init__(self) -> None:
        self._held: dict[int, Hold] = {}
        """By player."""

    def take(self, people: Sequence[int], origin: str, by: str) -> None:
        """Holds all of them for the table that the node `by` opens. Raises NotFree: then nobody."""
        found = [self._players.online.get(player) for player in people]
        free = [online for online in found if online is not None and online.free]
        if len(free) != len(found):
            raise NotFree
        self.hold(people, origin, by)

    def hold(self, people: Iterable[int], origin: str, by: str) -> None:
        """As `take`, where the lead has decided it: all who are known here are busy now."""
        held = []
        for player in people:
            online = self._players.online.get(player)
            before = self._held.get(player)
            if online is None or (before and (before.origin == origin or before.table)):
                continue
            if before is not None:
                self._end(before)  # That it is over was not heard here.
            hold = self._held[player] = Hold(online, origin, by)
            online.busy.add(ABOUT_TO_SIT)
            if by != self._nodes.name:
                self._end_at(hold, self._clock.now_ms() + HOLD_MS)
            held.append(online)
        for online in held:
            self._players.on_change(online)

    def origin(self, player: int) -> str:
        """Of the table that it is held for; nothing if it is not."""
        hold = self._held.get(player)
        return "" if hold is None else hold.origin

    def let_go(self, people: Iterable[int], origin: str, by: str) -> None:
        """Nothing comes of it at that node: they are free again."""
        for hold in self._of(people, origin):
            if hold.by == by:
                self._free(hold)

    def opened(self, people: Iterable[int], origin: str, table: int, until_ms: int) -> None:
        """The table is there; the node that opened it seats them, until then at the latest."""
        holds = self._of(people, origin)
        for hold in holds:
            hold.table = table
            hold.online.busy.add(table)
            hold.online.busy.discard(ABOUT_TO_SIT)
            self._end_at(hold, until_ms + LATE_MS)
        # They sit down together: each of them is busy before anyone hears of it.
        for hold in holds:
            self._players.on_change(hold.online)

    def not_begun(self, player: int, table: int) -> None:
        """It could not be seated at the table that was opened for it."""
        online = self._players.online.get(player)
        if online is None or table in online.seated:
            return
        hold = self._held.get(player)
        if hold is not None and hold.table == table:
            self._end(hold)
        self._tell_not_begun(online, table)

    def player_changed(self, online: Online) -> None:
        """Who has the seat is not held any more, nor who has gone."""
        hold = self._held.get(online.player.id)
        if hold is None:
            return
        is_gone = self._players.online.get(online.player.id) is not hold.online
        if is_gone or hold.table not in online.busy:
            self._end(hold)  # What awaited it there may be over before its seat was heard of.
            return
        # Its own node keeps it busy from now on, and has said so.
        elsewhere = not online.links and any(each.playing for each in online.elsewhere.values())
        if online.busy & online.seated.keys() or (elsewhere and hold.table != ABOUT_TO_SIT):
            self._end(hold)
            if hold.table not in online.seated:
                online.let_off(hold.table)

    def _of(self, people: Iterable[int], origin: str) -> list[Hold]:
        holds = (self._held.get(player) for player in people)
        return [hold for hold in holds if hold is not None and hold.origin == origin]

    def _free(self, hold: Hold) -> None:
        self._end(hold)
        hold.online.busy.discard(ABOUT_TO_SIT)
        self._players.on_change(hold.online)

    def _end(self, hold: Hold) -> None:
        del self._held[hold.online.player.id]
        if hold.alarm is not None:
            hold.alarm.cancel()

    def _end_at(self, hold: Hold, due_ms: int) -> None:
        if hold.alarm is not None:
            hold.alarm.cancel()
        hold.alarm = self._clock.call_at(due_ms, lambda: self._run_out(hold))

    def _run_out(self, hold: Hold) -> None:
        if self._held.get(hold.online.player.id) is not hold:
            return
        if hold.table == ABOUT_TO_SIT:
            self._free(hold)
        else:
            self._end(hold)
            self._tell_not_begun(hold.online, hold.table)

    def _tell_not_begun(self, online: Online, table: int) -> None:
        online.let_off(table)
        self._players.on_change(online)
        for link in tuple(online.links):
            link.tell(NotBegun(table))

    def node_gone(self, node: str) -> None:
        for hold in list(self._held.values()):
            if hold.by != node:
                continue
            if hold.table == ABOUT_TO_SIT:
                self._run_out(hold)
            else:
                self._spawn(self._look(hold))

    async def _look(self, hold: Hold) -> None:
        """Has it been seated before the node that opened the table was gone?"""
        try:
            await self._tables.load(hold.table)
        except HallError as error:
            log.warning("seat_out_of_reach", table=hold.table, code=error.code)
        self._run_out(hold)
