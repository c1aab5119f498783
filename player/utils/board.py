"""The board, as sets of stones: small enough to copy, quick enough to look ahead on.

A set of stones is one integer with a bit for each place. A column takes seven bits from the bottom
up, one more than it has places; the bit on top is never set, so that no line runs from the top of
one column into the foot of the next.

    5 12 19 26 33 40 47
    4 11 18 25 32 39 46
    3 10 17 24 31 38 45
    2  9 16 23 30 37 44
    1  8 15 22 29 36 43
    0  7 14 21 28 35 42
"""

from typing import NamedTuple

from utils.protocol import COLUMNS, ROWS, Rows

Place = tuple[int, int]
"""Row from the top and column, both from 0."""

UP, RIGHT, FALLING, RISING = 1, ROWS + 1, ROWS, ROWS + 2
DIRECTIONS = (UP, RIGHT, FALLING, RISING)
"""How far the bits of neighbours are apart."""

FEET = tuple(1 << column * RIGHT for column in range(COLUMNS))
TOPS = tuple(foot << ROWS - 1 for foot in FEET)
PLACES = sum(foot * ((1 << ROWS) - 1) for foot in FEET)

CENTRE_FIRST = tuple(sorted(range(COLUMNS), key=lambda column: abs(column - COLUMNS // 2)))
"""The best places are in the middle; a search that tries them first can skip most of the others."""


class Board(NamedTuple):
    """What the player whose turn it is sees: its own stones, and those of the other."""

    mine: int = 0
    theirs: int = 0

    @classmethod
    def seen_by(cls, number: int, rows: Rows) -> "Board":
        """The hall's rows, from the top, as player `number` sees them."""
        stones = {0: 0, 1: 0, 2: 0}
        for height, row in enumerate(reversed(rows)):
            for column, owner in enumerate(row):
                stones[owner] |= FEET[column] << height
        return cls(stones[number], stones[3 - number])

    def open_columns(self) -> list[int]:
        """The columns that have room for a stone, those in the middle first."""
        stones = self.mine | self.theirs
        return [column for column in CENTRE_FIRST if not stones & TOPS[column]]

    def play(self, column: int) -> "Board":
        """The board after a stone in this open column, as the other player sees it."""
        stones = self.mine | self.theirs
        # Adding a stone at the foot carries through all that lie there, up to the first gap.
        landed = (stones + FEET[column]) & ~stones
        return Board(self.theirs, self.mine | landed)

    def lead(self) -> int:
        """How many more lines are still open to this player than to the other."""
        return count_fours(PLACES & ~self.theirs) - count_fours(PLACES & ~self.mine)


def has_four(stones: int) -> bool:
    """Whether four of these stones are in a row."""
    return any(_starts(stones, direction) for direction in DIRECTIONS)


def count_fours(stones: int) -> int:
    """How many lines of four these stones make."""
    return sum(_starts(stones, direction).bit_count() for direction in DIRECTIONS)


def places_in_fours(rows: Rows) -> set[Place]:
    """The places of all stones that are part of a line of four."""
    board = Board.seen_by(1, rows)
    found = 0
    for stones in board:
        for direction in DIRECTIONS:
            for step in range(4):
                found |= _starts(stones, direction) << step * direction
    return {
        (row, column)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if found & FEET[column] << ROWS - 1 - row
    }


def _starts(stones: int, direction: int) -> int:
    """The stones with which a line of four begins that runs in this direction."""
    pairs = stones & stones >> direction
    return pairs & pairs >> 2 * direction
