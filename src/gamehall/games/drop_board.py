"""Boards on which stones fall down columns, and the lines that they form.

A set of stones is one integer. A column takes `rows + 1` of its bits, from the bottom up, and the
topmost of these is never set: so no line runs from one column's top into the next one's bottom.
"""

from __future__ import annotations

from functools import lru_cache


class DropBoard:
    """What follows from a board's size and the length of a line; it holds no stones."""

    __slots__ = ("_floor", "_lines", "_room", "columns", "full", "length", "places")

    def __init__(self, columns: int, rows: int, length: int) -> None:
        self.columns = columns
        self.length = length
        self._floor = tuple(1 << column * (rows + 1) for column in range(columns))
        self._room = tuple(lowest * ((1 << rows) - 1) for lowest in self._floor)
        self.full = sum(self._room)
        """The stones of a board without a gap."""
        self.places = tuple(
            tuple(lowest << height for lowest in self._floor) for height in reversed(range(rows))
        )
        """The stone on every place, by rows from the top."""
        up, right, falling, rising = 1, rows + 1, rows, rows + 2
        spans = _doubling(length)
        self._lines = tuple(
            (step, tuple(step * span for span in spans)) for step in (up, right, falling, rising)
        )

    def landing(self, stones: int, column: int) -> int:
        """The stone that one more in this column becomes; 0 if the column is full."""
        # The carry runs through the column's stones up to its first gap.
        return (stones + self._floor[column]) & self._room[column]

    def has_line(self, stones: int) -> bool:
        """Whether some of these stones, all of one colour, form a line."""
        for _, shifts in self._lines:
            left = stones
            for shift in shifts:
                left &= left >> shift
            if left:
                return True
        return False

    def in_lines(self, stones: int) -> int:
        """Those of the stones, all of one colour, that are part of a line."""
        found = 0
        for step, shifts in self._lines:
            starts = stones
            for shift in shifts:
                starts &= starts >> shift
            for n in range(self.length):
                found |= starts << step * n
        return found


drop_board = lru_cache(maxsize=256)(DropBoard)
"""The board of this size, shared by all games on it."""


def _doubling(length: int) -> list[int]:
    """Spans such that `x &= x >> span`, for each in turn, leaves the starts of runs of `length`."""
    spans = []
    known = 1
    while known < length:
        spans.append(min(known, length - known))
        known += spans[-1]
    return spans
