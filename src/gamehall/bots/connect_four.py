"""A player of Connect Four who looks one move ahead, on any board and for any length of line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from gamehall.games.connect_four import Drop, View, board_of, stones_of
from gamehall.games.game import Command
from gamehall.games.two_in_turn import AnswerDraw


class SensibleBot:
    """Takes a win, blocks a loss, gives no win away, and else keeps to the centre.

    It declines every draw: whoever wants one can play for it.
    """

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        columns = [command.column for command in legal if isinstance(command, Drop)]
        if not columns:
            return AnswerDraw(False)
        seen = msgspec.convert(view, View)
        board, mine, other = board_of(seen), stones_of(seen, seat), stones_of(seen, 1 - seat)
        landing = {column: board.landing(mine | other, column) for column in columns}
        winning = [c for c, stone in landing.items() if board.has_line(mine | stone)]
        blocking = [c for c, stone in landing.items() if board.has_line(other | stone)]
        # On the topmost place nothing more can be put.
        above = {column: stone << 1 & board.full for column, stone in landing.items()}
        quiet = [c for c, stone in above.items() if not board.has_line(other | stone)]
        best = winning or blocking or quiet or columns
        return Drop(by_centre(best, board.columns, rng)[0])


def by_centre(columns: Iterable[int], width: int, rng: Random) -> list[int]:
    """From the centre outwards; of two that are equally near to it, either comes first."""
    centre = (width - 1) / 2
    return sorted(columns, key=lambda column: (abs(column - centre), rng.random()))
