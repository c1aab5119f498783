"""Playing Four Stone by hand, for its tests.

A board is written row by row from the top, `F` for fire (seat 0), `W` for water (seat 1) and `.`
for a free place, rows apart: `"WWWW .... .... FFFF"`. A move is four digits, `0302` is the one from
[0, 3] to [0, 2].
"""

from __future__ import annotations

from typing import Any

import pytest

from gamehall import errors
from gamehall.games.four_stone import FourStone, FourStoneOptions, Move, Moved, Position, View
from gamehall.games.four_stone_board import Place, stone
from gamehall.games.game import Command, Start
from gamehall.testing import a_context

GAME = FourStone()


def new(**options: Any) -> Position:
    return GAME.start(Start(FourStoneOptions(**options), (0, 1), 1, at_ms=1000))


def at(board: str, turn: int = 0, **options: Any) -> Position:
    """A game that stands like this, for the first time."""
    state = new(**options)
    fire, water = (_stones(board, letter) for letter in "FW")
    state.stones, state.turn = (fire, water), turn
    state.times = {(state.stones, turn): 1}
    return state


def _stones(board: str, letter: str) -> int:
    rows = board.split()
    assert [len(row) for row in rows] == [4] * 4, f"no board: {board}"
    return sum(stone((x, y)) for y, row in enumerate(rows) for x in range(4) if row[x] == letter)


def board(state: Position) -> str:
    """As `at` takes it."""
    return drawn(GAME.view(state, None))


def drawn(view: View) -> str:
    return " ".join("".join(".FW"[place] for place in row) for row in view.board)


def move(digits: str) -> Move:
    x, y, to_x, to_y = map(int, digits)
    return Move((x, y), (to_x, to_y))


def do(state: Position, seat: int | None, command: Command, at_ms: int = 1000) -> Position:
    for event in GAME.decide(state, seat, command, a_context(at_ms)):
        state = GAME.apply(state, event)
    return state


def played(moves: str, state: Position | None = None) -> Position:
    """The position after these moves, none of which but the last may end the game."""
    state = state or new()
    for digits in moves.split():
        assert state.outcome is None, "the game was over before the last move"
        do(state, state.turn, move(digits))
    return state


def falls(state: Position, digits: str) -> tuple[Place, ...]:
    """The places of the stones that this move takes."""
    (event,) = GAME.decide(state, state.turn, move(digits), a_context())
    assert isinstance(event, Moved)
    return event.taken


def refusal(state: Position, seat: int | None, command: Command, at_ms: int = 1000) -> str:
    with pytest.raises(errors.Refused) as refused:
        GAME.decide(state, seat, command, a_context(at_ms))
    return refused.value.code
