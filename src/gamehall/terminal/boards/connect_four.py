"""Connect Four: the numbers of the columns above the stones; a number drops one there."""

from __future__ import annotations

from typing import Any

from gamehall.terminal.boards.board import BARE, LAST, WINNING, Board, Command, Spot, Unclear

SINGLE_KEYS_MAX = 9
"""With more columns a digit is only the beginning of a number."""
ROOMY_ROWS_MAX = 8
"""Higher boards have no space between rows, so that they fit on 24 lines."""


def connect_four_board(view: dict[str, Any]) -> Board:
    seen = view["view"]
    board: list[list[int]] = seen["board"]
    columns = len(board[0])
    legal = {each["column"]: each for each in view["legal"] if each["type"] == "drop"}
    line = {(spot["row"], spot["column"]) for spot in seen["line"]}
    last = seen["last"] and (seen["last"]["row"], seen["last"]["column"])

    def around(place: tuple[int, int]) -> str:
        return WINNING if place in line else LAST if place == last else BARE

    head = tuple(Spot(str(n + 1), "label", legal.get(n)) for n in range(columns))
    rows = tuple(
        tuple(
            Spot(
                ("·", "●", "○")[stone],
                "winning" if (row, column) in line else ("", "first", "second")[stone],
                legal.get(column),
                around((row, column)),
                stop=False,
            )
            for column, stone in enumerate(stones)
        )
        for row, stones in enumerate(board)
    )
    keys = {str(n + 1): _drop(n) for n in range(columns)}

    def read(typed: str) -> Command | None:
        if not typed.isdecimal():
            return None
        if not 1 <= int(typed) <= columns:
            raise Unclear(f"The columns are numbered from 1 to {columns}.")
        return _drop(int(typed) - 1)

    return Board(
        (head, *rows),
        keys=keys if columns <= SINGLE_KEYS_MAX else {},
        hint=f"a column, 1 to {columns}",
        read=read,
        wide=1,
        tall=1 if len(board) <= ROOMY_ROWS_MAX else 0,
    )


def _drop(column: int) -> Command:
    return {"type": "drop", "column": column}
