"""Programs in place of `gamehall`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TypedDict

from tests.support.processes import GAMEHALL

ROOT = Path(__file__).parents[3]


class Program(TypedDict, total=False):
    """What HallProcess has to know to run it."""

    module: str
    program: tuple[str, ...]
    folder: Path


def faulty(fault: str, *before: str) -> Program:
    """A hall with a fault, as faulty_hall.py names it; `before`: what it is run under."""
    module = (sys.executable, "-m", "tests.system.e2e.faulty_hall", fault)
    return Program(program=(*before, *module), folder=ROOT)


def healthy(*before: str) -> Program:
    """The hall as it is; `before`: what it is run under."""
    return Program(program=(*before, *GAMEHALL), folder=ROOT)


def write_number(path: Path, number: int) -> None:
    """In one go, so that another process never reads half of it."""
    new = path.with_suffix(".new")
    new.write_text(str(number))
    new.replace(path)
