"""The tools for testing games."""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal

import msgspec
import pytest

from gamehall.errors import TableClosed
from gamehall.games.chance import Chance
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Command, Game
from gamehall.table_log import house
from gamehall.testing import (
    Playout,
    ScriptedChance,
    a_context,
    arbitrary_command,
)
from tests.games.toys import Ante, Dealt, HighCard
from tests.support.fake_clock import FakeClock


def test_the_clock_rings_what_is_due_in_order() -> None:
    clock, rang = FakeClock(1000), []
    clock.call_at(1300, lambda: rang.append(("b", clock.now_ms())))
    clock.call_at(1100, lambda: rang.append(("a", clock.now_ms())))
    clock.call_at(1200, lambda: rang.append(("never", 0))).cancel()
    clock.call_at(1501, lambda: rang.append(("later", clock.now_ms())))
    clock.advance(500)
    assert rang == [("a", 1100), ("b", 1300)]
    assert clock.now_ms() == 1500
    clock.advance(1)
    assert rang[2:] == [("later", 1501)]


def test_the_clock_rings_what_an_alarm_sets() -> None:
    clock, rang = FakeClock(0), []

    def ring() -> None:
        rang.append(clock.now_ms())
        clock.call_at(clock.now_ms() + 100, ring)

    clock.call_at(-5, ring)
    clock.advance(250)
    assert rang == [0, 100, 200]


def test_scripted_chance() -> None:
    chance = ScriptedChance({"card:0": (51,), "order": (2, 0, 1), "bad": (6,)})
    (dealt,) = HighCard().decide(Playout(HighCard()).state.game, 0, Ante(5), a_context(0, chance))
    assert dealt == Dealt(0, 5, 51)
    assert chance.shuffled("order", "abc") == ["c", "a", "b"]
    assert chance.below("other", 100, 100) == Chance(b"scripted").below("other", 100, 100)
    assert chance.shuffled("other", range(9)) == Chance(b"scripted").shuffled("other", range(9))
    with pytest.raises(ValueError, match="not below"):
        chance.below("bad", 6)
    with pytest.raises(ValueError, match="no order"):
        chance.shuffled("order", "ab")


def test_a_seed_plays_the_same_game() -> None:
    games = [Playout(ConnectFour(), seed=seed, strays=0.1) for seed in (7, 7, 8)]
    for game in games:
        game.run()
    assert games[0].lines == games[1].lines != games[2].lines


def test_a_playout_that_does_not_end_fails() -> None:
    with pytest.raises(AssertionError, match="has not ended after 3 steps"):
        Playout(ConnectFour()).run(3)


def test_a_refusal_is_not_recorded() -> None:
    table = Playout(ConnectFour())
    table.act(None, house.Close("test"))
    rows, chain = len(table.rows), table.chain
    with pytest.raises(TableClosed):
        table.act(0, Drop(0))
    assert (len(table.rows), table.chain) == (rows, chain)


class Colour(msgspec.Struct, frozen=True):
    name: Literal["red", "black"]
    shade: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None


class Paint(Command, frozen=True):
    colours: tuple[Colour, ...]
    size: Annotated[int, msgspec.Meta(ge=900, le=950)]
    at: tuple[int, int]
    text: str
    twice: bool = False


class Never(Command, frozen=True):
    size: Annotated[int, msgspec.Meta(ge=5, le=4)]


class Painting(Game[None]):
    name = "painting"
    commands = (Paint,)


class Impossible(Game[None]):
    name = "impossible"
    commands = (Never,)


def test_arbitrary_commands_can_be_decoded() -> None:
    rng = Random(0)
    commands = [arbitrary_command(Painting(), rng) for _ in range(200)]
    for command in commands:
        assert isinstance(command, Paint)
        assert msgspec.json.decode(msgspec.json.encode(command), type=Paint) == command
    assert len(set(commands)) > 150


def test_fields_that_nothing_fits_are_named() -> None:
    with pytest.raises(ValueError, match="impossible"):
        arbitrary_command(Impossible(), Random(0))
