"""The load generator, which is C: compiled here, and run against one server at a time."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from servers import Started, pin

SOURCES = Path(__file__).parents[1] / "generator"
CORE = 1
"""The server has core 0."""
BUSY_MAX = 0.9
"""Of its core; a generator that was busier was the limit itself."""
WAIT_SECONDS = 300
FAULT_CHARS = 400


class Faulty(Exception):
    """A run that says nothing: the server refused something, or the two did not agree."""


class Figures(msgspec.Struct):
    """What one run has shown."""

    seconds: float
    total: int
    rate: float
    p50_us: float
    p99_us: float
    max_us: float
    busy: float
    """The share of its core that the generator used."""
    errors: int
    mismatches: int
    late: int = 0
    """Times that a move was due and no table was free for it."""
    spread_p50_us: float = 0
    """From the first who had a message to the last."""
    bytes: int = 0
    """Of the message that went to all."""
    cpu_us: float = 0
    """The server's processor time for each of `total`."""

    @property
    def was_the_limit(self) -> bool:
        return self.busy > BUSY_MAX


class Generator:
    def __init__(self, folder: Path) -> None:
        """Compiles it into the folder."""
        compiler = shlex.split(os.environ.get("CC", "cc"))
        if shutil.which(compiler[0]) is None:
            raise SystemExit(
                f"The load generator is written in C, and there is no {compiler[0]!r} here. Install"
                " a C compiler, such as gcc or clang, or name one in the variable CC."
            )
        self._program = str(folder / "load")
        sources = [str(path) for path in sorted(SOURCES.glob("*.c"))]
        flags = ["-std=c11", "-O2", "-Wall", "-Wextra"]
        subprocess.run([*compiler, *flags, *sources, "-o", self._program], check=True)

    def run(self, mode: str, server: Started, protocol: str, *options: object) -> Figures:
        """Loads the server until the run is over. Raises Faulty."""
        with self.running(mode, server, protocol, *options) as figures:
            return figures

    @contextmanager
    def running(
        self, mode: str, server: Started, protocol: str, *options: object
    ) -> Iterator[Figures]:
        """The figures; in mode `crowd` all stay connected meanwhile. Raises Faulty."""
        _, port = server.doors["native"]
        command = [self._program, mode, "-k", protocol, "-p", str(port), *map(str, options)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: pin(0, CORE),
        )
        with process:
            try:
                yield _figures(process, server, command)
                process.communicate(timeout=WAIT_SECONDS)
            finally:
                process.kill()


def _figures(process: subprocess.Popen[str], server: Started, command: Sequence[str]) -> Figures:
    """Reads `begin`, and the report when the run is over; the server's time lies between."""
    assert process.stdout is not None
    begun = process.stdout.readline()
    before = server.cpu_seconds()
    said = process.stdout.readline()
    used = server.cpu_seconds() - before
    figures = msgspec.json.decode(said, type=Figures) if begun and said else None
    if figures is None or figures.errors or figures.mismatches:
        _, errors = process.communicate(timeout=WAIT_SECONDS)
        raise Faulty(f"{' '.join(command[1:])}: {errors.strip()[-FAULT_CHARS:]}")
    figures.cpu_us = used / max(1, figures.total) * 1e6
    return figures
