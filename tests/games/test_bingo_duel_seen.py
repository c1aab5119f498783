"""Nobody sees the opponent's board in two-player Bingo before the end; spectators as is agreed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gamehall.games.bingo_duel import BoardsDealt, Pick, Picked, State
from gamehall.games.two_in_turn import Resign
from tests.games.bingo_duel_play import GAME, MIXED, PLAIN, do, new, pick

ROWS = (((1, 2, 3), (4, 5, 6), (7, 8, 9)), ((4, 1, 2), (3, 5, 6), (7, 8, 9)))
HIDDEN = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
PICKED = (1, 2, 3, 5)
SHOWN = (((1, 2, 3), (0, 5, 0), (0, 0, 0)), ((0, 1, 2), (3, 5, 0), (0, 0, 0)))
"""What was picked, in its place."""


def played(rated: bool) -> State:
    return pick(new(PLAIN, MIXED, rated=rated), PICKED)


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_sees_its_own_board_and_nothing_of_the_other(seat: int, rated: bool) -> None:
    view = GAME.view(played(rated), seat)
    own, other = view.sides[seat], view.sides[1 - seat]
    assert (own.board, own.lines) == (ROWS[seat], (1, 0)[seat])
    assert (other.board, other.lines) == (HIDDEN, None)
    assert (view.size, view.turn, view.picked, view.seat) == (3, 1, PICKED, seat)


def test_spectators_of_a_casual_game_see_both_boards() -> None:
    view = GAME.view(played(False), None)
    assert [side.board for side in view.sides] == list(ROWS)
    assert [side.lines for side in view.sides] == [1, 0]
    assert view.seat is None


def test_spectators_of_a_rated_game_see_what_was_picked() -> None:
    view = GAME.view(played(True), None)
    assert [side.board for side in view.sides] == list(SHOWN)
    assert [side.lines for side in view.sides] == [1, 0]
    fresh = GAME.view(new(rated=True), None)
    assert [side.board for side in fresh.sides] == [HIDDEN, HIDDEN]


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_after_the_end_everyone_sees_both(seat: int | None, rated: bool) -> None:
    state = played(rated)
    do(state, 0, Resign())
    view = GAME.view(state, seat)
    assert [side.board for side in view.sides] == list(ROWS)
    assert [side.lines for side in view.sides] == [1, 0]
    assert view.turn is None


@pytest.mark.parametrize("rated", [False, True])
def test_of_the_boards_that_are_dealt_each_seat_sees_its_own(rated: bool) -> None:
    dealt = BoardsDealt((PLAIN, MIXED), rated)
    assert GAME.seen(dealt, 0) == BoardsDealt((PLAIN, ()), rated)
    assert GAME.seen(dealt, 1) == BoardsDealt(((), MIXED), rated)
    public = BoardsDealt(((), ()), True) if rated else dealt
    assert GAME.seen(dealt, None) == public
    assert set(GAME.insiders(dealt)) == {0, 1}


def test_picks_are_seen_by_all() -> None:
    for event in (Picked(0, 3),):
        assert all(GAME.seen(event, seat) == event for seat in (0, 1, None))
        assert not GAME.insiders(event)


def test_before_the_boards_are_dealt_there_is_nothing_to_see() -> None:
    """As in the short moment of a replay between two events of one row."""
    state = new()
    state.boards = None
    for seat in (0, 1, None):
        assert [side.board for side in GAME.view(state, seat).sides] == [HIDDEN, HIDDEN]


@pytest.mark.parametrize("wire", [False, True])
@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_picture_is_ones_own_board_also_after_the_end(seat: int, over: bool, wire: bool) -> None:
    state = played(False)
    if over:
        do(state, 0, Resign())
    view: Any = GAME.view(state, seat)
    if wire:
        view = msgspec.json.decode(msgspec.json.encode(view))
    picture = GAME.picture(view)
    labels = tuple(tuple(int(cell.label) for cell in row) for row in picture.rows)
    assert labels == ROWS[seat]
    tones = {int(cell.label) for row in picture.rows for cell in row if cell.tone == "picked"}
    assert tones == set(PICKED)
    assert all(c.command == Pick(int(c.label)) for row in picture.rows for c in row)
    lines = 1 - seat
    assert picture.caption == f"{lines} of 3 lines; {'over' if over else 'seat 1 to pick'}"


def test_a_spectators_picture_of_a_rated_game_has_blanks() -> None:
    picture = GAME.picture(GAME.view(played(True), None))
    assert [[cell.label for cell in row] for row in picture.rows] == [
        ["1", "2", "3"],
        ["", "5", ""],
        ["", "", ""],
    ]
    assert all(cell.command is None for cell in picture.rows[2])
