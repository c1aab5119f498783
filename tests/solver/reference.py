"""Connect Four once more, in the plainest way: cells, not bits, and no trick but alpha and beta.

It shares nothing with the solver. Worth is signed: 43 less the stones on the board when the game
ends, so that who wins early wins more; 0 is a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

COLUMNS, ROWS, CELLS = 7, 6, 42
GIVEN_UP = 1000
SLOTS = 1_000_003

F = TypeVar("F", bound=Callable[..., Any])
Cells = NDArray[np.int8]


def compiled(function: F) -> F:
    made: Any = numba.njit(cache=True)(function)
    return made  # type: ignore[no-any-return]


@compiled
def completes(cells: Cells, column: int, row: int, stone: int) -> bool:
    """Whether a stone here makes a line; row 0 is the lowest."""
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for way in (1, -1):
            x, y = column + way * right, row + way * up
            while 0 <= x < COLUMNS and 0 <= y < ROWS and cells[x, y] == stone:
                run += 1
                x, y = x + way * right, y + way * up
        if run >= 4:
            return True
    return False


@compiled
def worth(
    cells: Cells,
    heights: Cells,
    stones: int,
    alpha: int,
    beta: int,
    left: NDArray[np.int64],
    keys: NDArray[np.uint64],
    known: NDArray[np.int64],
) -> int:
    """To whoever is to move. `left[0]` is how many positions may still be looked at; after them it
    is GIVEN_UP. `keys` and `known` remember positions, if they have room: only for windows of one,
    which are the same wherever a position is met."""
    left[0] -= 1
    if left[0] < 0:
        return GIVEN_UP
    if stones == CELLS:
        return 0
    stone = stones % 2 + 1
    for column in range(COLUMNS):
        row = heights[column]
        if row < ROWS and completes(cells, column, row, stone):
            return CELLS - stones
    key = np.uint64(1)
    for column in range(COLUMNS):
        for row in range(heights[column]):
            key = key * np.uint64(2) + np.uint64(cells[column, row] - 1)
        key = (key * np.uint64(2) + np.uint64(1)) << np.uint64(ROWS - heights[column])
    slot = key % np.uint64(SLOTS)
    if len(keys) and keys[slot] == key:
        return int(known[slot])
    best = -GIVEN_UP
    for away in (3, 2, 4, 1, 5, 0, 6):
        row = heights[away]
        if row == ROWS:
            continue
        cells[away, row] = stone
        heights[away] += 1
        low = max(alpha, best)
        found = worth(cells, heights, stones + 1, -beta, -low, left, keys, known)
        cells[away, row] = 0
        heights[away] -= 1
        if found == GIVEN_UP:
            return GIVEN_UP
        best = max(best, -found)
        if best >= beta:
            break
    if len(keys):
        keys[slot] = key
        known[slot] = best
    return best


def judged(board: list[list[int]], *, exact: bool, looked_at_max: int) -> int | None:
    """The worth of a board, or only its sign if not `exact`; None if that takes too long."""
    cells = np.zeros((COLUMNS, ROWS), np.int8)
    for row, stones in enumerate(reversed(board)):
        cells[:, row] = stones
    heights = (cells != 0).sum(axis=1).astype(np.int8)
    left = np.array([looked_at_max], np.int64)

    def search(alpha: int, beta: int, slots: int) -> int:
        memory = np.zeros(slots, np.uint64), np.zeros(slots, np.int64)
        return int(worth(cells, heights, int(heights.sum()), alpha, beta, left, *memory))

    if exact:
        found = search(-CELLS - 1, CELLS + 1, 0)
        return None if found == GIVEN_UP else found
    wins, draws = search(0, 1, SLOTS), search(-1, 0, SLOTS)
    if GIVEN_UP in (wins, draws):
        return None
    return 1 if wins > 0 else 0 if draws >= 0 else -1
