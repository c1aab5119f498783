"""What Four Stone can be played with, how it looks, and how it is written in JSON."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from gamehall import errors
from gamehall.games.four_stone import FourStoneOptions, LastMove, Move, Moved, View
from gamehall.games.game import Cell
from gamehall.games.two_in_turn import Resign
from gamehall.table_log.rules import TableRules
from tests.games.four_stone_play import GAME, at, do, move, new, played

# Options


@pytest.mark.parametrize(
    "options",
    [
        {"move_seconds": -1},
        {"move_seconds": 86_401},
        {"move_seconds": "1"},
        {"size": 4},
        [],
        None,
    ],
)
def test_bad_options(options: object) -> None:
    with pytest.raises(errors.BadOptions):
        TableRules(GAME).read_options(options)


def test_options_that_just_fit() -> None:
    rules = TableRules(GAME)
    assert rules.read_options({}) == FourStoneOptions(0)
    assert rules.read_options({"move_seconds": 86_400}) == FourStoneOptions(86_400)
    assert rules.read_options({"move_seconds": 0.25}) == FourStoneOptions(0.25)


# JSON


def test_a_move_on_the_wire() -> None:
    written = b'{"type":"move","from":[0,3],"to":[0,2]}'
    assert msgspec.json.encode(move("0302")) == written
    assert msgspec.json.decode(written, type=Move | Resign) == move("0302")


@pytest.mark.parametrize(
    "fields",
    [
        '"from":[0,3]',
        '"to":[0,2]',
        '"from_":[0,3],"to":[0,2]',
        '"from":[0,3],"to":[0,2],"taken":[]',
        '"from":[0],"to":[0,2]',
        '"from":[0,3,0],"to":[0,2]',
        '"from":[0,3],"to":[0,2.5]',
        '"from":[0,3],"to":[0,"2"]',
        '"from":[0,3],"to":[0,true]',
        '"from":[0,3],"to":[0,null]',
        '"from":{"x":0,"y":3},"to":[0,2]',
        '"from":3,"to":2',
        '"from":null,"to":[0,2]',
    ],
)
def test_what_is_no_move(fields: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"type":"move",{fields}}}', type=Move | Resign)


def test_an_event_on_the_wire() -> None:
    event = Moved(0, (1, 2), (1, 1), ((2, 1), (1, 3)), 5)
    assert msgspec.json.decode(msgspec.json.encode(event)) == {
        "type": "moved",
        "seat": 0,
        "from": [1, 2],
        "to": [1, 1],
        "taken": [[2, 1], [1, 3]],
        "at_ms": 5,
    }


def test_the_view_on_the_wire() -> None:
    state = played("1211", at(".... F.W. .F.W W...", move_seconds=2))
    view = msgspec.json.encode(GAME.view(state, 0))
    assert msgspec.json.decode(view) == {
        "board": [[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 2], [2, 0, 0, 0]],
        "turn": 1,
        "last": {"from": [1, 2], "to": [1, 1], "taken": [[2, 1]]},
        "times": 1,
        "deadline_ms": 3000,
    }
    assert msgspec.json.decode(view, type=View) == GAME.view(state, 0)


# Views


def test_the_view_shows_the_board_from_the_top() -> None:
    view = GAME.view(new(), None)
    assert view.board == ((2,) * 4, (0,) * 4, (0,) * 4, (1,) * 4)
    assert (view.turn, view.last, view.times, view.deadline_ms) == (0, None, 1, None)
    view = GAME.view(played("3332"), None)
    assert view.board[2:] == ((0, 0, 0, 1), (1, 1, 1, 0))
    assert (view.turn, view.last) == (1, LastMove((3, 3), (3, 2), ()))


def test_everyone_sees_the_same() -> None:
    state = played("0302 1011")
    assert GAME.view(state, 0) == GAME.view(state, 1) == GAME.view(state, None)


# Pictures


def test_places_and_arrows() -> None:
    picture = GAME.picture(GAME.view(at("W..W .... .F.. ...F"), 0))
    assert ["".join(cell.label or "." for cell in row) for row in picture.rows] == [
        "○ . . ○",
        "       ",
        ". . . .",
        "  ↑    ",
        ".←●→. .",
        "  ↓   ↑",
        ". . .←●",
    ]
    assert picture.rows[0][0] == Cell("○", "second")
    assert picture.rows[4][2] == Cell("●", "first")
    assert picture.rows[4][3] == Cell("→", "move", move("1222"))
    assert picture.rows[3][2] == Cell("↑", "move", move("1211"))
    assert picture.caption == "● (fire) is to move."


def test_the_arrows_are_those_of_whoever_is_to_move() -> None:
    picture = GAME.picture(GAME.view(played("0302"), 0))
    arrows = {cell.command for row in picture.rows for cell in row if cell.command}
    assert arrows == {Move((x, 0), (x, 1)) for x in range(4)}
    assert picture.caption == "○ (water) is to move."


def test_a_picture_has_an_arrow_for_every_legal_move_and_no_other() -> None:
    for seed in range(20):
        rng, state = Random(seed), new()
        while state.outcome is None:
            legal = list(GAME.legal(state, state.turn))
            picture = GAME.picture(GAME.view(state, None))
            assert {len(picture.rows), *map(len, picture.rows)} == {7}
            arrows = [cell.command for row in picture.rows for cell in row if cell.command]
            assert len(arrows) == len(legal)
            assert set(arrows) == set(legal)
            do(state, state.turn, rng.choice(legal))


def test_the_picture_of_a_finished_game_takes_no_clicks() -> None:
    picture = GAME.picture(GAME.view(do(played("0302"), 0, Resign()), 0))
    assert not any(cell.command for row in picture.rows for cell in row)
    assert picture.rows[4][0] == Cell("●", "first")
    assert picture.caption == "The game is over."
