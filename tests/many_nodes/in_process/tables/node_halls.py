"""Nodes of one hall in one process, on a real PostgreSQL and a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from gamehall.bots.house_bots import HouseBots
from gamehall.bus.redis_bus import RedisBus
from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.hall.beat.requests import Done
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.clock import SystemClock
from gamehall.hall.wiring import HallSettings
from gamehall.store.postgres.store import PostgresStore
from gamehall.table_log.house import Person, Sit
from gamehall.wire.http.other_halls import WebHalls
from tests.bus.redis_server import new_prefix
from tests.bus.redis_server import server as redis
from tests.hall.halls import KEY, LIMIT_SECONDS, FakeLink, TestHall, until
from tests.store.postgres_server import new_url

LEASE_SECONDS = 2.0
"""Long enough for a node of a busy machine not to lose it."""


class NodeHall(TestHall):
    """One node; `crash` ends it as a power cut would, as far as the others can tell."""

    __test__ = False

    def __init__(
        self,
        url: str,
        prefix: str,
        games: Mapping[str, Game[Any]] | None = None,
        wrong_by_ms: int = 0,
        options: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._url = url
        self._prefix = prefix
        self._games = games or {game.name: game for game in GAMES}
        self._wrong_by_ms = wrong_by_ms
        self._options = options
        self._is_up = False

    async def start(self) -> None:
        self.database = PostgresStore(self._url)
        await self.database.start()
        self.bus = LossyBus(redis().url, prefix=self._prefix)
        self.hall = Hall(
            self._games,
            store=self.database,
            bus=self.bus,
            clock=SystemClock(self._wrong_by_ms),
            draw_key=KEY,
            make_bots=partial(HouseBots, solver=None),
            other_halls=WebHalls(),
            settings=HallSettings(
                grace_seconds=60,
                lease_seconds=LEASE_SECONDS,
                options=self._options or {},
            ),
        )
        await self.hall.start()
        self._is_up = True

    async def stop(self) -> None:
        """As planned: its tables are handed over."""
        if self._is_up:
            self._is_up = False
            await self.hall.stop()
            await self.database.stop()
            await self.bus.close()

    async def crash(self) -> None:
        self._is_up = False
        await self.bus.close()
        for task in (*self.hall.rooms.background._tasks, *self.hall.rooms.tables._tasks):
            task.cancel()
        await self.hall.rooms.tables.stop()
        await self.database.stop()

    async def gives_up(self, table: int) -> None:
        """Returns when it has found that a table without an owner is not for it, and has let go of
        what it claimed to find that out."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while True:
                [head] = await self.database.heads([table])
                if head.owner is None and table in self.hall.rooms.tables.waking._unfit:
                    return
                await asyncio.sleep(0.02)

    async def sit(self, link: FakeLink, table: int) -> None:
        assert link.online is not None
        await self.hall.rooms.tables.load(table)
        player = link.online.player
        assert isinstance(await self.ask(link, table, Sit(Person(player.id, player.name))), Done)


class LossyBus(RedisBus):
    """Loses the messages that `loses` says, by kind."""

    loses: frozenset[str] = frozenset()

    def send(self, to: str, message: bytes) -> None:
        if not any(kind.encode() in message[:24] for kind in self.loses):
            super().send(to, message)


@asynccontextmanager
async def nodes(count: int, **how: Any) -> AsyncIterator[list[NodeHall]]:
    """So many, each of which knows the others."""
    url, prefix = await new_url(), new_prefix()
    halls = [NodeHall(url, prefix, **how) for _ in range(count)]
    try:
        for hall in halls:
            await hall.start()
        await until(lambda: all(len(each.hall.rooms.nodes.live) == count for each in halls))
        yield halls
    finally:
        for hall in halls:
            await hall.stop()
