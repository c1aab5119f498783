"""A store in processes of its own, on a disk that fails: many of them, each forked from one process
that has all of it imported.

python -m tests.faults.stores
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from gamehall.store.appends import Append, Durable
from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import answer, append, pay, paying
from tests.faults.disk import FaultyDisk, library
from tests.system.e2e.programs import ROOT

Deed = Literal["start", "start and stop", "start and write", "append"]
"""All but the second go without a stop: as soon as it is started, as its first write is on the disk
(by then the journal is folded), or a move behind that one is acknowledged."""
TABLE = 1
PLAYER = 1
STAKE = 10


def move() -> Append:
    """One that costs a stake. Who sends it again sends the same."""
    return append(TABLE, 1, paying(pay(PLAYER, f"pot:{TABLE}", STAKE)), beat_id=7)


class Stores:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def do(self, deed: Deed, path: Path, disk: FaultyDisk) -> int:
        """The exit code of a store that does so on that disk: 0 once it has."""
        disk.prepare()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = json.dumps([deed, str(path), disk.environment])
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@contextmanager
def stores() -> Iterator[Stores]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.stores"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "LD_PRELOAD": str(library())},
        cwd=ROOT,
        text=True,
    ) as process:
        yield Stores(process)


async def _do(deed: Deed, path: str) -> None:
    store = SqliteStore(path)
    await store.start()
    if deed == "start and stop":
        await store.stop()
    if deed in ("start and write", "append"):
        await store.ping()
    if deed == "append":
        answered = await answer(store, move())
        assert answered == Durable(), answered


def _serve() -> None:
    for line in iter(sys.stdin.readline, ""):
        pid = os.fork()
        if pid == 0:
            deed, path, environment = json.loads(line)
            os.environ.update(environment)
            # As this process would end, were it not one of many: with a traceback, and a code.
            asyncio.run(_do(deed, path))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
