"""The solver within this process: its memory, the search, and the opening book.

The book has every quiet position of twelve stones and its score. Its file is that of
`bitbully-databases`: rows of five bytes in ascending order, a position as a signed big-endian
number of 32 bits (`search.huffman` writes it) and what it is worth to the first player, who is to
move: 100 less the plies to the end, negative for a loss, 0 for a draw.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from bitbully_databases import BitBullyDatabases  # type: ignore[import-untyped]
from numpy.typing import NDArray

from gamehall.solver import search
from gamehall.solver.solver import CELLS, COLUMNS, Position, Scores

SLOTS = 8_388_617
"""Positions that are remembered: a prime, so that they spread; 64 MB."""
_ROW = np.dtype([("code", ">i4"), ("worth", "i1")])


class Book(NamedTuple):
    codes: NDArray[np.int32]
    scores: NDArray[np.int8]


def read_book() -> Book:
    rows = np.fromfile(BitBullyDatabases.get_database_path("12-ply-dist"), dtype=_ROW)
    worth = rows["worth"].astype(np.int16)
    end = search.BOOK_STONES + 100 - np.abs(worth)
    scores = np.sign(worth) * ((CELLS + 2 - end) // 2)
    return Book(rows["code"].astype(np.int32), scores.astype(np.int8))


def no_book() -> Book:
    """Everything is searched."""
    return Book(np.empty(0, np.int32), np.empty(0, np.int8))


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
