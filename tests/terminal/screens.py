"""Real terminals of 80 × 24, by tmux: keys go in, and what stands on the screen comes out."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.debian import find_program
from tests.support.processes import GAMEHALL, HallProcess

WAIT_SECONDS = 60.0
"""Until something is seen: generous, since the machine may be busy."""
COLUMNS, LINES = 80, 24
WANTED = "the terminal's tests need tmux; on Debian: apt-get install tmux"


class Terminal:
    """`gamehall …` in a terminal of its own. A context manager: it ends with all that runs in it.

    When the program has ended, its exit code stands on the screen as `exit code N`.
    """

    def __init__(self, folder: Path, *arguments: str, environment: str = "") -> None:
        self._tmux = find_program(["tmux"], ["tmux"], WANTED)
        # A socket's path has a limit of about a hundred bytes.
        self._socket = os.path.relpath(folder / "tmux")
        program = shlex.join((*GAMEHALL, *arguments))
        self._command = f"{environment} {program}; echo exit code $?; exec sleep 3600"

    def __enter__(self) -> Self:
        size = ("-x", str(COLUMNS), "-y", str(LINES))
        self._run("-f", os.devnull, "new-session", "-d", *size, self._command)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._run("kill-server")

    def press(self, *keys: str) -> None:
        """Keys by tmux's names, as `Enter`, `Down` or `x`."""
        self._run("send-keys", *keys)

    def type(self, line: str) -> None:
        """A line for the input, and Enter."""
        self.press(":")
        self._run("send-keys", "-l", line)
        self.press("Enter")

    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def sees(self, *texts: str) -> str:
        """The screen, once each of the texts stands on it."""
        return self.until(lambda screen: all(text in screen for text in texts), str(texts))

    def until(self, holds: Callable[[str], bool], what: str) -> str:
        deadline = time.monotonic() + WAIT_SECONDS
        while not holds(screen := self.screen()):
            assert time.monotonic() < deadline, f"never seen: {what}\n{screen}"
            time.sleep(0.05)
        return screen

    def _run(self, *arguments: str) -> str:
        command = [self._tmux, "-S", self._socket, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout


def at_hall(hall: HallProcess, name: str) -> tuple[str, ...]:
    """How someone plays there."""
    return ("play", "--port", str(hall.ports["native"]), "--name", name)
