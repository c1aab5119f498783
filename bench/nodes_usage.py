"""What the processes of a hall use while something is measured, for each move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

from nodes_load import Load
from nodes_processes import Node
from nodes_servers import Shared


class Usage(NamedTuple):
    """Of some time; processor time in seconds."""

    seconds: float
    moves: int
    nodes: tuple[float, ...]
    postgres: float
    redis: float
    load: float
    commits: int
    redis_in_bytes: int
    redis_out_bytes: int

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    @property
    def servers(self) -> float:
        """Processor time of all but the load."""
        return sum(self.nodes) + self.postgres + self.redis

    @property
    def cores(self) -> float:
        """How many are busy, on average."""
        return (self.servers + self.load) / self.seconds

    def each_us(self, cpu_seconds: float) -> float:
        return cpu_seconds / max(1, self.moves) * 1e6

    def plus(self, more: Usage) -> Usage:
        """Of both times together, with the same processes or others like them."""
        nodes = zip(self.nodes, more.nodes, strict=True)
        return Usage(
            self.seconds + more.seconds,
            self.moves + more.moves,
            tuple(mine + theirs for mine, theirs in nodes),
            self.postgres + more.postgres,
            self.redis + more.redis,
            self.load + more.load,
            self.commits + more.commits,
            self.redis_in_bytes + more.redis_in_bytes,
            self.redis_out_bytes + more.redis_out_bytes,
        )

    def above(self, idle: Usage) -> Usage:
        """Without what the same processes use when nothing happens."""
        share = self.seconds / idle.seconds
        nodes = zip(self.nodes, idle.nodes, strict=True)
        return self._replace(
            nodes=tuple(mine - share * theirs for mine, theirs in nodes),
            postgres=self.postgres - share * idle.postgres,
            redis=self.redis - share * idle.redis,
            commits=round(self.commits - share * idle.commits),
            redis_in_bytes=round(self.redis_in_bytes - share * idle.redis_in_bytes),
            redis_out_bytes=round(self.redis_out_bytes - share * idle.redis_out_bytes),
        )


class Meter:
    """Begins when it is made."""

    def __init__(self, shared: Shared, nodes: Sequence[Node], load: Load, commits: int):
        self._shared = shared
        self._nodes = nodes
        self._load = load
        self._commits = commits
        self._redis = shared.redis_stats()
        self._moves = load.moves
        self._cpu = self._cpu_seconds()
        self._began = time.perf_counter()

    @classmethod
    async def begin(cls, shared: Shared, nodes: Sequence[Node], load: Load) -> Meter:
        return cls(shared, nodes, load, await shared.commits())

    def _cpu_seconds(self) -> list[float]:
        processes = (*self._nodes, self._shared.postgres, self._shared.redis)
        return [*(process.cpu_seconds() for process in processes), time.process_time()]

    async def end(self) -> Usage:
        seconds = time.perf_counter() - self._began
        used = [now - before for now, before in zip(self._cpu_seconds(), self._cpu, strict=True)]
        *nodes, postgres, redis, load = used
        moves = self._load.moves - self._moves
        stats = self._shared.redis_stats()
        return Usage(
            seconds,
            moves,
            tuple(nodes),
            postgres,
            redis,
            load,
            await self._shared.commits() - self._commits,
            stats.in_bytes - self._redis.in_bytes,
            stats.out_bytes - self._redis.out_bytes,
        )


async def paced(
    shared: Shared, nodes: Sequence[Node], load: Load, rate: float, seconds: float
) -> Usage:
    """While the games move so many times a second in all; 0 is idle."""
    meter = await Meter.begin(shared, nodes, load)
    if rate:
        await load.pace(rate, seconds)
    else:
        await asyncio.sleep(seconds)
    return await meter.end()
