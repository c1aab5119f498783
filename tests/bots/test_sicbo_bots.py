"""Bots at Sic Bo bet once a round, by what a seat sees; the sensible one stays small."""

from __future__ import annotations

from random import Random
from typing import get_args

import msgspec
import pytest

from gamehall.bots.bot import Bot
from gamehall.bots.sicbo import RandomBettor, SensibleBettor, StrongBettor
from gamehall.games.game import Command
from gamehall.games.sicbo import CHIPS, State
from gamehall.games.sicbo_events import Bet
from gamehall.games.sicbo_layout import Side
from tests.games.sicbo_play import GAME, bet, do, new

LEVELS = pytest.mark.parametrize("player", [RandomBettor(), SensibleBettor(), StrongBettor()])


def choice(player: Bot, state: State, seat: int = 0, seed: int = 0, wire: bool = False) -> object:
    view: object = GAME.view(state, seat)
    if wire:
        view = msgspec.json.decode(msgspec.json.encode(view))
    legal: list[Command] = list(GAME.legal(state, seat))
    return player.choose(view, legal, seat, Random(seed))


@LEVELS
@pytest.mark.parametrize("wire", [False, True])
@pytest.mark.parametrize("bet_max", [1, 7, 5_000, 60_000, 10**6, 10**12])
def test_what_they_bet_is_taken(player: Bot, wire: bool, bet_max: int) -> None:
    for seed in range(50):
        state = new(round=3, bet_max=bet_max)
        chosen = choice(player, state, seed=seed, wire=wire)
        assert isinstance(chosen, Bet)
        assert chosen.round == 3
        do(state, 0, chosen)


@LEVELS
@pytest.mark.parametrize("wire", [False, True])
def test_they_bet_once_a_round(player: Bot, wire: bool) -> None:
    state = new()
    bet(state, 1, "BIG", 5)
    assert isinstance(choice(player, state, wire=wire), Bet), "another's bet is not their own"
    bet(state, 0, "SMALL", 5)
    assert all(choice(player, state, seed=seed, wire=wire) is None for seed in range(20))


@pytest.mark.parametrize("player", [RandomBettor(), SensibleBettor()])
def test_they_bet_on_the_whole_layout(player: Bot) -> None:
    sides = {choice(player, new(), seed=seed).side for seed in range(1500)}  # type: ignore[attr-defined]
    assert sides == set(get_args(Side))


def test_strong_bets_where_the_house_keeps_least() -> None:
    sides = [choice(StrongBettor(), new(), seed=seed).side for seed in range(200)]  # type: ignore[attr-defined]
    assert set(sides) == {"BIG", "SMALL"}
    assert 70 < sides.count("BIG") < 130


def test_random_bets_any_of_the_chips() -> None:
    amounts = {choice(RandomBettor(), new(), seed=seed).amount for seed in range(200)}  # type: ignore[attr-defined]
    assert amounts == set(CHIPS)


@pytest.mark.parametrize(
    ("bet_max", "amount"),
    [(10**12, 10_000), (10**6, 10_000), (60_000, 600), (5_000, 50), (99, 1), (1, 1)],
)
def test_sensible_bets_the_smallest_chip_or_less(bet_max: int, amount: int) -> None:
    for seed in range(20):
        chosen = choice(SensibleBettor(), new(bet_max=bet_max), seed=seed)
        assert isinstance(chosen, Bet)
        assert chosen.amount == amount


@pytest.mark.parametrize("bet_max", [1, 60_000, 10**12])
def test_strong_bets_the_least_there_is(bet_max: int) -> None:
    chosen = choice(StrongBettor(), new(bet_max=bet_max))
    assert isinstance(chosen, Bet)
    assert chosen.amount == 1
