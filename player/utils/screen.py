"""What people see: plain lines, with some colour where it is a terminal that shows them."""

import os
import sys
from collections.abc import Collection, Iterable

from utils.board import Place
from utils.protocol import COLUMNS, ROWS, Rows

STONES = ".XO"
COLOURS = ("", "\x1b[1;31m", "\x1b[1;33m")
PLAIN = "\x1b[0m"
CLEAR_LINE = "\r\x1b[K"


def say(line: str) -> None:
    """Writes a line at once, for a log that somebody follows."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Screen:
    """Standard output, on which lines appear while somebody types."""

    def __init__(self) -> None:
        self._live = sys.stdout.isatty()
        self._colourful = self._live and not os.environ.get("NO_COLOR")

    def show(self, lines: Iterable[str], prompt: str = "") -> None:
        """Writes the lines in place of the last prompt; the next stands below, on a terminal."""
        text = "".join(line + "\n" for line in lines)
        sys.stdout.write(CLEAR_LINE + text + prompt if self._live else text)
        sys.stdout.flush()

    def stone(self, number: int, before: str = "", after: str = "") -> str:
        """The sign of this player's stones, or that of an empty place, between these signs."""
        text = before + STONES[number] + after
        return COLOURS[number] + text + PLAIN if self._colourful and number else text

    def board(self, board: Rows, marked: Collection[Place] = ()) -> list[str]:
        """The lines of a drawing, with the columns numbered as people count them."""
        numbers = "  ".join(str(column + 1) for column in range(COLUMNS))
        rows = (
            "".join(
                self.stone(number, *("[]" if (row, column) in marked else "  "))
                for column, number in enumerate(board[row])
            )
            for row in range(ROWS)
        )
        return [f"    {numbers}", *(f"  |{row}|" for row in rows), f"  +{'---' * COLUMNS}+"]
