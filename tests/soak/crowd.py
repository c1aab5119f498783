"""People at every door of a real hall, who come, play, drop, come back, send again, and go for
good, while others come.

They are the clients of the simulation, over sockets. Others read over HTTP, and two programs use
the arena.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.person import Person
from gamehall.simulation.clients.roster import KINDS
from gamehall.simulation.story import DEEDS, VISITORS
from tests.soak.lines import RealNode
from tests.support.clients import HOST, crash_on_close
from tests.support.processes import HallProcess
from tests.system.originals.party import DuelPage, Party, parties

NATIVES = tuple(f"anna{number}" for number in range(8))
LIFE_SECONDS = (5.0, 60.0)
"""How long someone stays, before another one comes."""
DEED_SECONDS = 0.4
"""Between two things that one does, on average."""
IN_A_HURRY = 0.05
"""How often someone has gone before the answer comes."""
SAME_NAME = ("mario", "duel")
"""Doors whose visitors have an account, or a number that everyone knows: they come again as who
they were. At the others everyone is new."""
READERS = 2
PATHS = ("/", "/healthz", "/metrics", "/api/tables", "/api/tables/{}", "/api/tables/{}/journal")
TABLES = 50
"""Readers look at tables up to this number."""
ARENA_LOOK_SECONDS = 1.0


class Life:
    """A client's surroundings: when its life is over, nothing of it happens any more."""

    def __init__(self, node: RealNode) -> None:
        self.rng = node.rng
        self.connect = node.connect
        self._over = False

    def call_later(self, seconds: float, callback: Callable[..., None], *given: Any) -> object:
        def call() -> None:
            if not self._over:
                callback(*given)

        return asyncio.get_running_loop().call_later(seconds, call)

    def end(self) -> None:
        self._over = True


class Crowd:
    """A context manager: everyone is there until its end."""

    def __init__(self, hall: HallProcess, seed: int) -> None:
        self._hall = hall
        self._rng = Random(seed)
        self._node = RealNode(hall, self._rng)
        self._lives = count(1)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Crowd:
        # What a timer or a socket calls, and fails, has nobody else to tell.
        asyncio.get_running_loop().set_exception_handler(self._note)
        people = [(name, "native") for name in NATIVES]
        people += [(name, door) for door, names in VISITORS.items() for name in names]
        works = [self._one_after_the_other(*each) for each in people]
        works += [self._read() for _ in range(READERS)]
        works.append(self._use_the_arena())
        self._tasks = [asyncio.create_task(work) for work in works]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        asyncio.get_running_loop().set_exception_handler(None)

    def check(self) -> None:
        """Raises what anyone could not understand, or do."""
        for task in self._tasks:
            if task.done():
                task.result()
        if self._node.faults:
            raise self._node.faults[0]

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        fault = error if isinstance(error, BaseException) else AssertionError(context["message"])
        self._node.faults.append(fault)

    # People

    async def _one_after_the_other(self, name: str, door: str) -> None:
        while True:
            number = next(self._lives)
            await self._live(name if door in SAME_NAME else f"{name}{number}", door)

    async def _live(self, name: str, door: str) -> None:
        rng, loop = self._rng, asyncio.get_running_loop()
        life, kind = Life(self._node), KINDS.get(door, Person)
        client: Client = kind(life, name)
        client.come(0.0)
        until = loop.time() + rng.uniform(*LIFE_SECONDS)
        try:
            while loop.time() < until:
                await asyncio.sleep(rng.expovariate(1 / DEED_SECONDS))
                (deed,) = rng.choices(list(DEEDS), list(DEEDS.values()))
                client.do(deed, rng.random())
                if rng.random() < IN_A_HURRY:
                    client.hang_up()  # While it is being answered.
        finally:
            life.end()
            client.hang_up()

    # Over HTTP

    async def _read(self) -> None:
        rng = self._rng
        while True:
            path = rng.choice(PATHS).format(rng.randint(1, TABLES))
            reader, writer = await asyncio.open_connection(HOST, self._hall.ports["native"])
            writer.write(f"GET {path} HTTP/1.1\r\nHost: hall\r\n\r\n".encode())
            if rng.random() < 0.5:
                await reader.readline()
            if rng.random() < 0.5:
                crash_on_close(writer.get_extra_info("socket"))
            writer.transport.abort()
            await asyncio.sleep(rng.expovariate(1 / DEED_SECONDS))

    # At the arena

    async def _use_the_arena(self) -> None:
        party = self._arena()
        party.start()
        try:
            while True:
                await asyncio.sleep(ARENA_LOOK_SECONDS)
                party.tend()
        finally:
            party.leave()

    def _arena(self) -> Party:
        page = DuelPage("duel_page")  # Of another party: nobody opens it.
        everyone = parties(self._hall, self._hall.data, page, games=1)
        return next(party for party in everyone if party.name == "arena")
