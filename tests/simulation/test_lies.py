"""The checker believes an honest run, and no lie about it."""

from __future__ import annotations

import pytest

from gamehall.simulation.checker.evidence import judge
from tests.simulation.honest_arena import honest_arena
from tests.simulation.honest_cup import honest_cup
from tests.simulation.honest_doors import honest_doors
from tests.simulation.lies import (
    about_answers,
    about_arena,
    about_bets,
    about_challenges,
    about_doors,
    about_journals,
    about_money,
    about_notices,
    about_people,
    about_private_tables,
    about_requests,
    about_rounds,
    about_silence,
    about_tables,
    about_tournaments,
)
from tests.simulation.lies.forgery import LIES, Forgery

ABOUT = (
    about_answers, about_arena, about_bets, about_challenges, about_doors, about_journals,
    about_money, about_notices, about_people, about_private_tables, about_requests, about_rounds,
    about_silence, about_tables, about_tournaments,
)  # fmt: skip
"""Each of them puts its lies on the list."""


def test_an_honest_run_is_believed() -> None:
    judge(Forgery().evidence)


def test_an_honest_run_with_tournaments_and_a_private_table_is_believed() -> None:
    judge(Forgery(honest_cup).evidence)


def test_an_honest_run_with_game_servers_is_believed() -> None:
    judge(Forgery(honest_arena).evidence)


def test_an_honest_run_with_someone_at_every_door_is_believed() -> None:
    judge(Forgery(honest_doors).evidence)


def test_two_rounds_in_one_notice_are_believed() -> None:
    joined = Forgery()
    about_rounds.join_rounds(joined)
    judge(joined.evidence)


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found(name: str) -> None:
    tell, found, about = LIES[name]
    forged = Forgery(about)
    tell(forged)
    with pytest.raises(AssertionError, match=found):
        judge(forged.evidence)
