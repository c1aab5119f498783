"""Any game, by the picture that its rules draw: spots are named as in a spreadsheet, `b3`."""

from __future__ import annotations

import json
import re
from typing import Any

from gamehall.terminal.boards.board import PICKED, WINNING, Board, Command, Spot, Unclear

_AROUND = {"winning": WINNING, "picked": PICKED, "called": PICKED}
LINES_MAX = 12


def picture_board(view: dict[str, Any], plain: bool = False) -> Board:
    picture = view["picture"]
    legal: list[Command] = view["legal"]
    if picture is None:
        shown = json.dumps(view["view"], ensure_ascii=False, indent=1).splitlines()
        more = ("…",) if len(shown) > LINES_MAX else ()
        moves = tuple((Spot(_named(command), command=command),) for command in legal[:LINES_MAX])
        return Board(
            moves, above=(*shown[:LINES_MAX], *more), hint=_hint(legal), read=_reader(view)
        )
    mine = bool(legal)
    drawn = tuple(
        tuple(
            Spot(
                cell.get("label", "") or cell.get("tone", "")[:1].upper() or "·",
                cell.get("tone", ""),
                cell.get("command") if mine else None,
                _AROUND.get(cell.get("tone", ""), "  "),
            )
            for cell in row
        )
        for row in picture["rows"]
    )
    caption = picture.get("caption", "")
    rows = _lettered(drawn) if plain else drawn
    return Board(rows, below=(caption,), hint=_hint(legal), read=_reader(view))


def _lettered(rows: tuple[tuple[Spot, ...], ...]) -> tuple[tuple[Spot, ...], ...]:
    """With the names of columns and rows, for whoever types them."""
    wide = max(map(len, rows), default=0)
    head = (Spot(), *(Spot(_letter(n)) for n in range(wide)))
    return (head, *((Spot(str(n)), *row) for n, row in enumerate(rows, 1)))


def _letter(column: int) -> str:
    first, second = divmod(column, 26)
    return ("" if not first else chr(96 + first)) + chr(97 + second)


def _named(command: Command) -> str:
    fields = (json.dumps(value) for name, value in command.items() if name != "type")
    return " ".join((str(command["type"]), *fields))


def _hint(legal: list[Command]) -> str:
    names = list(dict.fromkeys(str(command["type"]) for command in legal))
    return f"a spot, as b3, or: {', '.join(names)}" if names else "a spot, as b3"


def _reader(view: dict[str, Any]) -> Any:
    def read(line: str) -> Command | None:
        spot = re.fullmatch(r"([a-z]{1,2})\s*(\d+)", line)
        rows = [] if view["picture"] is None else view["picture"]["rows"]
        if spot and rows:
            column, row = spot[1], int(spot[2]) - 1
            number = sum(26**n * (ord(c) - 96) for n, c in enumerate(reversed(column))) - 1
            if not 0 <= row < len(rows) or not number < len(rows[row]):
                raise Unclear(f"There is no spot {line}.")
            command: Command | None = rows[row][number].get("command")
            if command is None:
                raise Unclear(f"Nothing happens at {line}.")
            return command
        words = line.split()
        for command in view["legal"]:
            if _named(command).lower().replace('"', "").split() == words:
                return command
        return None

    return read
