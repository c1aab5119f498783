"""Programs that play, written by tests."""

from __future__ import annotations

import shlex
import sys
from itertools import count
from pathlib import Path
from textwrap import dedent

_numbers = count()
FIRST_LEGAL = """
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "turn":
            print(json.dumps(message["legal"][0]), flush=True)
"""
ONE_LINE = "for line in sys.stdin:\n    if 'turn' in line: "
"""Begins a program that does something when it is asked, and not before."""


def a_program(folder: Path, text: str = FIRST_LEGAL) -> str:
    """The command that runs this Python text, which has json, os, sys and time."""
    path = folder / f"bot{next(_numbers)}.py"
    path.write_text("import json, os, sys, time\n" + dedent(text))
    return shlex.join([sys.executable, "-S", str(path)])
