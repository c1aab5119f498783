"""Playing two-player Bingo by hand, for its tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from gamehall import errors
from gamehall.games.bingo_duel import BingoDuel, BingoDuelOptions, Pick, State
from gamehall.games.chance import Chance
from gamehall.games.game import Command, Start
from gamehall.testing import Playout, ScriptedChance, a_context

GAME = BingoDuel()

PLAIN = (
    1, 2, 3,
    4, 5, 6,
    7, 8, 9,
)  # fmt: skip
MIXED = (
    4, 1, 2,
    3, 5, 6,
    7, 8, 9,
)  # fmt: skip
"""4, 6 and 8 lie on every row, every column and one diagonal."""


def new(
    first: Sequence[int] = PLAIN, second: Sequence[int] = MIXED, *, rated: bool = False
) -> State:
    """A game with these boards, row by row."""
    script = {f"board:{seat}": [n - 1 for n in board] for seat, board in enumerate((first, second))}
    size = round(len(first) ** 0.5)
    return begun(ScriptedChance(script), size, rated=rated)


def begun(chance: Chance, size: int = 7, *, rated: bool = False) -> State:
    options = BingoDuelOptions(size=size)
    state = GAME.start(Start(options, (0, 1), 1, 0, rated=rated))
    for event in GAME.begin(state, a_context(chance=chance)):
        state = GAME.apply(state, event)
    return state


def do(state: State, seat: int | None, command: Command) -> tuple[Any, ...]:
    """The events, after they were applied. Raises Refused."""
    events = GAME.decide(state, seat, command, a_context())
    for event in events:
        GAME.apply(state, event)
    return events


def pick(state: State, numbers: Iterable[int]) -> State:
    """Both pick in turn, as long as nobody has won."""
    for number in numbers:
        assert GAME.outcome(state) is None, f"it was over before {number}"
        do(state, state.turn, Pick(number))
    return state


def refusal(state: State, seat: int | None, command: Command) -> type[errors.Refused]:
    with pytest.raises(errors.Refused) as refused:
        do(state, seat, command)
    return refused.type


def a_table(seed: int = 0, size: int = 4, **opening: Any) -> Playout:
    return Playout(GAME, {"size": size}, seed=seed, **opening)


def game_of(table: Playout) -> State:
    state = table.state.game
    assert isinstance(state, State)
    return state


def naive_lines(board: Sequence[int], picked: Iterable[int], size: int) -> int:
    """Counted as one would on paper."""
    rows = [board[n * size : (n + 1) * size] for n in range(size)]
    lines: list[Sequence[int]] = [*rows, *zip(*rows, strict=True)]
    lines += [[rows[n][n] for n in range(size)], [rows[n][size - 1 - n] for n in range(size)]]
    marked = set(picked)
    return sum(marked.issuperset(line) for line in lines)
