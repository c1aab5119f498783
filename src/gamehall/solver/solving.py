"""The solver within this process: its memory, and the search."""

from __future__ import annotations

import numpy as np

from gamehall.solver import search
from gamehall.solver.book import Book
from gamehall.solver.solver import CELLS, COLUMNS, Position, Scores

SLOTS = 8_388_617
"""Positions that are remembered: a prime, so that they spread; 64 MB."""


class Solving:
    """Answers one position after the other, and remembers what it has found on the way."""

    def __init__(self, book: Book, slots: int = SLOTS) -> None:
        lists = np.zeros((CELLS + 1, COLUMNS), np.uint64)
        self._memory = search.Memory(np.zeros(slots, np.uint64), lists, *book)
        self._found = np.zeros(COLUMNS, np.int8)

    def score(self, position: Position) -> int:
        """The score of the best column."""
        mine, both = np.uint64(position.mine), np.uint64(position.both)
        stones = position.both.bit_count()
        return int(search.solve(mine, both, stones, self._memory))

    def scores(self, position: Position) -> Scores:
        """The score of each column. The first call compiles, or loads what was compiled."""
        mine, both = np.uint64(position.mine), np.uint64(position.both)
        search.score_columns(mine, both, self._memory, self._found)
        return tuple(None if s == search.UNKNOWN else s for s in self._found.tolist())
