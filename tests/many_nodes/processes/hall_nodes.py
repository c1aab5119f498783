"""Several nodes of one hall as real processes, each with a line of its own to PostgreSQL and Redis.

Every node can be killed, frozen, stopped, started again and cut off from either server. What they
logged is shown with the failure of a test.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bus.redis_server import RedisServer
from tests.many_nodes.processes.proxies import Network, Proxy
from tests.store import postgres_server
from tests.support import hall_logs
from tests.support.processes import HallProcess
from tests.system.e2e.programs import Program

LEASE_SECONDS = 5
"""Long enough for a node of a busy machine not to lose it: one second was not."""
LINES_SHOWN = 30
CLOCK = "dev.clock_offset_seconds="
SETTINGS = (
    f"store.lease_seconds={LEASE_SECONDS}",
    # Tests are faster than people.
    "limits.messages_per_second=0",
    "bingo.pause_seconds=0.02",
    "bingo.ready_seconds=1",
    "sicbo.betting_seconds=1.5",
    "sicbo.reveal_seconds=0.2",
    "sicbo.pause_seconds=0.2",
)


class HallNode:
    """One node: a process, its doors, and its lines to what it shares with the others."""

    def __init__(self, number: int, process: HallProcess, postgres: Proxy, redis: Proxy) -> None:
        self.number = number
        self.process = process
        self.postgres = postgres
        self.redis = redis
        self._frozen = False
        self._log_read = 0

    def url(self, door: str) -> str:
        return self.process.ws_url if door == "ws" else self.process.tcp_url

    @property
    def store_setting(self) -> str:
        """Where it finds the database."""
        return next(each for each in self.process.settings if each.startswith("store.url="))

    async def start(self) -> None:
        """Returns when it is ready. After an end it has the same ports, and another name."""
        await asyncio.to_thread(self.process.start)

    async def kill(self) -> None:
        """As a crash."""
        await asyncio.to_thread(self.process.kill)

    async def stop(self) -> None:
        """As its operator does; it must end well."""
        code = await asyncio.to_thread(self.process.stop)
        assert code == 0, self.process.report()

    def set_clock(self, offset_seconds: float) -> None:
        """From its next start on its clock is wrong by so much."""
        settings = self.process.settings
        settings[:] = [each for each in settings if not each.startswith(CLOCK)]
        settings.append(f"{CLOCK}{offset_seconds}")

    def freeze(self) -> None:
        """It does nothing any more, and does not know it."""
        self._frozen = True
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        self._frozen = False
        if self.process.running:
            os.kill(self.process.pid, signal.SIGCONT)

    def new_log(self) -> list[str]:
        """What it has logged since this was asked last."""
        lines = self.process.stderr[self._log_read :]
        self._log_read += len(lines)
        return lines

    def heal(self) -> None:
        """It runs on if it was frozen, and reaches both servers."""
        if self._frozen:
            self.thaw()
        self.postgres.heal()
        self.redis.heal()

    def end(self) -> None:
        if self._frozen:
            self.thaw()
        if self.process.running:
            self.process.kill()


class HallNodes:
    """The nodes of one hall."""

    def __init__(
        self,
        data: Path,
        network: Network,
        url: str,
        redis: RedisServer | None,
        settings: Sequence[str],
        program: Program | None,
        environments: Sequence[Mapping[str, str]],
    ) -> None:
        self.url = url
        """Of the database, without any proxy."""
        self.redis = redis
        self.data = data
        self.nodes: list[HallNode] = []
        self.connections = 0
        """How many there were in runs that are over."""
        self._network = network
        self._settings = settings
        self._program = program
        self._environments = environments

    def __getitem__(self, number: int) -> HallNode:
        return self.nodes[number]

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[HallNode]:
        return iter(self.nodes)

    def add(self, *more: str) -> HallNode:
        """A node that is not started yet, with `more` settings of its own."""
        postgres = self._network.proxy(postgres_server.server().port)
        redis = self._network.proxy(0 if self.redis is None else self.redis.port)
        direct, through = postgres_server.server().port, postgres.port
        settings = [
            f"store.url={self.url.replace(f':{direct}/', f':{through}/')}",
            *SETTINGS,
            *self._settings,
            *more,
        ]
        if self.redis is not None:
            settings.append(f"bus.url=redis://127.0.0.1:{redis.port}")
        number = len(self.nodes)
        process = HallProcess(
            self.data,
            settings=settings,
            environment=self._environments[number] if self._environments else None,
            **(self._program or Program()),
        )
        node = HallNode(number, process, postgres, redis)
        self.nodes.append(node)
        return node

    async def start(self, number: int, *, offsets_seconds: Sequence[float] = ()) -> None:
        """Starts that many nodes at once; their clocks are wrong by so much."""
        for _ in range(number):
            self.add()
        for node, offset in zip(self.nodes, offsets_seconds, strict=False):
            node.set_clock(offset)
        await asyncio.gather(*(node.start() for node in self.nodes))

    def check_logs(self) -> None:
        """Raises AssertionError if a node has logged a fault of its own since the last time."""
        for node in self.nodes:
            faults = hall_logs.faults(node.new_log(), hall_logs.FAILING_POSTGRES)
            assert not faults, faults

    def report(self) -> str:
        """The last that each of them has logged."""
        return "\n\n".join(
            "\n".join([f"node {node.number}:", *node.process.stderr[-LINES_SHOWN:]])
            for node in self.nodes
        )


@contextmanager
def hall_nodes(
    data: Path,
    url: str,
    redis: RedisServer | None,
    *settings: str,
    program: Program | None = None,
    environments: Sequence[Mapping[str, str]] = (),
) -> Iterator[HallNodes]:
    """A hall without nodes, in a database that is its own. Its nodes end with it. `program`: what
    is started in place of `gamehall`; `environments`: in which, if any, one for each node."""
    with ExitStack() as stack:
        network = stack.enter_context(Network())
        halls = HallNodes(data, network, url, redis, settings, program, environments)
        try:
            yield halls
        finally:
            for node in halls:
                node.end()
