"""What may befall a hall of three nodes on PostgreSQL and Redis, and for how long."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any

from tests.faults.backups import Backups
from tests.faults.disk import FaultyDisk
from tests.faults.doctors import Doctors
from tests.many_nodes.processes.hall_nodes import HallNode, HallNodes
from tests.many_nodes.processes.proxies import Proxy
from tests.store import postgres_server

log = logging.getLogger(__name__)

LEASE_SECONDS = 4
"""A shorter one is lost for good where the machine is so busy that a renewal takes too long."""
LASTS_SECONDS = (0.3, 1.0, 2.5, 5.5)
"""Shorter and longer than a lease, and than the pause between two rounds."""
HOUR_SECONDS = 3600
CLOCKS_SECONDS = (0, 0, HOUR_SECONDS, -HOUR_SECONDS)
STEPS_SECONDS = (-86_400, -HOUR_SECONDS, -5, 5, HOUR_SECONDS, 86_400)
SLOW_SECONDS = (0.02, 0.15)


class Faults:
    """Those of one run. Each is over by itself: then all is well again. A doctor and a backup begin
    to read before each of them."""

    def __init__(self, halls: HallNodes, machines: Sequence[FaultyDisk], rng: Random) -> None:
        """`machines`: whose clocks the nodes have."""
        self.happened: Counter[str] = Counter()
        self.doctors = Doctors(halls.data)
        self.backups = Backups(halls.url)
        self._halls = halls
        self._machines = machines
        self._rng = rng
        # What befalls one process, or one way, comes one after the other.
        self._turns: dict[object, asyncio.Lock] = {}

    def draw(self) -> Coroutine[Any, Any, None]:
        """One of them, of a kind, at a node and for a time that the seed has decided."""
        name = self._rng.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
        node = self._rng.choice(self._halls.nodes)
        seconds = self._rng.choice(LASTS_SECONDS)
        return self._befall(name, node, seconds, Random(self._rng.random()))

    async def _befall(self, name: str, node: HallNode, seconds: float, rng: Random) -> None:
        log.info("%s, node %d, %g seconds", name, node.number, seconds)
        self.happened[name] += 1
        await asyncio.gather(self.doctors.begin(node), self.backups.begin(node))
        await KINDS[name][1](self, node, seconds, rng)
        log.info("over: %s, node %d", name, node.number)

    def _turn(self, of: object) -> asyncio.Lock:
        return self._turns.setdefault(of, asyncio.Lock())

    # A process

    async def killed(self, node: HallNode, seconds: float, rng: Random) -> None:
        async with self._turn(node):
            await node.kill()
            await self._comes_back(node, seconds, rng)

    async def stopped(self, node: HallNode, seconds: float, rng: Random) -> None:
        async with self._turn(node):
            await node.stop()
            await self._comes_back(node, seconds, rng)

    async def rolling_restart(self) -> None:
        """All of them, one after the other, as for a new release."""
        self.happened["rolling restart"] += 1
        for node in self._halls:
            await self.stopped(node, 0, self._rng)

    async def _comes_back(self, node: HallNode, seconds: float, rng: Random) -> None:
        await asyncio.sleep(seconds)
        node.set_clock(rng.choice(CLOCKS_SECONDS))
        await node.start()

    async def frozen(self, node: HallNode, seconds: float, _: Random) -> None:
        async with self._turn(node):
            node.freeze()
            await asyncio.sleep(seconds)
            node.thaw()

    async def clock_stepped(self, rng: Random) -> None:
        """While a node runs; it stays so, as nobody has to set it right for the hall."""
        self.happened["clock stepped"] += 1
        rng.choice(self._machines).set_clock(rng.choice(STEPS_SECONDS))

    # Its ways to the servers

    async def refused(self, node: HallNode, seconds: float, rng: Random) -> None:
        await self._hinder(rng.choice((node.postgres, node.redis)), Proxy.refuse, seconds)

    async def hung(self, node: HallNode, seconds: float, rng: Random) -> None:
        await self._hinder(rng.choice((node.postgres, node.redis)), Proxy.hang, seconds)

    async def one_way(self, node: HallNode, seconds: float, rng: Random) -> None:
        how = rng.choice((Proxy.lose_requests, Proxy.lose_answers))
        await self._hinder(rng.choice((node.postgres, node.redis)), how, seconds)

    async def slowed(self, node: HallNode, seconds: float, rng: Random) -> None:
        delay = rng.choice(SLOW_SECONDS)
        ways = (node.postgres, node.redis)
        await self._hinder(rng.choice(ways), lambda proxy: proxy.slow(delay), seconds)

    async def cut_off(self, node: HallNode, seconds: float, rng: Random) -> None:
        """From both, and so from all other nodes: for longer than the pause between rounds."""
        how = rng.choice((Proxy.refuse, Proxy.hang))
        seconds = max(seconds, 1.0)
        both = (self._hinder(way, how, seconds) for way in (node.postgres, node.redis))
        await asyncio.gather(*both)

    async def scattered(self, _: HallNode, seconds: float, rng: Random) -> None:
        """No node reaches another, and all of them the database."""
        how = rng.choice((Proxy.refuse, Proxy.hang))
        seconds = max(seconds, 1.0)
        await asyncio.gather(*(self._hinder(node.redis, how, seconds) for node in self._halls))

    async def _hinder(self, way: Proxy, how: Callable[[Proxy], None], seconds: float) -> None:
        async with self._turn(way):
            how(way)
            await asyncio.sleep(seconds)
            way.heal()

    # The servers

    async def postgres_killed(self, _: HallNode, seconds: float, __: Random) -> None:
        server = postgres_server.server()
        async with self._turn(server):
            await asyncio.to_thread(server.stop, signal.SIGQUIT)
            try:
                await asyncio.sleep(seconds)
            finally:
                # The next run needs it too.
                await asyncio.to_thread(server.start)

    async def redis_killed(self, _: HallNode, seconds: float, __: Random) -> None:
        server = self._halls.redis
        assert server is not None
        async with self._turn(server):
            await asyncio.to_thread(server.kill)
            try:
                await asyncio.sleep(seconds)
            finally:
                # The next run needs it too.
                await asyncio.to_thread(server.start)


Befalls = Callable[[Faults, HallNode, float, Random], Coroutine[Any, Any, None]]
KINDS: dict[str, tuple[int, Befalls]] = {
    "killed": (5, Faults.killed),
    "frozen": (4, Faults.frozen),
    "stopped": (3, Faults.stopped),
    "refused by a server": (3, Faults.refused),
    "server hangs": (3, Faults.hung),
    "one way to a server": (3, Faults.one_way),
    "slow server": (2, Faults.slowed),
    "cut off": (3, Faults.cut_off),
    "scattered": (2, Faults.scattered),
    "PostgreSQL killed": (2, Faults.postgres_killed),
    "Redis killed": (2, Faults.redis_killed),
}
"""What may happen, and how often."""
