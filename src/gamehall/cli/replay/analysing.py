"""What the moves of a log were worth, in words: for `gamehall replay --analyse`."""

from __future__ import annotations

from collections.abc import Callable

from gamehall.cli.source import SourceError
from gamehall.games.connect_four import ConnectFour, Dropped
from gamehall.games.game import Event
from gamehall.solver.solver import (
    NOT_INSTALLED,
    OTHER_BOARD,
    JudgedGame,
    JudgedMove,
    Position,
    Scores,
    Worth,
    installed,
    is_solved,
)
from gamehall.table_log import house
from gamehall.table_log.log import Log
from gamehall.table_log.rules import TableRules

WORDS = {"win": "winning in {}", "draw": "drawing", "loss": "losing in {}"}
VERDICTS = {"win_thrown_away": "threw away a win", "draw_thrown_away": "threw away a draw"}


class Analyst:
    """Goes through a log of Connect Four. `scores` are the solver's."""

    def __init__(self, scores: Callable[[Position], Scores]) -> None:
        self._scores = scores
        self._game = JudgedGame()

    def words(self, event: Event, seq: int) -> list[str]:
        """The lines about an event, none for most of them."""
        if isinstance(event, house.Opened):
            self._game = JudgedGame()
        if not isinstance(event, Dropped):
            return []
        scores = self._scores(self._game.position)
        return _lines(self._game.judge(seq, event.seat, event.column, scores))


def analyst_of(log: Log) -> Analyst:
    """Whoever can judge the moves of this log. The first start takes some ten seconds.

    Raises:
        SourceError: it is no game of Connect Four on the standard board, or there is no solver.
    """
    if log.game.name != ConnectFour.name:
        raise SourceError("Only games of Connect Four can be analysed.")
    read = TableRules(log.game).read_options
    opened = (e for row in log.rows for e in row.events if isinstance(e, house.Opened))
    if not all(is_solved(read(event.options)) for event in opened):
        raise SourceError(OTHER_BOARD)
    if not installed():
        raise SourceError(NOT_INSTALLED)
    from gamehall.solver.solving import Solving, read_book

    return Analyst(Solving(read_book()).scores)


def _lines(move: JudgedMove) -> list[str]:
    lines = [
        f"    {'→' if column == move.column else ' '} column {column}: {_worth(worth)}"
        for column, worth in enumerate(move.columns)
        if worth is not None
    ]
    if move.verdict != "kept":
        lines.append(f"    ✗ This {VERDICTS[move.verdict]}.")
    return lines


def _worth(worth: Worth) -> str:
    return WORDS[worth.result].format(worth.plies)
