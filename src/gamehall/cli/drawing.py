"""A game's generic picture as lines of text, in colour or plain."""

from __future__ import annotations

from collections.abc import Iterator

from gamehall.games.game import Cell, Picture
from gamehall.terminal.text import printable, width_of

_COLOURS = {"": "2", "first": "31", "second": "33", "winning": "1;32"}
_OTHER_COLOUR = "36"
_EMPTY = "·"


def drawn(picture: Picture, colour: bool) -> Iterator[str]:
    """The lines of a picture. Without colour a cell that has no label shows its tone's initial."""
    texts = [[_text(cell) for cell in row] for row in picture.rows]
    wide = max((width_of(text) for row in texts for text in row), default=0)
    for cells, row in zip(picture.rows, texts, strict=True):
        painted = (
            _painted(text + " " * (wide - width_of(text)), cell.tone if colour else None)
            for cell, text in zip(cells, row, strict=True)
        )
        yield " ".join(painted).rstrip()
    if picture.caption:
        yield printable(picture.caption)


def _text(cell: Cell) -> str:
    return printable(cell.label or cell.tone[:1].upper() or _EMPTY)


def _painted(text: str, tone: str | None) -> str:
    if tone is None:
        return text
    return f"\x1b[{_COLOURS.get(tone, _OTHER_COLOUR)}m{text}\x1b[0m"
