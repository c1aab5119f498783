"""How each game looks in a terminal; any other is shown by its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehall.terminal.boards.bingo import bingo_board
from gamehall.terminal.boards.bingo_duel import bingo_duel_board
from gamehall.terminal.boards.board import Board
from gamehall.terminal.boards.connect_four import connect_four_board
from gamehall.terminal.boards.four_stone import four_stone_board
from gamehall.terminal.boards.picture import picture_board
from gamehall.terminal.boards.sicbo import sicbo_board

BOARDS: dict[str, Callable[[dict[str, Any]], Board]] = {
    "connect-four": connect_four_board,
    "bingo-duel": bingo_duel_board,
    "bingo": bingo_board,
    "sicbo": sicbo_board,
    "four-stone": four_stone_board,
}


def board_of(view: dict[str, Any], plain: bool = False) -> Board:
    """The board of a `table_view`; empty before the game has begun."""
    if view["view"] is None:
        return Board(())
    drawn = BOARDS.get(view["game"])
    return picture_board(view, plain) if drawn is None else drawn(view)
