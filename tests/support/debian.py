"""What tests need beyond PyPI and npm: Debian's packages, where the machine allows it."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.system.containers.engine import finish

INSTALL_SECONDS = 900.0


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two processes of one test run must not both install: apt-get lets only one in."""
    with (Path(sys.prefix) / "install.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def find_program(names: Sequence[str], packages: Sequence[str], wanted: str) -> str:
    """The path of the first of them that there is. Fails with what is wanted if there is none and
    it cannot be installed."""
    with one_at_a_time():
        if (found := _first(names)) is None:
            install(packages, wanted)
            found = _first(names)
    assert found is not None, wanted
    return found


def _first(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def install(packages: Sequence[str], wanted: str) -> None:
    """Fails with what is wanted if they cannot be installed. Called `one_at_a_time`."""
    assert os.geteuid() == 0, wanted
    assert shutil.which("apt-get"), wanted
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    finish(["apt-get", "update"], environment, INSTALL_SECONDS)
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    finish(command, environment, INSTALL_SECONDS)
