"""What a world with faults tells of a run that has broken nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Played:
    faults: Counter[str]
    """How many there were, by their kind."""
    acknowledged: int
    """Requests that the hall has answered, and not with an error."""


Play = Callable[[int, Path], Played]
"""Plays out the run of a seed in an empty folder. Raises AssertionError, which says what broke."""
