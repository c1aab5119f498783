"""The opening book: every quiet position of twelve stones and its score.

The file is that of `bitbully-databases`: rows of five bytes in ascending order, a position as a
signed big-endian number of 32 bits (`search.huffman` writes it) and what it is worth to the first
player, who is to move: 100 less the plies to the end, negative for a loss, 0 for a draw.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from bitbully_databases import BitBullyDatabases  # type: ignore[import-untyped]
from numpy.typing import NDArray

from gamehall.solver.solver import CELLS

STONES = 12
"""The book has positions with this many stones, no others."""
_ROW = np.dtype([("code", ">i4"), ("worth", "i1")])


class Book(NamedTuple):
    codes: NDArray[np.int32]
    scores: NDArray[np.int8]


def read_book() -> Book:
    rows = np.fromfile(BitBullyDatabases.get_database_path("12-ply-dist"), dtype=_ROW)
    worth = rows["worth"].astype(np.int16)
    end = STONES + 100 - np.abs(worth)
    scores = np.sign(worth) * ((CELLS + 2 - end) // 2)
    return Book(rows["code"].astype(np.int32), scores.astype(np.int8))


def no_book() -> Book:
    """Everything is searched."""
    return Book(np.empty(0, np.int32), np.empty(0, np.int8))
