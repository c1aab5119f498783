"""Several halls in one process, nodes of one hall: a real database, a real Redis, real time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from gamehall.bots.house_bots import HouseBots
from gamehall.bus.redis_bus import RedisBus
from gamehall.errors import HallError
from gamehall.games import GAMES
from gamehall.games.game import Command
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.clock import Alarm, SystemClock
from gamehall.hall.people.online import Online
from gamehall.hall.tournaments.away import OtherHalls
from gamehall.hall.wiring import HallSettings
from gamehall.store.postgres.store import PostgresStore
from gamehall.wire.http.other_halls import WebHalls
from tests.bus import redis_server
from tests.hall.halls import KEY, FakeLink, answer_of
from tests.store.postgres_server import new_url

LEASE_SECONDS = 2.0
"""Long enough for a node of a busy machine not to lose it."""
LIMIT_SECONDS = 30.0


class MortalClock(SystemClock):
    """Nothing rings any more when it is dead."""

    def __init__(self) -> None:
        super().__init__()
        self.dead = False

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> Alarm:
        return super().call_at(due_ms, lambda: None if self.dead else callback())


class Node:
    """One of the halls."""

    def __init__(self, url: str, prefix: str, name: str, **how: Any) -> None:
        self.name = name
        self.clock = MortalClock()
        self.store = PostgresStore(url)
        self.bus = RedisBus(redis_server.server().url, node=name, prefix=prefix)
        self._how = how
        self.hall: Hall
        self.is_up = False

    async def start(self) -> None:
        await self.store.start()
        halls: OtherHalls = self._how.pop("other_halls", None) or WebHalls()
        self.hall = Hall(
            {game.name: game for game in GAMES},
            store=self.store,
            bus=self.bus,
            clock=self.clock,
            draw_key=KEY,
            make_bots=HouseBots,
            other_halls=halls,
            **self._how,
            settings=HallSettings(
                lease_seconds=LEASE_SECONDS,
            ),
        )
        await self.hall.start()
        self.is_up = True

    async def crash(self) -> None:
        """It is gone from one moment to the next, and nobody is told."""
        self.is_up = False
        self.clock.dead = True
        hall = self.hall
        hall.rooms.tables._stopped = True
        if hall.rooms.nodes._alarm is not None:
            hall.rooms.nodes._alarm.cancel()
        for tasks in (hall.rooms.background._tasks, hall.rooms.tables._tasks):
            for task in tuple(tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for table in hall.rooms.tables.all_loaded():
            table.retire()
        await self.bus.close()
        await self.store.stop()

    async def stop(self) -> None:
        """A planned stop."""
        if self.is_up:
            self.is_up = False
            await self.hall.stop()
            await self.store.stop()
            await self.bus.close()

    async def guest(self, name: str) -> FakeLink:
        link = FakeLink()
        await self.hall.people.hello(link, name, None)
        return link

    async def ask(self, link: FakeLink, table: int, command: Command) -> Done | HallError:
        player = me(link).player.id
        answer: Done | HallError = await answer_of(
            lambda reply: self.hall.rooms.tables.put(Ask(table, player, command, reply))
        )
        return answer

    def owns(self, table: int) -> bool:
        return self.is_up and self.hall.rooms.tables.owned(table)


def me(link: FakeLink) -> Online:
    assert link.online is not None
    return link.online


@asynccontextmanager
async def nodes(*names: str, **how: Any) -> AsyncIterator[list[Node]]:
    """Nodes of one hall, in which all know each other. The first by its name leads."""
    url, prefix = await new_url(), redis_server.new_prefix()
    made = [Node(url, prefix, name, **how) for name in names]
    try:
        for node in made:
            await node.start()
        await until(
            lambda: all(node.hall.rooms.nodes.live == tuple(sorted(names)) for node in made)
        )
        yield made
    finally:
        for node in made:
            await node.stop()


async def until(condition: Callable[[], object]) -> None:
    """Returns when the condition holds; fails after a limit."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not condition():
            await asyncio.sleep(0.005)


async def until_true(condition: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        while not await condition():
            await asyncio.sleep(0.02)
