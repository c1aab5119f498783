"""A fork server: a process with the whole package imported, which forks each `gamehall` of a test.

The test sends a byte with three files over the control socket: the child's stdout, its stderr and
its line. It then writes the child's `Order` on the line, and reads there the pid, and the exit code
once the child has ended.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import runpy
import selectors
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypedDict

FILES = 3
"""That a test sends for each child."""
NUMBER = struct.Struct("i")
"""A pid or an exit code, on a line."""
LAZY = (
    # What commands import only when they run.
    "encodings.idna",
    "uvloop",
    "gamehall.server",
    "gamehall.wire.arena.portal_link",
    "gamehall.wire.http.web",
    "gamehall.store.postgres.store",
    "gamehall.bus.redis_bus",
)


class Order(TypedDict):
    """What a child is to run, and in which surroundings."""

    module: str
    arguments: list[str]
    environment: dict[str, str]
    folder: str
    limits: list[tuple[int, tuple[int, int]]]


def limits_here() -> list[tuple[int, tuple[int, int]]]:
    """The limits of this process, for a child that would inherit them."""
    numbers = {getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}
    return [(number, resource.getrlimit(number)) for number in numbers]


class Forge:
    """Forks a child for each order of a test, and tells the test how the child ended."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._lines: dict[int, socket.socket] = {}
        """To the tests that wait for the end of a child, by its pid."""
        self._woken, self._waker = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._on_interrupt = signal.getsignal(signal.SIGINT)

    def run(self) -> Callable[[], None] | None:
        """Serves until the test process has gone, then ends what is left. In a child: returns at
        once, with what the child is to do."""
        self._waker.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # Who interrupts the tests ends this process by ending them.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._selector.register(self._control, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in self._selector.select()}
            if self._woken in ready:
                self._woken.recv(1024)
                self._reap()
            if self._control not in ready:
                continue
            byte, files, _, _ = socket.recv_fds(self._control, 1, FILES)
            if not byte:
                break
            child = self._fork(*files)
            if child is not None:
                return child
        for pid in self._lines:
            os.kill(pid, signal.SIGKILL)
        return None

    def _fork(self, stdout: int, stderr: int, line: int) -> Callable[[], None] | None:
        pid = os.fork()
        if pid == 0:
            self._forget()
            os.dup2(stdout, 1)
            os.dup2(stderr, 2)
        os.close(stdout)
        os.close(stderr)
        if pid == 0:
            return partial(obey, line)
        self._lines[pid] = socket.socket(fileno=line)
        self._tell(pid, pid)
        return None

    def _forget(self) -> None:
        """Leaves nothing of the forge in a child."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, self._on_interrupt)
        self._selector.close()
        for end in (self._control, self._woken, self._waker, *self._lines.values()):
            end.close()

    def _reap(self) -> None:
        while self._lines:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self._tell(pid, os.waitstatus_to_exitcode(status))
            self._lines.pop(pid).close()

    def _tell(self, pid: int, number: int) -> None:
        # A test that has gone need not know.
        with suppress(OSError):
            self._lines[pid].sendall(NUMBER.pack(number))


def obey(line: int) -> None:
    """Runs the command that the line orders, as `python -m MODULE` would."""
    with open(line, "rb") as reading:
        order: Order = json.loads(reading.readline())
    for number, limit in order["limits"]:
        resource.setrlimit(number, limit)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.path[0] = os.getcwd()
    sys.argv[1:] = order["arguments"]
    runpy.run_module(order["module"], run_name="__main__", alter_sys=True)


def main(control: int) -> None:
    commands = runpy.run_module("gamehall", run_name="warm")["COMMANDS"]
    for module in (*LAZY, *(place.partition(":")[0] for place in commands)):
        importlib.import_module(module)
    assert threading.active_count() == 1, "a process with threads must not fork"
    child = Forge(socket.socket(fileno=control)).run()
    if child is not None:
        child()


if __name__ == "__main__":
    main(int(sys.argv[1]))
