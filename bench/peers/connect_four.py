"""Connect Four for the bare sketch: what anyone would write first, and no faster."""

from __future__ import annotations

COLUMNS, ROWS, LENGTH = 7, 6, 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
DRAWN = 3
"""A `winner`; 0 is nobody yet, 1 and 2 are the seats'."""


class Game:
    __slots__ = ("cells", "heights", "ply", "turn", "winner")

    def __init__(self) -> None:
        self.turn = 0
        self._begin()

    def _begin(self) -> None:
        self.cells = bytearray(b"." * (COLUMNS * ROWS))
        self.heights = [0] * COLUMNS
        self.ply = self.winner = 0

    def move(self, seat: int, column: int) -> str | None:
        """Why not, if it is refused. A move after the end begins the next game."""
        if self.winner:
            self._begin()
        if seat != self.turn:
            return "not_your_turn"
        if not 0 <= column < COLUMNS:
            return "bad_column"
        row = self.heights[column]
        if row == ROWS:
            return "column_full"
        stone = ord("1") + seat
        self.cells[row * COLUMNS + column] = stone
        self.heights[column] += 1
        self.ply += 1
        if self._has_line(row, column, stone):
            self.winner = seat + 1
        elif self.ply == COLUMNS * ROWS:
            self.winner = DRAWN
        self.turn = 1 - seat
        return None

    def _has_line(self, row: int, column: int, stone: int) -> bool:
        for up, right in DIRECTIONS:
            count = 1
            for sign in (1, -1):
                r, c = row + up * sign, column + right * sign
                while 0 <= r < ROWS and 0 <= c < COLUMNS and self.cells[r * COLUMNS + c] == stone:
                    count += 1
                    r, c = r + up * sign, c + right * sign
            if count >= LENGTH:
                return True
        return False
