"""The page's component tests, and its message types as the server has them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
BIN = Path(sys.executable).parent
"""Here `make setup` has put Node."""
STEP_SECONDS = 900


def run(*command: str) -> str:
    """What the command prints; it must succeed."""
    path = f"{WEB / 'node_modules' / '.bin'}:{BIN}:{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=WEB,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=STEP_SECONDS,
        check=False,
    )
    assert done.returncode == 0, (
        f"{' '.join(command)}\n{done.stdout[-8000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout


@pytest.mark.timeout(STEP_SECONDS)
def test_components() -> None:
    run("npm", "run", "--silent", "test")


def test_the_types_of_messages_are_those_of_the_server() -> None:
    script = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["scripts"]["types"]
    make, _, kept = script.partition(" > ")
    made = run("sh", "-c", make)
    # Not compared by the assertion itself, which would print both.
    is_so = made == (WEB / kept).read_text(encoding="utf-8")
    assert is_so, f"web/{kept} is not what the server says now: run make types"
