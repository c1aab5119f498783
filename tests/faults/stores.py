"""A store in processes of its own, on a disk that fails: many of them, each forked from one process
that has all of it imported.

python -m tests.faults.stores
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
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
FROZEN = "frozen"


def move() -> Append:
    """One that costs a stake. Who sends it again sends the same."""
    return append(TABLE, 1, paying(pay(PLAYER, f"pot:{TABLE}", STAKE)), beat_id=7)


class Stores:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def do(
        self, deed: Deed, path: Path, disk: FaultyDisk, beside: Callable[[], None] | None = None
    ) -> int:
        """The exit code of a store that does so on that disk: 0 once it has. `beside` is called
        when it is frozen; when that returns, the store goes on."""
        disk.prepare()
        answer = self._ask(json.dumps([deed, str(path), disk.environment]))
        while answer == FROZEN:
            assert beside is not None
            try:
                beside()
            finally:
                answer = self._ask("go on")
        return int(answer)

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()


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
        _tell(_ended(pid))


def _ended(pid: int) -> int:
    """The exit code of a store, which is sent on each time that it is frozen and that was told."""
    _, status = os.waitpid(pid, os.WUNTRACED)
    while os.WIFSTOPPED(status):
        _tell(FROZEN)
        sys.stdin.readline()
        os.kill(pid, signal.SIGCONT)
        _, status = os.waitpid(pid, os.WUNTRACED)
    return os.waitstatus_to_exitcode(status)


def _tell(answer: object) -> None:
    sys.stdout.write(f"{answer}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _serve()
