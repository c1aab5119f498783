"""docs/terminal.md is executed: its script, its options and its keys."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from gamehall.terminal.table_screen import TableScreen
from tests.support.processes import HallProcess

DOCUMENT = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


def test_the_script_ends_as_it_says(hall: HallProcess) -> None:
    (script,) = [text for kind, text in BLOCKS if kind == "sh" and text.startswith("printf")]
    (end,) = [text for kind, text in BLOCKS if kind == ""]
    program = f"{sys.executable} -m gamehall play --port {hall.ports['native']}"
    command = script.replace("gamehall play", program)
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=90, check=True
    )
    assert end in done.stdout


def test_every_key_it_names_is_a_tables_key() -> None:
    keys = {binding.key for binding in TableScreen.BINDINGS if not isinstance(binding, tuple)}
    at_table = DOCUMENT.partition("## At a table")[2].partition("## Watch")[0]
    named = set(re.findall(r"`([a-z])` (?:begins|resigns|offers|plays|leaves)", at_table))
    assert named == {"t", "x", "d", "m", "l"}
    assert named <= keys


def test_every_option_it_names_is_one() -> None:
    named = set(re.findall(r"`(--[a-z]+)", DOCUMENT)) | {"--uid", "--table", "--name"}
    shown = subprocess.run(
        [sys.executable, "-m", "gamehall", "play", "--help"],
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    ).stdout
    assert named <= set(re.findall(r"--[a-z]+", shown))
