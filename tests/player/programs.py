"""The player as its users run it: a program in a process of its own, without our environment."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.processes import Process
from tests.support.waiting import WAIT_SECONDS

PLAYER = Path(__file__).parents[2] / "player"


class Ai(Process):
    """`python3 player`, which plays by itself."""

    def __init__(self, port: int, *options: str, name: str = "Ada", depth: int = 2) -> None:
        super().__init__(
            f"--port={port}",
            f"--name={name}",
            f"--depth={depth}",
            "--host=127.0.0.1",
            *options,
            program=(sys.executable, str(PLAYER)),
        )

    def says(self, text: str) -> bool:
        """Whether some line that it has written so far has this text."""
        return any(text in line for line in tuple(self.stdout))

    def wait_for(self, text: str) -> None:
        self.wait_until(lambda: self.says(text), WAIT_SECONDS)
