"""Two-player Bingo: both boards, side by side where there is room; a number picks it."""

from __future__ import annotations

from typing import Any

from gamehall.terminal.boards.board import GAP, HIDDEN, PICKED, Board, Command, Spot, Unclear

BESIDE_MAX = 7
"""Larger boards lie one below the other."""
RECENT = 8


def bingo_duel_board(view: dict[str, Any]) -> Board:
    seen = view["view"]
    size: int = seen["size"]
    picked: list[int] = seen["picked"]
    own = seen["seat"] or 0
    legal = {each["number"]: each for each in view["legal"]}
    mine = _spots(seen["sides"][own]["board"], set(picked), legal)
    theirs = _spots(seen["sides"][1 - own]["board"], set(picked), {})
    names = {person["seat"]: person["name"] for person in view["players"]}
    whose = [f"{names.get(seat, f'seat {seat}')}'s board" for seat in (own, 1 - own)]
    if seen["seat"] is not None:
        whose[0] = "your board"
    titles = [
        f"{title}, {_lines(seen['sides'][seat]['lines'], size)}"
        for title, seat in zip(whose, (own, 1 - own), strict=True)
    ]
    if size <= BESIDE_MAX:
        rows = tuple((*one, GAP, *other) for one, other in zip(mine, theirs, strict=True))
        above: tuple[str, ...] = (f"Left: {titles[0]}", f"Right: {titles[1]}", "")
    else:
        rows = (*mine, (GAP,), *theirs)
        above = (f"Upper: {titles[0]}", f"Lower: {titles[1]}", "")

    def read(typed: str) -> Command | None:
        if not typed.isdecimal():
            return None
        number = int(typed)
        if not 1 <= number <= size**2:
            raise Unclear(f"The numbers run from 1 to {size**2}.")
        if number in picked:
            raise Unclear(f"{number} was picked before.")
        return {"type": "pick", "number": number}

    recent = ", ".join(map(str, picked[: -RECENT - 1 : -1]))
    below = ("", f"Picked, the last first: {recent}") if picked else ("",)
    return Board(rows, above=above, below=below, hint=f"a number, 1 to {size**2}", read=read)


def _spots(
    board: list[list[int]], picked: set[int], legal: dict[int, Command]
) -> tuple[tuple[Spot, ...], ...]:
    return tuple(
        tuple(
            HIDDEN
            if not number
            else Spot(str(number), "picked", around=PICKED)
            if number in picked
            else Spot(str(number), "", legal.get(number))
            for number in row
        )
        for row in board
    )


def _lines(lines: int | None, size: int) -> str:
    return "hidden until the end" if lines is None else f"{lines} of {size} lines"
