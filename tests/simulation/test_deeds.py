"""Everyone knows every deed that a story may have it do, and no other."""

from __future__ import annotations

import pytest

from gamehall.simulation.plots import PRIVATE_DEEDS, TOURNAMENT_DEEDS
from gamehall.simulation.run import Run
from gamehall.simulation.step import Step
from gamehall.simulation.story import DEEDS, Story

ALONE = {"rfc": "gina", "mario": "ida", "caller": "kim", "four": "nele", "practice": "tina"}
OF_PEOPLE = (*DEEDS, *TOURNAMENT_DEEDS, *PRIVATE_DEEDS, "open privately", "stay away")


def _play(who: str, *deeds: str) -> None:
    people = ("anna",) if who == "anna" else ("anna", who)
    steps = tuple(Step(n * 0.1, who, does, 0.5) for n, does in enumerate(deeds))
    Run(Story(1, 1, people, steps)).play()


def test_people_know_all_deeds() -> None:
    _play("anna", *OF_PEOPLE)


@pytest.mark.parametrize("door", ALONE)
def test_visitors_know_all_deeds_of_theirs(door: str) -> None:
    _play(ALONE[door], *DEEDS)


@pytest.mark.parametrize("who", ["anna", *ALONE.values()])
def test_a_deed_that_nobody_knows_is_a_mistake(who: str) -> None:
    with pytest.raises(ValueError, match="nobody knows how to fly"):
        _play(who, "fly")
