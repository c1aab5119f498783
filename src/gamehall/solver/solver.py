"""The port to the solver: what a position is, what each column is worth, who can tell, and a game
judged by that.

A score is how early someone wins: 22 less the stones that the winner has then, negative if that is
the opponent, 0 for a draw. So a higher score is always better, and 1 is a win with the last stone.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Literal, NamedTuple, Protocol

import msgspec

from gamehall.games.connect_four import ConnectFourOptions
from gamehall.games.drop_board import drop_board

COLUMNS, ROWS, LENGTH = 7, 6, 4
CELLS = COLUMNS * ROWS
INSTALL = "pip install 'gamehall[solver]'"
NOT_INSTALLED = f"The solver is not installed here: {INSTALL}"
OTHER_BOARD = "Only the standard board is solved: 7 columns, 6 rows, lines of 4."

Scores = tuple[int | None, ...]
"""For each column, the score of a drop there for whoever makes it; None if it is full."""
Result = Literal["win", "draw", "loss"]
Verdict = Literal["kept", "win_thrown_away", "draw_thrown_away"]


class Position(NamedTuple):
    """Sets of stones as in `games.drop_board`. Nobody has a line yet, and the board is not full."""

    mine: int
    """Those of whoever is to move."""
    both: int


class Worth(msgspec.Struct, frozen=True):
    """What a drop is worth to whoever makes it, if nobody errs from there on."""

    result: Result
    plies: int
    """How many stones are dropped until the end, with this one."""


class Solver(Protocol):
    """Who can tell what a position is worth. It may take a while, and holds up nobody."""

    async def scores(self, position: Position, *, patient: bool = True) -> Scores:
        """The score of each column; if not `patient`, only when it need not be started first.

        Raises:
            Unavailable: it is starting, busy or broken.
        """
        ...

    async def close(self) -> None:
        """Nothing of it is left, and it answers no more."""
        ...


def installed() -> bool:
    return all(find_spec(name) is not None for name in ("numba", "bitbully_databases"))


def is_solved(options: object) -> bool:
    """Whether a table with these options plays what the solver knows."""
    return isinstance(options, ConnectFourOptions) and (
        (options.columns, options.rows, options.length) == (COLUMNS, ROWS, LENGTH)
    )


def position_on(board: Sequence[Sequence[int]], length: int, seat: int) -> Position | None:
    """The position of a view, with `seat` to move; None if it is not of the standard board.

    Raises:
        ValueError: there are stones above a gap, or more of one seat than there can be.
    """
    if (len(board), length) != (ROWS, LENGTH) or any(len(row) != COLUMNS for row in board):
        return None
    mine = both = 0
    for height, row in enumerate(reversed(board)):
        for column, stone in enumerate(row):
            place = 1 << column * (ROWS + 1) + height
            if stone and height and not both & place >> 1:
                raise ValueError("A stone of this board lies on nothing.")
            both |= place if stone else 0
            mine |= place if stone == seat + 1 else 0
    if both.bit_count() - 2 * mine.bit_count() != (1 if seat else 0):
        raise ValueError("This seat is not to move on this board.")
    return Position(mine, both)


def dropped(position: Position, column: int) -> Position:
    """The position after a stone in a column that has room, for whoever is to move then."""
    stone = drop_board(COLUMNS, ROWS, LENGTH).landing(position.both, column)
    return Position(position.both ^ position.mine, position.both | stone)


def worth_of(score: int, stones: int) -> Worth:
    """What this score means for a drop onto a board with so many stones."""
    if score == 0:
        return Worth("draw", CELLS - stones)
    winners = CELLS // 2 + 1 - abs(score)
    first_wins = (stones % 2 == 0) == (score > 0)
    end = 2 * winners - 1 if first_wins else 2 * winners
    return Worth("win" if score > 0 else "loss", end - stones)


# A game, judged: whether a move threw away what was to be had


class JudgedMove(msgspec.Struct, frozen=True):
    seq: int
    """The row of the journal in which it was made."""
    seat: int
    column: int
    columns: tuple[Worth | None, ...]
    """What a drop into each column was worth to this seat; null for a full one."""
    verdict: Verdict
    """Whether it kept what was to be had; a later win, or an earlier loss, is kept as well."""


class JudgedGame:
    """Goes through the drops of one game, from the empty board."""

    def __init__(self) -> None:
        self.position = Position(0, 0)

    def judge(self, seq: int, seat: int, column: int, scores: Scores) -> JudgedMove:
        """The next drop; `scores` are those of `position`, which is the one after it then."""
        stones = self.position.both.bit_count()
        self.position = dropped(self.position, column)
        columns = tuple(None if each is None else worth_of(each, stones) for each in scores)
        return JudgedMove(seq, seat, column, columns, _verdict(scores, column))


def _verdict(scores: Scores, column: int) -> Verdict:
    best = max(score for score in scores if score is not None)
    made = scores[column]
    assert made is not None, "this column is full"
    if best > 0 >= made:
        return "win_thrown_away"
    if best == 0 > made:
        return "draw_thrown_away"
    return "kept"
