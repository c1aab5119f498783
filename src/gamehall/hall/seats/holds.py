"""Who is about to sit down at a table that is being opened, by whichever node.

Everyone is held at one node, the first by name of those that it is connected to, so that nobody is
brought to two tables at once. What is held for another node ends by itself if that is not heard of.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

import structlog

from gamehall.errors import HallError, NotFree
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.notices import NotBegun
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

ABOUT_TO_SIT = 0
"""Stands for a table that is being opened, among those that keep a player busy."""
ASK_SECONDS = 2.0
"""How long another node is waited for."""
HOLD_MS = 15_000
"""How long someone is held for another node that says nothing."""
OPEN_MS = 10_000
"""How long that node may take to open the table."""
LATE_MS = 2000
"""How much later than planned it may say that nobody could be seated."""


class _Hold(Body, frozen=True):
    player: int
    origin: str
    by: str
    """The node that opens the table."""


class Held(Body, frozen=True):
    """Yes, it is."""


class _LetGo(Body, frozen=True):
    player: int
    origin: str


class _Opened(Body, frozen=True):
    player: int
    origin: str
    table: int
    until_ms: int
    """When the seats that are reserved there are not any more."""


class _NotBegun(Body, frozen=True):
    player: int
    table: int


class Hold:
    __slots__ = ("alarm", "by", "online", "origin", "table")

    def __init__(self, online: Online, origin: str, by: str) -> None:
        self.online = online
        self.origin = origin
        self.by = by
        self.table = ABOUT_TO_SIT
        self.alarm: Alarm | None = None


class Holds:
    def __init__(
        self,
        *,
        exchange: Exchange,
        nodes: Nodes,
        players: Players,
        tables: Tables,
        clock: Clock,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._exchange = exchange
        self._players = players
        self._tables = tables
        self._clock = clock
        self._spawn = spawn
        self._held: dict[int, Hold] = {}
        """By player."""
        nodes.on_gone.append(self._node_gone)
        exchange.answer("hold", _Hold, self._asked)
        exchange.on("let_go", _LetGo, self._hear_let_go)
        exchange.on("opened", _Opened, self._hear_opened)
        exchange.on("not_begun", _NotBegun, self._hear_not_begun)

    async def hold(self, people: Iterable[Online], origin: str, by: str = "") -> None:
        """They are busy from now on: for the table that the node `by`, or this one, opens.

        Raises:
            NotFree: someone sits elsewhere by now, or has gone. Then nobody is held.
            Unavailable: someone is at a node that does not answer.
        """
        people, node = tuple(people), self._exchange.node
        here = [online for online in people if self._home(online) == node]
        # Before anything is awaited, so that nobody is brought to two tables.
        self._take(here, origin, by or node)
        try:
            for online in people:
                if online not in here:
                    asked = _Hold(online.player.id, origin, by or node)
                    home = self._home(online)
                    await self._exchange.question(home, "hold", asked, Held, ASK_SECONDS)
        except BaseException:
            self.let_go(people, origin)
            raise

    def let_go(self, people: Iterable[Online], origin: str) -> None:
        """Nothing comes of it: whoever is held for it is free again."""
        changed = []
        for online in people:
            if self._let_go_here(online, origin):
                changed.append(online)
            said = _LetGo(online.player.id, origin)
            self._exchange.tell_each(online.elsewhere, "let_go", said)
        for online in changed:
            self._players.on_change(online)

    def opened(self, people: Sequence[Online], origin: str, table: int, until_ms: int) -> None:
        """The table is there; whoever opened it has them sit down, until then at the latest."""
        for online in people:
            online.busy.add(table)
            self._let_go_here(online, origin)
            said = _Opened(online.player.id, origin, table, until_ms)
            self._exchange.tell_each(online.elsewhere, "opened", said)
        # Whoever is told of one of them is told of all: they sit down together.
        for online in people:
            self._players.on_change(online)

    def not_begun(self, online: Online, table: int) -> None:
        """It could not be seated at the table that was opened for it."""
        said = _NotBegun(online.player.id, table)
        self._exchange.tell_each(online.elsewhere, "not_begun", said)
        self._tell_not_begun(online, table)

    def player_changed(self, online: Online) -> None:
        """Whoever has its seat is not held any more."""
        hold = self._held.get(online.player.id)
        if hold is not None and online.busy & online.seated.keys():
            self._end(hold)
            if hold.table not in online.seated:
                online.busy.discard(hold.table)

    def _home(self, online: Online) -> str:
        """Where this player is held. Raises NotFree if it has gone."""
        nodes = [*online.elsewhere, *([self._exchange.node] if online.links else [])]
        if not nodes:
            raise NotFree
        return min(nodes)

    def _take(self, people: Iterable[Online], origin: str, by: str) -> None:
        taken = [online for online in people if not self._is_held(online, origin)]
        if not all(online.free for online in taken):
            raise NotFree
        for online in taken:
            hold = self._held[online.player.id] = Hold(online, origin, by)
            online.busy.add(ABOUT_TO_SIT)
            if by != self._exchange.node:
                self._end_at(hold, self._clock.now_ms() + HOLD_MS)
        for online in taken:
            self._players.on_change(online)

    def _is_held(self, online: Online, origin: str) -> bool:
        hold = self._held.get(online.player.id)
        return hold is not None and hold.origin == origin

    def _let_go_here(self, online: Online, origin: str) -> bool:
        hold = self._held.get(online.player.id)
        if hold is None or hold.origin != origin:
            return False
        self._end(hold)
        online.busy.discard(ABOUT_TO_SIT)
        return True

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
            self._let_go_here(hold.online, hold.origin)
            self._players.on_change(hold.online)
        else:
            self._end(hold)
            self._tell_not_begun(hold.online, hold.table)

    def _tell_not_begun(self, online: Online, table: int) -> None:
        online.busy.discard(table)
        self._players.on_change(online)
        for link in tuple(online.links):
            link.tell(NotBegun(table))

    # What other nodes say

    def _asked(self, node: str, asked: _Hold, reply: Answering) -> None:
        online = self._players.online.get(asked.player)
        if online is None or not online.links:
            raise NotFree
        self._take((online,), asked.origin, asked.by)
        reply(Held())

    def _hear_let_go(self, node: str, said: _LetGo) -> None:
        online = self._players.online.get(said.player)
        if online is not None and self._let_go_here(online, said.origin):
            self._players.on_change(online)

    def _hear_opened(self, node: str, said: _Opened) -> None:
        hold = self._held.get(said.player)
        if hold is None or hold.origin != said.origin:
            return  # It has its seat, or was let go.
        hold.table = said.table
        hold.online.busy.add(said.table)
        hold.online.busy.discard(ABOUT_TO_SIT)
        self._end_at(hold, said.until_ms + LATE_MS)
        self._players.on_change(hold.online)

    def _hear_not_begun(self, node: str, said: _NotBegun) -> None:
        online = self._players.online.get(said.player)
        if online is None or said.table in online.seated:
            return
        hold = self._held.get(said.player)
        if hold is not None and hold.table == said.table:
            self._end(hold)
        self._tell_not_begun(online, said.table)

    def _node_gone(self, node: str) -> None:
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
