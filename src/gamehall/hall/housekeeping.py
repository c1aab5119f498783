"""What a hall does unasked: lets idle tables go, forgets old rounds, empties deserted seats."""

from __future__ import annotations

import asyncio

import structlog

from gamehall.errors import HallError, Unavailable
from gamehall.hall.nodes.background import AGAIN_SECONDS
from gamehall.hall.wiring import Rooms
from gamehall.store.lists import every_table

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 30.0
"""How often idle tables are let go."""
FORGET_SECONDS = 3600.0
PAGE = 100


class Housekeeping:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def leave_for_absent(self) -> None:
        """After a restart, gives up the seats of players who did not come back in grace time."""
        started_ms = self._rooms.clock.now_ms()
        await asyncio.sleep(self._rooms.settings.grace_seconds)
        after = 0
        while True:
            try:
                async for info in every_table(self._rooms.store, after=after):
                    after = info.id
                    # Those that were opened since know who is here; none is opened in the future.
                    if not started_ms <= info.opened_at_ms <= self._rooms.clock.now_ms():
                        await self._leave_at(info.id)
                return
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)

    async def _leave_at(self, id: int) -> None:
        try:
            table = await self._rooms.tables.load(id)
        except HallError as error:
            log.warning("absent_players_stay", table=id, code=error.code)
            return
        state = table.state
        bound = table.kind.game.binding and not state.walk_in
        for player, seat in state.seat_of.items() if bound else ():
            online = self._rooms.players.online.get(player)
            if state.chairs[seat].bot is None and (online is None or not online.here):
                if online is not None and online.alarm is not None:
                    continue
                self._rooms.attendance.leave_for(player, id)

    async def sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._rooms.house_tables.close_deserted()
            self.let_go_idle()

    def let_go_idle(self) -> None:
        """Tables that nobody here needs leave memory; then their audiences are forgotten."""
        rooms = self._rooms
        rooms.tables.evict(lambda table: rooms.is_needed(table.id))
        # Not before: a table may have to stay, and whoever comes back to it is known by its seat.
        rooms.audiences.forget_unknown(rooms.tables.is_known)

    async def forget(self) -> None:
        """Finished casual rounds, where they do not stay for ever."""
        while (keep_days := self._rooms.settings.keep_days) > 0:
            before_ms = self._rooms.clock.now_ms() - int(keep_days * 86_400_000)
            try:
                forgotten = PAGE if self._rooms.nodes.leads else 0
                while forgotten == PAGE:
                    forgotten = await self._rooms.store.forget(before_ms, PAGE)
            except HallError as error:
                log.warning("cannot_forget", code=error.code)
            await asyncio.sleep(FORGET_SECONDS)
