"""Nodes of one hall in one process: a real PostgreSQL, a real Redis, real time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

from gamehall.bots.house_bots import HouseBots
from gamehall.bus.redis_bus import RedisBus
from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.hall.beat.requests import Done
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.clock import Alarm, SystemClock
from gamehall.hall.people.online import Online
from gamehall.hall.settings import HallSettings
from gamehall.hall.tournaments.away import OtherHalls
from gamehall.hall.wiring import Rooms
from gamehall.store.postgres.store import PostgresStore
from gamehall.table_log.house import Person, Sit
from gamehall.wire.http.other_halls import WebHalls
from tests.bus import redis_server
from tests.hall.halls import KEY, LIMIT_SECONDS, FakeLink, TestHall, until
from tests.store.postgres_server import new_url, peek

LEASE_SECONDS = 8.0
"""Long enough for a node of a busy machine not to lose it: two seconds were not."""
CRASHED_SECONDS = 1.0
"""What is left of the lease of a node that crashes."""


class MortalClock(SystemClock):
    """Nothing rings any more when it is dead."""

    dead = False

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> Alarm:
        return super().call_at(due_ms, lambda: None if self.dead else callback())


class LossyBus(RedisBus):
    """Loses the messages that `loses` says, by kind."""

    loses: frozenset[str] = frozenset()
    lost = 0

    def send(self, to: str, message: bytes) -> None:
        if any(kind.encode() in message[:24] for kind in self.loses):
            self.lost += 1
        else:
            super().send(to, message)


class NodeHall(TestHall):
    """One node. `settings` are the hall's."""

    __test__ = False

    def __init__(
        self,
        url: str,
        prefix: str,
        games: Mapping[str, Game[Any]] | None = None,
        *,
        name: str | None = None,
        wrong_by_ms: int = 0,
        other_halls: OtherHalls | None = None,
        **settings: Any,
    ) -> None:
        self._url = url
        self._prefix = prefix
        self._games = games or {game.name: game for game in GAMES}
        self._name = name
        self._wrong_by_ms = wrong_by_ms
        self._other_halls = other_halls or WebHalls()
        self._settings = HallSettings(lease_seconds=LEASE_SECONDS, **settings)
        self._is_up = False

    async def start(self) -> None:
        self.database = PostgresStore(self._url)
        await self.database.start()
        self.bus = LossyBus(redis_server.server().url, node=self._name, prefix=self._prefix)
        self._mortal_clock = MortalClock(self._wrong_by_ms)
        rooms = Rooms(
            self._games,
            store=self.database,
            bus=self.bus,
            clock=self._mortal_clock,
            draw_key=KEY,
            make_bots=partial(HouseBots, solver=None),
            other_halls=self._other_halls,
            settings=self._settings,
        )
        self.hall = Hall(rooms)
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
        """Ends it as a power cut would, as far as the others can tell."""
        self._is_up = False
        self._mortal_clock.dead = True
        await self.bus.close()
        tasks = (*self.hall.rooms.background._tasks, *self.hall.rooms.tables._background._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.hall.rooms.tables.stop()
        await self.database.stop()
        end = f"least(expires_at, clock_timestamp() + interval '{CRASHED_SECONDS} seconds')"
        await peek(self._url, f"UPDATE nodes SET expires_at = {end} WHERE name = $1", self.bus.node)

    def owns(self, table: int) -> bool:
        return self._is_up and self.hall.rooms.tables.owned(table)

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


def me(link: FakeLink) -> Online:
    """The player at the link."""
    assert link.online is not None
    return link.online


def nodes(count: int, **how: Any) -> AbstractAsyncContextManager[list[NodeHall]]:
    """So many, each of which knows the others. The first, which is the oldest, leads."""
    return _nodes([None] * count, **how)


def named_nodes(*names: str, **how: Any) -> AbstractAsyncContextManager[list[NodeHall]]:
    """Nodes that know each other. The first by its name leads; none may start a second time."""
    return _nodes(names, **how)


@asynccontextmanager
async def _nodes(names: Sequence[str | None], **how: Any) -> AsyncIterator[list[NodeHall]]:
    url, prefix = await new_url(), redis_server.new_prefix()
    halls = [NodeHall(url, prefix, name=name, **how) for name in names]
    try:
        for hall in halls:
            await hall.start()
        await until(lambda: all(len(each.hall.rooms.nodes.live) == len(halls) for each in halls))
        yield halls
    finally:
        for hall in halls:
            await hall.stop()


async def until_true(condition: Callable[[], Awaitable[object]]) -> None:
    """As `until`, for a condition that has to be awaited."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not await condition():
            await asyncio.sleep(0.02)
