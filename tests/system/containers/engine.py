"""A container engine, told what to do in the words of docs/containers.md."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
STEP_SECONDS = 120.0
BUILD_SECONDS = 600.0


class Engine(NamedTuple):
    """`enter` starts a program where the containers' network is; `enter_to_build` where the
    internet is. `programs` says in a shell's words what `docker` is here, `project` under which
    name compose knows what it starts."""

    enter: Sequence[str]
    enter_to_build: Sequence[str]
    programs: str
    environment: Mapping[str, str]
    project: str
    folder: Path = ROOT

    def run(self, commands: str, seconds: float = STEP_SECONDS) -> str:
        """What the commands print; they must succeed."""
        return finish(self.command(commands), self.all_environment, seconds)

    def build(self, commands: str) -> str:
        shell = [*self.enter_to_build, *self._shell(commands)]
        return finish(shell, self.all_environment, BUILD_SECONDS)

    def works(self, commands: str) -> bool:
        """Whether the commands succeed."""
        done = subprocess.run(
            self.command(commands),
            env=self.all_environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=STEP_SECONDS,
            check=False,
        )
        return done.returncode == 0

    def command(self, commands: str) -> list[str]:
        """What to start for that, with `all_environment`."""
        return [*self.enter, *self._shell(commands)]

    @property
    def all_environment(self) -> dict[str, str]:
        return {**os.environ, **self.environment, "PROJECT": self.project}

    def _shell(self, commands: str) -> list[str]:
        # Who enters a namespace of mounts is not in a folder of it yet.
        return ["sh", "-e", "-c", f"cd {shlex.quote(str(self.folder))}\n{self.programs}{commands}"]


def finish(command: Sequence[str], environment: Mapping[str, str], seconds: float) -> str:
    """What the program prints; it must succeed."""
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"{command[-1]}\nnot within {seconds:g} seconds") from error
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def wait_until(holds: Callable[[], bool], what: str, seconds: float = STEP_SECONDS) -> None:
    """Asks again and again; each question starts a program, so there is no need to pause."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"{what}: not within {seconds:g} seconds"
