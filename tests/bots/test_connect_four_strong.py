"""The strong player of Connect Four: on any board, and better than the sensible one."""

from __future__ import annotations

from random import Random

import pytest

from gamehall.bots.bot import Bot
from gamehall.bots.connect_four import SensibleBot, StrongBot
from gamehall.games.connect_four import ConnectFourOptions, Drop, Dropped
from gamehall.games.game import Command, Start
from gamehall.games.two_in_turn import AnswerDraw, DrawOffered
from tests.bots.test_bots import GAME, play


def chosen(drops: str, seed: int = 0, **options: int) -> Command:
    state = GAME.start(Start(ConnectFourOptions(**options), (0, 1), 1, 0))
    for place, column in enumerate(drops):
        GAME.apply(state, Dropped(place % 2, int(column), 0))
    seat = state.turn
    legal = list(GAME.legal(state, seat))
    return StrongBot().choose(GAME.view(state, seat), legal, seat, Random(seed))


@pytest.mark.parametrize("seat", [0, 1])
def test_strong_beats_sensible(seat: int) -> None:
    players: list[Bot] = [SensibleBot(), SensibleBot()]
    players[seat] = StrongBot()
    wins = sum(play(players, seed).winners == (seat,) for seed in range(8))
    assert wins >= 7


@pytest.mark.parametrize(
    ("drops", "columns"),
    [
        ("010101", {0}),  # It wins,
        ("01010", {0}),  # prevents a win,
        ("3040", {2, 5}),  # and makes a row with two open ends, against which nothing helps.
    ],
)
def test_it_sees_what_is_near(drops: str, columns: set[int]) -> None:
    made = chosen(drops)
    assert isinstance(made, Drop)
    assert made.column in columns


@pytest.mark.parametrize(
    "options",
    [
        {"columns": 3, "rows": 3, "length": 3},
        {"columns": 12, "rows": 12, "length": 5},
        {"columns": 12, "rows": 12, "length": 12},
        {"columns": 4, "rows": 9, "length": 7},
        {"columns": 9, "rows": 3, "length": 4},
    ],
)
def test_it_plays_on_any_board(options: dict[str, int]) -> None:
    play([StrongBot(), StrongBot()], 1, **options)


def test_it_does_the_same_from_the_same_seed() -> None:
    assert chosen("33", 5) == chosen("33", 5)


def test_it_declines_a_draw() -> None:
    state = GAME.start(Start(ConnectFourOptions(), (0, 1), 1, 0))
    GAME.apply(state, DrawOffered(0))
    legal = list(GAME.legal(state, 1))
    answer = StrongBot().choose(GAME.view(state, 1), legal, 1, Random(0))
    assert answer == AnswerDraw(False)
