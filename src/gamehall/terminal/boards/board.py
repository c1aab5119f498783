"""What a table looks like: spots in rows, which of them can be chosen, and what can be typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from gamehall.terminal.text import centred, printable, width_of

Command = dict[str, Any]
"""As it goes to the hall: `{"type": …}` and its fields."""
Place = tuple[int, int]
"""Row and column of a board."""

PICKED, WINNING, LAST, CURSOR = "()", "**", "<>", "[]"
"""What stands around a spot, so that nothing depends on colours."""
BARE = "  "


class Spot(msgspec.Struct, frozen=True):
    text: str = ""
    tone: str = ""
    command: Command | None = None
    """What it sends when it is chosen."""
    around: str = BARE
    stop: bool = True
    """Whether the cursor stops here; if not, only the mouse can choose it."""


GAP = Spot(tone="gap")
HIDDEN = Spot("·", "hidden")


class Board(msgspec.Struct, frozen=True):
    rows: tuple[tuple[Spot, ...], ...]
    """Columns are aligned among rows of the same length."""
    moves: dict[tuple[Place, Place], Command] = {}
    """What two spots send, chosen one after the other."""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    keys: dict[str, Command] = {}
    """What single keys send."""
    hint: str = ""
    """What can be typed."""
    read: Callable[[str], Command | None] = lambda _: None
    """The command that a typed line stands for. Raises Unclear."""
    wide: int = 0
    """Columns that a screen may add on both sides of a spot, if it likes."""
    tall: int = 0
    """Lines that it may add between two rows."""
    news: Any = None
    """A new value means that the board is worth reading again; None: whenever it looks different"""

    def spot(self, place: Place) -> Spot:
        return self.rows[place[0]][place[1]]

    def stops(self, chosen: Place | None = None) -> list[Place]:
        """Where the cursor may be: at what can be chosen, or at the targets of what was."""
        if chosen is not None:
            return [target for source, target in self.moves if source == chosen]
        sources = {source for source, _ in self.moves}
        return [
            (row, column)
            for row, spots in enumerate(self.rows)
            for column, spot in enumerate(spots)
            if (spot.command is not None and spot.stop) or (row, column) in sources
        ]

    def widths(self) -> list[list[int]]:
        """For each row, the width of each spot's text."""
        widest: dict[tuple[int, int], int] = {}
        for spots in self.rows:
            for column, spot in enumerate(spots):
                key = (len(spots), column)
                widest[key] = max(widest.get(key, 0), width_of(printable(spot.text)))
        return [[widest[len(spots), column] for column in range(len(spots))] for spots in self.rows]


class Unclear(Exception):
    """A typed line that cannot be meant; the text says why."""


def drawn(board: Board) -> Iterator[str]:
    """The board as lines of text, without what is hidden."""
    yield from map(printable, board.above)
    for spots, widths in zip(board.rows, board.widths(), strict=True):
        cells = (
            spot.around[0] + centred(printable(spot.text), width) + spot.around[1]
            for column, (spot, width) in enumerate(zip(spots, widths, strict=True))
            if not _is_hidden(board, len(spots), column)
        )
        yield "".join(cells).rstrip()
    yield from map(printable, board.below)


def _is_hidden(board: Board, length: int, column: int) -> bool:
    """Whether nothing can be seen in this column, or from this gap on."""
    return all(
        spot.tone == "hidden" or (spot.tone == "gap" and _is_hidden(board, length, column + 1))
        for spot in (
            spots[column] for spots in board.rows if len(spots) == length and column < length
        )
    )
