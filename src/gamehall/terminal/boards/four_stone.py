"""Four Stone: choose a stone, then where it goes; or type both, as `b4 b3`."""

from __future__ import annotations

import re
from typing import Any

from gamehall.terminal.boards.board import BARE, LAST, Board, Command, Place, Spot, Unclear

COLUMNS = "abcd"


def four_stone_board(view: dict[str, Any]) -> Board:
    seen = view["view"]
    last = seen["last"]
    came_to = None if last is None else tuple(last["to"])
    head = (Spot(), *(Spot(letter, "label") for letter in COLUMNS))
    rows = tuple(
        (
            Spot(str(y + 1), "label"),
            *(
                Spot(
                    ("·", "●", "○")[stone],
                    ("", "first", "second")[stone],
                    around=LAST if (x, y) == came_to else BARE,
                )
                for x, stone in enumerate(stones)
            ),
        )
        for y, stones in enumerate(seen["board"])
    )
    moves = {
        (_place(each["from"]), _place(each["to"])): each
        for each in view["legal"]
        if each["type"] == "move"
    }
    below = () if last is None else ("", f"Last move: {_told(last)}")
    return Board(
        (head, *rows),
        moves=moves,
        below=below,
        hint="two places, as b4 b3",
        read=_read,
        wide=2,
        tall=1,
    )


def _place(at: list[int]) -> Place:
    """Where it is on the board with its names of columns and rows."""
    return at[1] + 1, at[0] + 1


def place_name(at: list[int]) -> str:
    return f"{COLUMNS[at[0]]}{at[1] + 1}"


def _told(last: dict[str, Any]) -> str:
    taken = ", ".join(map(place_name, last["taken"]))
    told = f"{place_name(last['from'])} to {place_name(last['to'])}"
    return f"{told}; taken: {taken}" if taken else told


def _read(typed: str) -> Command | None:
    if re.fullmatch(r"[a-z]\d", typed):
        raise Unclear("Type the stone and where it goes, as b4 b3.")
    both = re.fullmatch(r"([a-z])(\d)[\s-]*([a-z])(\d)", typed)
    if both is None:
        return None
    if not {both[1], both[3]} <= set(COLUMNS) or not {both[2], both[4]} <= set("1234"):
        raise Unclear("The places run from a1 to d4.")
    from_, to = ([COLUMNS.index(both[n]), int(both[n + 1]) - 1] for n in (1, 3))
    return {"type": "move", "from": from_, "to": to}
