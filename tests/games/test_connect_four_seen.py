"""What Connect Four can be played with, and how it looks."""

from __future__ import annotations

import pytest

from gamehall import errors
from gamehall.games.connect_four import (
    ConnectFourOptions,
    Drop,
    Spot,
)
from gamehall.games.game import Cell
from gamehall.table_log.rules import TableRules
from tests.games.connect_four_play import GAME, dropped, new

# Options


@pytest.mark.parametrize(
    "options",
    [
        {"columns": 2},
        {"columns": 13},
        {"rows": 2},
        {"rows": 13},
        {"length": 2},
        {"length": 8},
        {"columns": 3, "rows": 3},
        {"columns": 7.0},
        {"columns": "7"},
        {"move_seconds": -1},
        {"move_seconds": 86_401},
        {"colour": "red"},
        [],
        None,
    ],
)
def test_bad_options(options: object) -> None:
    with pytest.raises(errors.BadOptions):
        TableRules(GAME).read_options(options)


def test_options_that_just_fit() -> None:
    rules = TableRules(GAME)
    assert rules.read_options({}) == ConnectFourOptions(7, 6, 4, 0)
    rules.read_options({"columns": 3, "rows": 12, "length": 12, "move_seconds": 86_400})
    rules.read_options({"columns": 12, "rows": 3, "length": 12, "move_seconds": 0.25})


# What is seen


def test_the_view_shows_the_board_from_the_top() -> None:
    view = GAME.view(dropped("3345"), 0)
    assert view.board[:4] == ((0,) * 7,) * 4
    assert view.board[4] == (0, 0, 0, 2, 0, 0, 0)
    assert view.board[5] == (0, 0, 0, 1, 1, 2, 0)
    assert view.last == Spot(column=5, row=5)
    assert GAME.view(dropped("33"), 0).last == Spot(column=3, row=4)
    assert GAME.view(new(), 0).last is None


def test_everyone_sees_the_same() -> None:
    state = dropped("334")
    assert GAME.view(state, 0) == GAME.view(state, 1) == GAME.view(state, None)


def test_a_click_on_a_column_drops_there() -> None:
    picture = GAME.picture(GAME.view(dropped("000000"), 0))
    assert len(picture.rows) == 6
    assert all(row[0].command is None for row in picture.rows)
    assert all(row[4].command == Drop(4) for row in picture.rows)
    assert picture.rows[5][0] == Cell("●", "first")
    assert picture.rows[4][0] == Cell("○", "second")


def test_the_picture_of_a_finished_game_shows_the_line_and_takes_no_clicks() -> None:
    picture = GAME.picture(GAME.view(dropped("0101010"), 0))
    cells = [cell for row in picture.rows for cell in row]
    assert not any(cell.command for cell in cells)
    assert [cell.label for cell in cells if cell.tone == "winning"] == ["●"] * 4
