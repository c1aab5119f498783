"""What a door says of a table to someone who follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gamehall.simulation.checker.journals import Journal


def is_told(heard: Sequence[Any], journal: Journal, tape: Callable[[int], Iterator[Any]]) -> bool:
    """Whether a connection heard just this of a table, in order, up to where it broke off.

    `tape`: all that is said to someone who is shown the table as it stands after that row of the
    journal, and then told of every row behind it.
    """
    return any(_begins(tape(start), heard) for start in range(1, journal.head + 1))


def _begins(said: Iterator[Any], heard: Sequence[Any]) -> bool:
    return all(next(said, None) == each for each in heard)
