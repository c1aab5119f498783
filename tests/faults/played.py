"""How a run of a world with faults went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Played:
    """A run that has broken nothing."""

    faults: Counter[str]
    """How many there were, by their kind."""
    acknowledged: int
    """Requests that the hall has answered, and not with an error."""


@dataclass(frozen=True)
class Broken:
    """A run that has broken something."""

    what: str
    """In a line."""
    whole: str
    """With the traceback, and what the hall has said."""


Play = Callable[[int, Path], Played]
"""Plays out the run of a seed in an empty folder. Raises AssertionError, which says what broke."""
