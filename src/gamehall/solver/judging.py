"""A game of Connect Four, judged: what every column was worth, and whether a move threw it away."""

from __future__ import annotations

from typing import Literal

import msgspec

from gamehall.solver.solver import Position, Scores, Worth, dropped, worth_of

Verdict = Literal["kept", "win_thrown_away", "draw_thrown_away"]


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
