"""What both players are told of a scene: each move as the game stood after it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gamehall.games.connect_four import ConnectFour, Dropped
from gamehall.games.game import Event, Outcome
from gamehall.games.two_in_turn import Abandoned, Resigned
from gamehall.hall.beat.requests import Scene
from gamehall.hall.people.notices import SeatInfo, TableView
from gamehall.table_log import house
from gamehall.table_log.rules import TableRules
from gamehall.wire.four.game import FourGame

RULES = TableRules(ConnectFour())
NAMES = ("anna", "bob")


def game() -> FourGame:
    players = tuple(SeatInfo(seat, 1 + seat, name) for seat, name in enumerate(NAMES))
    shown = TableView(
        7, 3, "connect-four", {}, 0, "playing", 1, "", None, (), None, players, 2, None, None, (),
        0, None,
    )  # fmt: skip
    return FourGame(shown)


def scene(*events: Event) -> Scene:
    """Of a game that has begun with six moves: three in a column for each."""
    people = [house.Person(1 + seat, name) for seat, name in enumerate(NAMES)]
    before: list[Event] = [house.Opened("connect-four", {}, 1, "", "", "", drawn=False)]
    before += [house.Seated(seat, person) for seat, person in enumerate(people)]
    before += [house.Started(0)]
    before += [Dropped(n % 2, n % 2, 0) for n in range(6)]
    state = None
    for event in (*before, *events):
        state = RULES.apply(state, event)
    assert state is not None
    ends = (event for event in events if isinstance(event, house.RoundEnded | house.RoundVoided))
    return Scene(state, events, ended=next(ends, None))


def ended(reason: str, *winners: int) -> house.RoundEnded:
    return house.RoundEnded(Outcome(winners, reason), "", 0)


def updates(told: list[bytes]) -> list[tuple[Any, ...]]:
    said = [json.loads(message)["data"] for message in told]
    return [(each["current_player"], each["winner"], each["game_over"]) for each in said]


def test_a_move_that_wins() -> None:
    told = game().moves(scene(Dropped(0, 0, 0), ended("line", 0)))
    assert updates(told) == [(1, 1, True)]


@pytest.mark.parametrize(
    "end",
    [
        (house.Left(1, "left"), Abandoned(1), ended("left", 0)),
        (Resigned(0), ended("resigned", 1)),
        (house.RoundVoided("operator", "", 0),),
    ],
)
def test_a_move_before_the_end(end: tuple[Event, ...]) -> None:
    """Both may be told at once, where a node was behind."""
    assert updates(game().moves(scene(Dropped(0, 3, 0), *end))) == [(2, None, False)]
    two = game().moves(scene(Dropped(0, 3, 0), Dropped(1, 3, 0), *end))
    assert updates(two) == [(2, None, False), (1, None, False)]


def test_an_end_without_a_move() -> None:
    assert game().moves(scene(Resigned(0), ended("resigned", 1))) == []
