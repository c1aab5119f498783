"""Tables at which something happens unasked: their timers are due, or the node that owned them is
gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import structlog

from gamehall.errors import Refused, Unavailable
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.nodes import Nodes
from gamehall.store.lists import every_table
from gamehall.store.store import Store

if TYPE_CHECKING:
    from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

WAKE_PAGE = 256
"""Timers read from the store at once."""
WAKE_PAUSE_MS = 60_000
"""How often the store is asked whose timer is due, at the least."""
ADOPT_SECONDS = 1.0
"""How often a node looks for tables whose owner is gone."""
ADOPT_PAGE = 1000
"""Orphans taken over at once."""
ADOPT_ALL = 5
"""Of so many times one is for the orphans that others have left."""


class Waking:
    def __init__(self, tables: Tables, store: Store, nodes: Nodes, clock: Clock) -> None:
        self._tables = tables
        self._store = store
        self._nodes = nodes
        self._clock = clock
        self._alarm: Alarm | None = None
        self._wake_ms = 0
        self._woken = asyncio.Event()
        # Of several nodes, one that starts owns nothing, and whatever it takes over is loaded.
        self._looked_ahead = not nodes.alone
        self._adoptions = 0
        self._unfit: set[int] = set()
        """Orphans that are not for this node: of a game that it has not, or of a newer release."""

    def wake_at(self, due_ms: int) -> None:
        """Looks, then at the latest, at a timer that no table in memory keeps."""
        if self._alarm is not None and self._wake_ms <= due_ms:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._wake_ms = due_ms
        self._alarm = self._clock.call_at(due_ms, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._woken.set()

    async def run(self) -> None:
        """Loads the tables whose timers are due, for as long as the hall runs."""
        while True:
            self._woken.clear()
            self.wake_at(await self.wake_due())
            await self._woken.wait()

    async def wake_due(self) -> int:
        """Loads them once; when to come back."""
        now_ms = self._clock.now_ms()
        try:
            await self._look_ahead(now_ms)
            async for due_ms, table in self._due():
                if self._tables.loaded(table) is not None or table in self._tables.asleep:
                    continue
                if due_ms > now_ms:
                    return min(due_ms, now_ms + WAKE_PAUSE_MS)
                await self._wake(table)
        except Unavailable:
            log.warning("cannot_wake_tables")
            return now_ms + 1000
        return now_ms + WAKE_PAUSE_MS

    async def _look_ahead(self, now_ms: int) -> None:
        """After a start: loads the tables whose journals lie in the future, since the clock was set
        back. By the clock their timers are not due for long; a table has a time of its own."""
        if self._looked_ahead:
            return
        async for info in every_table(self._store):
            if info.changed_at_ms > now_ms and self._tables.loaded(info.id) is None:
                await self._wake(info.id)
        self._looked_ahead = True

    async def _wake(self, table: int) -> bool:
        try:
            await self._tables.load(table)
        except Refused as error:
            # Of a game that is not here any more, or broken: the others are not to wait for it.
            log.warning("cannot_wake_table", table=table, code=error.code)
            return False
        return True

    async def _due(self) -> AsyncIterator[tuple[int, int]]:
        after = (0, 0)
        while page := await self._store.due(WAKE_PAGE, after, self._nodes.name):
            for entry in page:
                yield entry
            after = page[-1]

    async def keep_adopting(self) -> None:
        """Takes over what is nobody's, for as long as the hall runs."""
        while True:
            if self._nodes.holds:
                await self.adopt()
            await asyncio.sleep(ADOPT_SECONDS)

    async def adopt(self) -> None:
        """Takes over this node's share of the open tables that no live node owns; now and then all
        that are left, which are not for the node whose share they are in."""
        share, shares = self._nodes.place
        self._adoptions += 1
        if self._adoptions % ADOPT_ALL == 0:
            share, shares = 0, 1
        try:
            orphans = await self._store.orphans(share, shares, ADOPT_PAGE)
            for table in orphans:
                if self._tables.loaded(table) is not None or table in self._unfit:
                    continue
                if not await self._wake(table):
                    self._unfit.add(table)
        except Unavailable:
            log.warning("cannot_adopt_tables")

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
