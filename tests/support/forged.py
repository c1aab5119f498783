"""`gamehall` forked from a process that has it imported: it starts in a fraction of the time."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from tests.support.hall_forge import NUMBER, Order, limits_here

FORGE = Path(__file__).parent / "hall_forge.py"
AT_START = ("PYTHON", "LD_", "LC_", "LANG", "TZ")
"""How variables begin that an interpreter reads when it starts, and not again."""


def can_forge(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether a child of the forge would be just as one that is started."""
    if any(argument.startswith("--workers") for argument in arguments):
        # Its workers are started, and so is the one that starts them.
        return False
    return _read_at_start(environment) == _read_at_start(_surroundings())


class Forged:
    """What the tests use of a `Popen`, for a child of the forge."""

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: Path | None,
    ) -> None:
        out, stdout = os.pipe()
        err, stderr = os.pipe()
        self._line, line = socket.socketpair()
        with line:
            socket.send_fds(_control(), [b"."], [stdout, stderr, line.fileno()])
        os.close(stdout)
        os.close(stderr)
        order = Order(
            module=module,
            arguments=list(arguments),
            environment=dict(environment),
            folder=str(folder or Path.cwd()),
            limits=limits_here(),
        )
        self._line.sendall(json.dumps(order).encode() + b"\n")
        self._lock = threading.Lock()
        self.stdout: IO[str] = os.fdopen(out, errors="replace")
        self.stderr: IO[str] = os.fdopen(err, errors="replace")
        self.pid = self._read()
        self.returncode: int | None = None

    def poll(self) -> int | None:
        with self._lock:
            if self.returncode is None and self._has_ended(0):
                self.returncode = self._read()
                self._line.close()
            return self.returncode

    def wait(self, timeout: float) -> int:
        with self._lock:
            waiting = self.returncode is None
        if waiting:
            self._has_ended(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("gamehall", timeout)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # It has ended, and the forge has yet to say so.
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _has_ended(self, seconds: float) -> bool:
        # No `select`, which knows none of the files of a test that opens thousands.
        waiting = select.poll()
        waiting.register(self._line, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))

    def _read(self) -> int:
        data = self._line.recv(NUMBER.size, socket.MSG_WAITALL)
        assert data, "the forge has gone"
        number: int
        (number,) = NUMBER.unpack(data)
        return number


@cache
def _surroundings() -> Mapping[str, str]:
    """The environment of the forge, which is that of the first test that asks."""
    return {**os.environ, "PYTHONUNBUFFERED": "1"}


@cache
def _control() -> socket.socket:
    """Starts the forge of this test process; it ends when the socket is closed."""
    ours, theirs = socket.socketpair()
    with theirs:
        forge = subprocess.Popen(
            [sys.executable, str(FORGE), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            # Pipes, as a child has: what Python knows of its output it has found out by then.
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=_surroundings(),
        )

    def end() -> None:
        ours.close()
        said, _ = forge.communicate()
        sys.stderr.buffer.write(said)

    atexit.register(end)
    return ours


def _read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}
