"""What a hall does unasked: lets idle tables go, forgets old rounds, empties deserted seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from gamehall.errors import HallError, Unavailable
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.nodes.background import AGAIN_SECONDS
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.players import Players
from gamehall.hall.seats.attendance import Attendance
from gamehall.hall.seats.house_tables import HouseTables
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 30.0
"""How often idle tables are let go."""
FORGET_SECONDS = 3600.0
PAGE = 100


class Housekeeping:
    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        nodes: Nodes,
        tables: Tables,
        players: Players,
        audiences: Audiences,
        attendance: Attendance,
        house_tables: HouseTables,
        is_needed: Callable[[int], bool],
        grace_seconds: float,
        keep_days: float,
    ) -> None:
        """`is_needed`: whether this node has to have a table in memory. `keep_days`: how long
        finished casual rounds stay; 0 for ever."""
        self._store = store
        self._clock = clock
        self._nodes = nodes
        self._tables = tables
        self._players = players
        self._audiences = audiences
        self._attendance = attendance
        self._house_tables = house_tables
        self._is_needed = is_needed
        self._grace_seconds = grace_seconds
        self._keep_days = keep_days

    async def leave_for_absent(self) -> None:
        """After a restart, gives up the seats of players who did not come back in grace time."""
        started_ms = self._clock.now_ms()
        await asyncio.sleep(self._grace_seconds)
        after = 0
        while True:
            try:
                page = await self._store.tables(
                    game=None, status=None, private=True, after=after, limit=PAGE
                )
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            for info in page:
                after = info.id
                # Those that were opened since know who is here; none is opened in the future.
                if not started_ms <= info.opened_at_ms <= self._clock.now_ms():
                    await self._leave_at(info.id)
            if len(page) < PAGE:
                return

    async def _leave_at(self, id: int) -> None:
        try:
            table = await self._tables.load(id)
        except HallError as error:
            log.warning("absent_players_stay", table=id, code=error.code)
            return
        state = table.state
        bound = table.kind.game.binding and not state.walk_in
        for player, seat in state.seat_of.items() if bound else ():
            online = self._players.online.get(player)
            if state.chairs[seat].bot is None and (online is None or not online.here):
                if online is not None and online.alarm is not None:
                    continue
                self._attendance.leave_for(player, id)

    async def sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._house_tables.close_deserted()
            self._tables.evict(self._keeps)
            self._audiences.forget_unknown(self._tables.is_known)

    def _keeps(self, table: KnownTable) -> bool:
        if self._is_needed(table.id):
            return True
        self._audiences.forget(table.id)
        return False

    async def forget(self) -> None:
        while self._keep_days > 0:
            before_ms = self._clock.now_ms() - int(self._keep_days * 86_400_000)
            try:
                forgotten = PAGE if self._nodes.leads else 0
                while forgotten == PAGE:
                    forgotten = await self._store.forget(before_ms, PAGE)
            except HallError as error:
                log.warning("cannot_forget", code=error.code)
            await asyncio.sleep(FORGET_SECONDS)
