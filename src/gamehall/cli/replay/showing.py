"""What has happened at a table, in words, and how it stands: a game's generic picture as lines of
text, in colour or plain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gamehall.games.game import Cell, Event, Picture
from gamehall.table_log import house
from gamehall.terminal.text import printable, width_of

_COLOURS = {"": "2", "first": "31", "second": "33", "winning": "1;32"}
_OTHER_COLOUR = "36"
_EMPTY = "·"


def event_words(event: Event, names: Mapping[int, str]) -> str:
    """What has happened, in a line; `names` are those of the seats."""
    match event:
        case house.Opened():
            return f"Round {event.round} opens. The commitment is {event.commitment}."
        case house.Seated():
            return f"{event.person.name} sits down."
        case house.SeatsDrawn():
            seats = ", ".join(f"{name} on seat {seat}" for seat, name in sorted(names.items()))
            return f"The draw seats {seats}."
        case house.Started():
            return "The game begins."
        case house.Left():
            return f"{names.get(event.seat)} leaves ({event.reason})."
        case house.RematchWanted():
            return f"{names.get(event.seat)} wants another game."
        case house.ReservationsLapsed():
            return "The time to claim a reserved seat is over."
        case house.RoundEnded():
            winners = " and ".join(str(names.get(seat)) for seat in event.outcome.winners)
            # Where rounds follow by themselves, nobody plays against another.
            nobody = "Nobody won" if event.outcome.again_ms is None else "The round is over"
            result = f"{winners} won" if winners else nobody
            return f"{result} ({event.outcome.reason}). The secret was {event.secret}."
        case house.RoundVoided():
            return f"The round is void ({event.reason}). The secret was {event.secret}."
        case house.Closed():
            return f"The table closes ({event.reason})."
    return _game_words(event, names)


def _game_words(event: Event, names: Mapping[int, str]) -> str:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    what = str(fields.pop("type")).replace("_", " ")
    fields.pop("at_ms", None)
    seat = fields.pop("seat", None)
    who = f"{names.get(seat, f'seat {seat}')}: " if isinstance(seat, int) else ""
    details = "".join(
        f" {name}={msgspec.json.encode(value).decode()}" for name, value in fields.items()
    )
    return f"{who}{what}{details}"


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
