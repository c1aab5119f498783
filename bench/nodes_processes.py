"""The nodes of a hall, and other servers, as processes. What they say goes to files."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from servers import UNLIMITED

START_SECONDS = 90.0


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


class Hall:
    """Nodes that share one store. They end with the `with` block."""

    def __init__(
        self, folder: Path, store_url: str, settings: Sequence[str], started: list[Node]
    ) -> None:
        self._folder = folder
        self.store_url = store_url
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
