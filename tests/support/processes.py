"""Real processes: the hall as its users run it, killed and started again, and other programs."""

from __future__ import annotations

import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from tests.support.forged import Forged, can_forge

START_SECONDS = 90.0
STOP_SECONDS = 60.0
"""Limits that a machine keeps which is busy with much else: a hall that is asked to stop has 15."""
GAMEHALL = (sys.executable, "-m", "gamehall")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So a shell starts what runs in the background, and so would all that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def allow_many_files(number: int) -> None:
    """For this process and those it starts. Fails if the machine does not allow it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, hard), hard))
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert allowed >= number, f"raise the limit of open files to {number}: ulimit -n {number}"


class Process:
    """`python -m gamehall …` as a process of its own, with all that it has written so far.

    A context manager: what still runs at the end is killed. It is forked from a warm process, and
    so is a `module` in its place; a `program` in its place is started, `program=GAMEHALL` too.
    """

    def __init__(
        self,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        module: str = "gamehall",
        program: Sequence[str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self._module = module
        self.program = program
        """What the next start starts, if it is not `gamehall`."""
        self._folder = folder
        self._environment = {**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})}
        self._popen: subprocess.Popen[str] | Forged | None = None
        self._readers: list[threading.Thread] = []
        self._changed = threading.Condition()
        self.arguments: Sequence[str] = arguments
        self.stdout: list[str] = []
        self.stderr: list[str] = []

    def start(self) -> Self:
        assert not self.running, "it runs already"
        self._popen = self._open()
        streams = ((self._popen.stdout, self.stdout), (self._popen.stderr, self.stderr))
        # Threads, so that a process that writes much never waits for a test that does not read.
        self._readers = [
            threading.Thread(target=self._gather, args=both, daemon=True) for both in streams
        ]
        for reader in self._readers:
            reader.start()
        return self

    def _open(self) -> subprocess.Popen[str] | Forged:
        if self.program is None and can_forge(self.arguments, self._environment):
            return Forged(self._module, self.arguments, self._environment, self._folder)
        return subprocess.Popen(
            [*(self.program or (sys.executable, "-m", self._module)), *self.arguments],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            text=True,
            errors="replace",
        )

    def _gather(self, stream: IO[str], lines: list[str]) -> None:
        for line in stream:
            with self._changed:
                lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        stream.close()
        with self._changed:
            self._changed.notify_all()

    @property
    def pid(self) -> int:
        assert self._popen is not None, "it was never started"
        return self._popen.pid

    @property
    def running(self) -> bool:
        return self._popen is not None and self._popen.poll() is None

    def wait_until(
        self,
        holds: Callable[[], bool],
        seconds: float = START_SECONDS,
        *,
        pause_seconds: float = 0.1,
    ) -> None:
        """Returns when `holds`, which is asked after every line and every pause. Fails if the
        process ends first, or the time does."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not holds():
                assert self.running, f"it has ended:\n{self.report()}"
                left = deadline - time.monotonic()
                assert left > 0, f"not within {seconds:g} seconds:\n{self.report()}"
                self._changed.wait(min(left, pause_seconds))

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """The exit code, once the process has ended and all it wrote is here."""
        assert self._popen is not None, "it was never started"
        try:
            code = self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running:\n{self.report()}") from None
        for reader in self._readers:
            reader.join(STOP_SECONDS)
        return code

    def kill(self) -> None:
        """As a crash: no chance to say or write anything."""
        if self.running:
            assert self._popen is not None
            self._popen.kill()
        self.wait()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Asks it to end; the exit code."""
        assert self._popen is not None, "it was never started"
        self._popen.send_signal(number)
        return self.wait(STOP_SECONDS)

    def report(self) -> str:
        """What it was and what it said, for a failure's message."""
        lines = [f"$ gamehall {' '.join(self.arguments)}", *self.stdout[-20:], *self.stderr[-40:]]
        return "\n".join(lines)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._popen is not None:
            self.kill()


_given: deque[int] = deque(maxlen=100)
"""Ports that were given out last: one that nobody has opened yet is not free."""
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 6
"""Of the processes that run tests side by side."""


def own_port() -> int:
    """A port that nobody is given by chance while its server is down: it is below those that a
    system hands out by itself, and other workers have others."""
    for _ in range(100):
        port = 20_000 + 2_000 * WORKER + random.SystemRandom().randrange(2_000)
        if port in _given:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _given.append(port)
        return port
    raise AssertionError("no port is free")


class HallProcess(Process):
    """`gamehall serve` on free ports, and on the same ones again after `restart`.

    `ports` has the port of each open door by its name. `settings` are as in `--set`; a change of
    them holds from the next start on.
    """

    def __init__(
        self,
        data: Path,
        *,
        settings: Sequence[str] = (),
        doors: Sequence[str] = ("native-tcp",),
        more: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        module: str = "gamehall",
        program: Sequence[str] | None = None,
        folder: Path | None = None,
    ) -> None:
        super().__init__(environment=environment, module=module, program=program, folder=folder)
        self.data = data
        self.ports: dict[str, int] = {}
        self.settings = list(settings)
        self._doors = doors
        self._more = more

    def start(self) -> Self:
        """Returns when the hall says that it is ready."""
        for name in (*self._doors, "native"):
            self.ports.setdefault(name, own_port())
        doors = ",".join(f"{name}={self.ports[name]}" for name in self._doors)
        self.arguments = [
            "serve",
            f"--data={self.data}",
            f"--port={self.ports['native']}",
            f"--doors={doors or 'none'}",
            *(f"--set={setting}" for setting in self.settings),
            *self._more,
        ]
        said = len(self.stderr)
        super().start()
        self.wait_until(lambda: "ready" in self.stderr[said:])
        for line in self.stderr[said:]:
            if line.startswith("door "):
                _, name, address = line.split()
                self.ports[name] = int(address.rpartition(":")[2])
        return self

    def restart(self) -> None:
        """Kills it if it still runs, and starts it again on the same ports and data."""
        self.kill()
        self.start()

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.ports['native']}/ws"

    @property
    def tcp_url(self) -> str:
        return f"tcp://127.0.0.1:{self.ports['native-tcp']}"

    @property
    def web_url(self) -> str:
        return f"http://127.0.0.1:{self.ports['native']}"
