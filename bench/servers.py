"""Starts a server process for a benchmark and tells where its doors are."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

UNLIMITED = ("messages_per_second", "connections_per_address", "connections", "hello_seconds")
"""The limits that a load test would hit; it switches them off and says so."""


class Started:
    def __init__(self, process: subprocess.Popen[str], doors: dict[str, tuple[str, int]]) -> None:
        self.process = process
        self.doors = doors

    @property
    def url(self) -> str:
        host, port = self.doors["native"]
        return f"ws://{host}:{port}/ws"

    def cpu_seconds(self) -> float:
        """The processor time that the process has used, which other load changes less."""
        # The number of its clock, as clock_getcpuclockid(3) makes it: /proc counts in 10 ms.
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def memory_bytes(self) -> int:
        """What the process holds in memory that is its own."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")


def pin(pid: int, core: int) -> None:
    """On a machine with two cores or more, the server has one to itself."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@contextmanager
def started(
    command: Sequence[str],
    core: int = 0,
    *,
    program: str = sys.executable,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Started]:
    """A server that says on standard error where its doors are, and `ready`."""
    process = subprocess.Popen(
        [program, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        preexec_fn=lambda: pin(0, core),
    )
    try:
        yield Started(process, _doors(process))
    finally:
        process.kill()
        process.wait()


@contextmanager
def hall(*options: str, data: Path | None = None, core: int = 0) -> Iterator[Started]:
    """A hall with the limits off that a load would hit."""
    with tempfile.TemporaryDirectory() as folder:
        sets = [word for name in UNLIMITED for word in ("--set", f"limits.{name}=0")]
        where = ["--data", str(data or folder), "--port", "0", "--doors", "none"]
        with started(["-m", "gamehall", "serve", *where, *sets, *options], core) as server:
            yield server


def _doors(process: subprocess.Popen[str]) -> dict[str, tuple[str, int]]:
    assert process.stderr is not None
    doors = {}
    lines = []
    for line in process.stderr:
        lines.append(line)
        words = line.split()
        if words[:1] == ["door"]:
            host, port = words[2].rsplit(":", 1)
            doors[words[1]] = (host, int(port))
        elif words == ["ready"]:
            return doors
    raise SystemExit("The server did not start:\n" + "".join(lines))
