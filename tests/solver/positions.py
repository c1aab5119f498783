"""Random positions, played by the rules of the house and not by the solver's."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gamehall.games.drop_board import drop_board
from gamehall.solver.solver import Position, position_on

COLUMNS, ROWS, LENGTH = 7, 6, 4
BOARD = drop_board(COLUMNS, ROWS, LENGTH)
Stones = tuple[int, int]
"""Those of who began, and those of the other."""
Board = list[list[int]]
"""Rows from the top; 0 is empty, 1 a stone of who began, 2 one of the other."""


def dropped(stones: Stones, column: int) -> Stones | None:
    """After the next drop; None if it does not fit, or makes a line."""
    first, second = stones
    landing = BOARD.landing(first | second, column)
    if first.bit_count() == second.bit_count():
        mine, after = first | landing, (first | landing, second)
    else:
        mine, after = second | landing, (first, second | landing)
    return None if not landing or BOARD.has_line(mine) else after


def played(columns: Sequence[int]) -> Stones | None:
    """After these drops; None if one does not fit, or someone has a line."""
    stones: Stones | None = (0, 0)
    for column in columns:
        stones = None if stones is None else dropped(stones, column)
    return stones


def random_stones(rng: Random, number: int) -> Stones:
    """So many stones, and no line."""
    columns: list[int] = []
    while len(columns) < number:
        columns.append(rng.choice([c for c in range(COLUMNS) if columns.count(c) < ROWS]))
        if played(columns) is None:
            # Back to where there was more to choose from, so that full boards are found too.
            del columns[-min(len(columns), rng.randint(1, 12)) :]
    found = played(columns)
    assert found is not None
    return found


def board_of(stones: Stones) -> Board:
    first, second = stones
    return [
        [1 if first & place else 2 if second & place else 0 for place in row]
        for row in BOARD.places
    ]


def position(board: Board) -> Position:
    number = sum(1 for row in board for stone in row if stone)
    found = position_on(board, LENGTH, number % 2)
    assert found is not None
    return found
