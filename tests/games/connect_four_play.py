"""Playing Connect Four by hand, for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gamehall import errors
from gamehall.games.connect_four import (
    ConnectFour,
    ConnectFourOptions,
    Drop,
    Position,
)
from gamehall.games.game import Command, Start
from gamehall.testing import a_context

GAME = ConnectFour()


def new(**options: Any) -> Position:
    return GAME.start(Start(ConnectFourOptions(**options), (0, 1), 1, at_ms=1000))


def do(state: Position, seat: int | None, command: Command, at_ms: int = 1000) -> Position:
    for event in GAME.decide(state, seat, command, a_context(at_ms)):
        state = GAME.apply(state, event)
    return state


def dropped(drops: Sequence[int] | str, **options: Any) -> Position:
    """The position after these drops, none of which but the last may end the game."""
    state = new(**options)
    for column in drops:
        assert state.outcome is None, "the game was over before the last drop"
        do(state, state.turn, Drop(int(column)))
    return state


def refusal(state: Position, seat: int | None, command: Command, at_ms: int = 1000) -> str:
    with pytest.raises(errors.Refused) as refused:
        GAME.decide(state, seat, command, a_context(at_ms))
    return refused.value.code
