"""The layout of Sic Bo, by counts of the 216 throws that were worked out without its code."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import get_args

import pytest

from gamehall.games.sicbo_layout import ODDS, ROWS, SIDES, Side, house_edge, result_of, winners
from tests.games.sicbo_odds import EDGES, returned

THROWS = list(product(range(1, 7), range(1, 7), range(1, 7)))


def test_there_are_52_sides_each_once() -> None:
    assert len(SIDES) == 52
    assert sorted(SIDES) == sorted(get_args(Side)) == sorted(EDGES)
    assert sorted(side for row in ROWS for side in row) == sorted(SIDES)
    assert set(ODDS) == set(SIDES)


@pytest.mark.parametrize("side", EDGES)
def test_the_edge_of_the_house(side: Side) -> None:
    """Counted from the dice themselves, by our rules and by others, and against a written table."""
    edge = 1 - Fraction(sum(winners(dice).get(side, 0) for dice in THROWS), 216)
    assert edge == EDGES[side]
    assert edge == 1 - Fraction(sum(returned(side, 1, dice) for dice in THROWS), 216)
    assert house_edge(side) == edge


def test_every_side_of_every_throw() -> None:
    for dice in THROWS:
        won = winners(dice)
        assert {side: won.get(side, 0) for side in SIDES} == {
            side: returned(side, 1, dice) for side in SIDES
        }
        assert (result_of(dice) == "BIG", result_of(dice) == "SMALL") == (
            "BIG" in won,
            "SMALL" in won,
        )


@pytest.mark.parametrize(
    ("dice", "won"),
    [
        ((1, 1, 1), "LEO1 181 ANY_LEO 31 DICE1SG 4 DICE1DB 11"),
        ((4, 4, 4), "BIG 2 LEO4 181 ANY_LEO 31 SUM12 7 DICE4SG 4 DICE4DB 11"),
        ((2, 5, 2), "SMALL 2 ODD 2 SUM9 7 DICE2SG 3 DICE5SG 2 DICE2DB 11 DICE25 6"),
        ((6, 6, 5), "BIG 2 ODD 2 SUM17 61 DICE6SG 3 DICE5SG 2 DICE6DB 11 DICE56 6"),
        (
            (6, 3, 1),
            "SMALL 2 EVEN 2 SUM10 7 DICE1SG 2 DICE3SG 2 DICE6SG 2 DICE13 6 DICE16 6 DICE36 6",
        ),
    ],
)
def test_what_some_throws_win(dice: tuple[int, int, int], won: str) -> None:
    words = won.split()
    assert winners(dice) == dict(zip(words[::2], map(int, words[1::2]), strict=True))
