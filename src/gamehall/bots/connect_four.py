"""Players of Connect Four, on any board: one looks a move ahead, one as far as it can afford."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from gamehall.games.connect_four import Drop, View, board_of, stones_of
from gamehall.games.drop_board import drop_board
from gamehall.games.game import Command
from gamehall.games.two_in_turn import AnswerDraw

WIN = 1000
"""More than any position is worth that nobody has won yet."""
THREAT = 10
"""What an empty place that would complete a line is worth, in lines through a place."""
WORK_MAX = 25_000
"""Shifts of a board, of which a position costs more the longer a line is: some 10 ms a move."""


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


class StrongBot:
    """Wins what it sees to be won, and else takes the places that would complete most lines.

    It declines every draw: whoever wants one can play for it.
    """

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        if not any(isinstance(command, Drop) for command in legal):
            return AnswerDraw(False)
        seen = msgspec.convert(view, View)
        lines = _lines(len(seen.board[0]), len(seen.board), seen.length)
        return Drop(_Search(lines, rng).best(stones_of(seen, seat), stones_of(seen, 1 - seat)))


class _OutOfWork(Exception):
    pass


class _Lines:
    """What follows from a board's size."""

    def __init__(self, columns: int, rows: int, length: int) -> None:
        board = drop_board(columns, rows, length)
        self.full = board.full
        self.floor = sum(board.places[-1])
        self.columns = tuple(
            (column, self.full & board.places[-1][column] * ((1 << rows) - 1))
            for column in sorted(range(columns), key=lambda c: abs(2 * c - columns + 1))
        )
        """Number and places of each, from the centre outwards."""
        self._others = tuple(
            tuple(step * (gap - place) for place in range(length) if place != gap)
            for step in (1, rows, rows + 1, rows + 2)
            # Stones lie on each other: above a gap there are none.
            for gap in (range(length) if step > 1 else (length - 1,))
        )
        """Where the others of a line are, seen from each of its places."""
        self.cost = sum(len(others) for others in self._others)
        self._reach = _planes(self.full, (1, rows, rows + 1, rows + 2), length)

    def completing(self, stones: int, both: int) -> int:
        """The empty places that would complete a line of these stones."""
        found = 0
        for others in self._others:
            all_there = self.full
            for shift in others:
                all_there &= stones << shift if shift > 0 else stones >> -shift
                if not all_there:
                    break
            found |= all_there
        return found & ~both

    def reach(self, stones: int) -> int:
        """In how many ways they could be part of lines, were they alone."""
        return sum((stones & plane).bit_count() << bit for bit, plane in enumerate(self._reach))


def _planes(full: int, steps: Sequence[int], length: int) -> tuple[int, ...]:
    """How many lines go through each place, the number's bits in one set of places each."""
    planes = [0] * (len(steps) * length).bit_length()
    for step in steps:
        starts = full
        for n in range(1, length):
            starts &= full >> step * n
        for n in range(length):
            carry = starts << step * n
            for bit, plane in enumerate(planes):
                planes[bit], carry = plane ^ carry, plane & carry
    return tuple(planes)


_lines = lru_cache(maxsize=256)(_Lines)


class _Search:
    """One choice: ever deeper, until the work is used up."""

    def __init__(self, lines: _Lines, rng: Random) -> None:
        self._lines = lines
        self._rng = rng
        self._left = WORK_MAX // lines.cost

    def best(self, mine: int, other: int) -> int:
        both = mine | other
        found = dict(self._moves((both + self._lines.floor) & self._lines.full))
        columns = by_centre(found, len(self._lines.columns), self._rng)
        moves = [(column, found[column]) for column in columns]
        wins = self._lines.completing(mine, both)
        for column, move in moves:
            if move & wins:
                return column
        best = moves[0][0]
        try:
            for depth in range((self._lines.full ^ both).bit_count()):
                moves = self._ranked(mine, other, moves, depth)
                best = moves[0][0]
        except _OutOfWork:
            pass
        return best

    def _ranked(
        self, mine: int, other: int, moves: list[tuple[int, int]], depth: int
    ) -> list[tuple[int, int]]:
        """The best first; the others in the order that they had."""
        best, alpha = moves[0], -2 * WIN
        for each in moves:
            worth = -self._worth(other, mine | each[1], depth, -2 * WIN, -alpha)
            if worth > alpha:
                best, alpha = each, worth
        return [best, *(each for each in moves if each != best)]

    def _worth(self, mine: int, other: int, depth: int, alpha: int, beta: int) -> int:
        """To whoever is to move, `mine` being theirs. Raises _OutOfWork."""
        self._left -= 1
        if self._left < 0:
            raise _OutOfWork
        lines, both = self._lines, mine | other
        moves = (both + lines.floor) & lines.full
        if not moves:
            return 0
        mine_next = lines.completing(mine, both)
        if mine_next & moves:
            return WIN - both.bit_count()
        threats = lines.completing(other, both)
        forced = moves & threats
        # No more than one can be blocked, and nothing may be put below a threat.
        quiet = (forced or moves) & ~(threats >> 1)
        if not quiet or forced & (forced - 1):
            return both.bit_count() + 1 - WIN
        if depth == 0:
            open_lines = mine_next.bit_count() - threats.bit_count()
            return THREAT * open_lines + lines.reach(mine) - lines.reach(other)
        for _, move in self._moves(quiet):
            worth = -self._worth(other, mine | move, depth - 1, -beta, -alpha)
            if worth >= beta:
                return worth
            alpha = max(alpha, worth)
        return alpha

    def _moves(self, places: int) -> Iterator[tuple[int, int]]:
        for column, room in self._lines.columns:
            move = places & room
            if move:
                yield column, move
