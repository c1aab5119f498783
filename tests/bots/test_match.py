"""Matches without a hall: by the real rules, with seats that change, and a score one can trust."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from gamehall.bots.bot import RandomBot, bots_for
from gamehall.bots.contender import LevelContender
from gamehall.bots.match import Played, Score, Unplayable, check_playable, play_match
from gamehall.catalogue import catalogue
from gamehall.games import GAMES
from gamehall.games.connect_four import ConnectFour, ConnectFourOptions, Drop
from gamehall.games.game import Command, Game, Start
from gamehall.games.two_in_turn import Resign
from tests.games.toys import HighCard

TWO = [game for game in GAMES if game.seats(game.options()).most == 2]
CONNECT_FOUR = ConnectFour()


class Column:
    """Always wants the same, and notes what it was told about its seat."""

    def __init__(self, command: Command | None) -> None:
        self.command = command
        self.seats: list[int] = []

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        self.seats.append(seat)
        return self.command


async def match(
    one: Any, other: Any, games: int, game: Game[Any] = CONNECT_FOUR, seed: int = 1
) -> tuple[Score, Score, list[Played]]:
    played: list[Played] = []
    contenders = (LevelContender(one), LevelContender(other))
    scores = await play_match(game, contenders, games, seed, lambda _, each: played.append(each))
    return *scores, played


@pytest.mark.parametrize("game", [*TWO, HighCard()], ids=lambda game: game.name)
async def test_every_game_for_two_can_be_played(game: Game[Any]) -> None:
    random, other, played = await match(RandomBot(), RandomBot(), 4, game)
    assert random.games == other.games == len(played) == 4
    assert (random.won, random.drawn, random.lost) == (other.lost, other.drawn, other.won)


def test_there_are_games_for_two() -> None:
    assert {game.name for game in TWO} == {"connect-four", "four-stone", "bingo-duel"}


@pytest.mark.parametrize("name", ["bingo", "sicbo"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(Unplayable, match=f"two begin, and {name} is none"):
        check_playable(catalogue()[name])


async def test_seats_change_after_each_game() -> None:
    three, quits = Column(Drop(3)), Column(Resign())
    mine, other, played = await match(three, quits, 4)
    assert quits.seats == [1, 0, 1, 0]
    assert [each.winners for each in played] == [(0,), (1,), (0,), (1,)]
    assert {each.reason for each in played} == {"resigned"}
    assert (mine.won, other.lost) == (4, 4)


async def test_the_same_seed_plays_the_same() -> None:
    for game in TWO:
        one, again, other = [
            (await match(RandomBot(), RandomBot(), 12, game, seed))[2] for seed in (1, 1, 2)
        ]
        assert one == again
        assert one != other


async def test_who_wants_what_the_rules_refuse_is_asked_twice_and_waited_for_no_more() -> None:
    stubborn = Column(Drop(99))
    mine, _, played = await match(stubborn, RandomBot(), 1)
    assert stubborn.seats == [0, 0]
    assert played[0].reason == "nobody_moves"
    assert mine.drawn == 1


class Timed(ConnectFour):
    """With a clock that always runs."""

    def start(self, start: Start) -> Any:
        return super().start(
            msgspec.structs.replace(start, options=ConnectFourOptions(move_seconds=5))
        )


async def test_time_passes_where_nobody_moves() -> None:
    mine, _, played = await match(Column(None), RandomBot(), 1, Timed())
    assert (mine.lost, played[0].reason) == (1, "time")


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [
        (Score(won=50, lost=50), 0.4038, 0.5962),
        (Score(won=100), 0.9630, 1.0),
        (Score(lost=10), 0.0, 0.2775),
        (Score(won=8, drawn=4, lost=8), 0.2993, 0.7007),
    ],
)
def test_wilsons_interval(score: Score, low: float, high: float) -> None:
    """As published tables have it."""
    assert score.interval() == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("name", "least"), [("four-stone", 0.75), ("bingo-duel", 0.85)])
async def test_strong_is_better(name: str, least: float) -> None:
    bots = bots_for(name)
    weaker = "sensible" if name == "four-stone" else "random"
    strong, *_ = await match(bots["strong"], bots[weaker], 20, catalogue()[name])
    assert strong.rate >= least


@pytest.mark.parametrize("name", [game.name for game in GAMES])
def test_every_game_has_these_levels(name: str) -> None:
    assert list(bots_for(name))[:3] == ["random", "sensible", "strong"]
