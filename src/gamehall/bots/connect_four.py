"""A player of Connect Four who looks one move ahead, on any board and for any length of line."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from gamehall.games.connect_four import Drop, View
from gamehall.games.game import Command, Game
from gamehall.games.two_in_turn import AnswerDraw

Board = tuple[tuple[int, ...], ...]
"""Rows from the top, as in a view."""

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class SensibleBot:
    """Takes a win, blocks a loss, gives no win away, and else keeps to the centre.

    It declines every draw: whoever wants one can play for it.
    """

    def choose(
        self, game: Game[Any], view: Any, legal: Sequence[Command], seat: int, rng: Random
    ) -> Command:
        drops = [command for command in legal if isinstance(command, Drop)]
        if not drops:
            return AnswerDraw(False)
        seen = msgspec.convert(view, View)
        board, mine, other = seen.board, seat + 1, 2 - seat
        landing = {drop.column: _landing(board, drop.column) for drop in drops}

        def wins(column: int, row: int, stone: int) -> bool:
            return _makes_line(board, row, column, stone, seen.length)

        winning = [column for column, row in landing.items() if wins(column, row, mine)]
        blocking = [column for column, row in landing.items() if wins(column, row, other)]
        quiet = [c for c, row in landing.items() if row == 0 or not wins(c, row - 1, other)]
        centre = (len(board[0]) - 1) / 2
        # Of two columns that are equally near to the centre, either.
        best = min(
            winning or blocking or quiet or landing,
            key=lambda column: (abs(column - centre), rng.random()),
        )
        return Drop(best)


def _landing(board: Board, column: int) -> int:
    """The row that a stone falls to, in a column that has room."""
    return sum(1 for row in board if not row[column]) - 1


def _makes_line(board: Board, row: int, column: int, stone: int, length: int) -> bool:
    """Whether this stone would make a line on this empty place."""
    return any(
        _run(board, row, column, down, right, stone)
        + _run(board, row, column, -down, -right, stone)
        >= length - 1
        for down, right in _DIRECTIONS
    )


def _run(board: Board, row: int, column: int, down: int, right: int, stone: int) -> int:
    """How many stones of this colour follow each other from here, not counting this place."""
    count = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < len(board) and 0 <= column < len(board[0])):
            return count
        if board[row][column] != stone:
            return count
        count += 1
