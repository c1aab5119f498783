"""Double elimination: whoever loses twice is out."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.hall.tournaments.formats.bracket import double
from gamehall.hall.tournaments.formats.field import Match
from tests.hall.formats.play import MOODS, SEEDS, Mood, Run, withdrew


def a_run(players: int) -> Run:
    return Run("double-elimination", players)


def loser_of(match: Match) -> int:
    assert match.winner is not None
    return match.first if match.winner == match.second else match.second


def losses(run: Run) -> Counter[int]:
    return Counter(loser_of(m) for m in run.state.field.matches if m.winner is not None)


@settings(max_examples=60)
@given(players=st.integers(2, 24), seed=SEEDS)
def test_everybody_but_the_winner_has_lost_twice(players: int, seed: int) -> None:
    run = a_run(players)
    run.play(Random(seed), Mood())
    (winner,) = run.state.finished.winners if run.state.finished else ()
    lost = losses(run)
    assert lost.pop(winner, 0) < 2
    assert lost == dict.fromkeys(set(range(players)) - {winner}, 2)
    assert 2 * players - 2 <= len(run.pairs()) <= 2 * players - 1


@settings(max_examples=60)
@given(players=st.integers(2, 16), seed=SEEDS, mood=MOODS)
def test_nobody_is_out_who_has_not_lost_twice_or_stayed_away(
    players: int, seed: int, mood: Mood
) -> None:
    run = a_run(players)
    run.play(Random(seed), mood)
    excused = withdrew(run)
    drawn: Counter[int] = Counter()
    for match in run.state.field.matches:
        pair = {match.first, match.second}
        if match.winner is None and match.reason == "no_show":
            excused |= pair
        elif match.is_draw:
            drawn.update(pair)
    lost = losses(run)
    winners = set(run.state.finished.winners) if run.state.finished else set()
    for seat in set(range(players)) - winners - excused:
        # After two replays the seeding decides, which is a loss of three draws.
        assert lost[seat] + drawn[seat] // 3 >= 2
    assert max(lost.values(), default=0) <= 2


def test_a_whole_one_of_four() -> None:
    run = a_run(4)
    run.won_by(0, 3)
    run.won_by(1, 2)
    assert sorted(run.pairs(stage="winners", round=2)[0]) == [0, 1]
    assert sorted(run.pairs(stage="losers", round=1)[0]) == [2, 3]
    run.won_by(1, 0)
    run.won_by(3, 2)
    assert sorted(run.pairs(stage="losers", round=2)[0]) == [0, 3]
    run.won_by(0, 3)
    assert sorted(run.pairs(stage="final", round=1)[0]) == [0, 1]
    run.won_by(1, 0)
    run.check_end()
    assert [(each.seat, each.rank) for each in run.ranking()] == [(1, 1), (0, 2), (3, 3), (2, 4)]


def test_the_final_is_played_again_if_the_one_from_below_wins_it() -> None:
    run = a_run(2)
    run.won_by(0, 1)
    assert len(run.pairs(stage="final")) == 1
    run.won_by(1, 0)
    assert len(run.pairs(stage="final", round=2)) == 1
    assert run.pairs(stage="final")[0] == run.pairs(stage="final", round=2)[0][::-1]
    run.won_by(1, 0)
    run.check_end()
    assert run.order() == [1, 0]


def test_the_final_is_not_played_again_with_one_who_is_gone() -> None:
    run = a_run(3)
    run.won_by(1, 2)
    run.won_by(0, 1)
    run.withdraw(0)
    run.won_by(1, 2)
    run.check_end()
    assert run.order() == [1, 0, 2]
    assert run.pairs(stage="final") == []
    assert run.byes() == [0, 2, 1], "in the first rounds above and below, and for the final"


@settings(max_examples=20)
@given(players=st.sampled_from((8, 16)), seed=SEEDS)
def test_who_falls_does_not_meet_at_once_whom_it_has_thrown_down(players: int, seed: int) -> None:
    run = a_run(players)
    run.play(Random(seed), Mood())
    above = {frozenset(pair) for pair in run.pairs(stage="winners", round=1)}
    below = {frozenset(pair) for pair in run.pairs(stage="losers", round=2)}
    assert len(below) == players // 4
    assert not above & below


def test_who_has_withdrawn_is_passed_over_below_too() -> None:
    run = a_run(4)
    run.withdraw(3)
    run.won_by(0, 3)
    run.won_by(1, 2)
    assert run.pairs(stage="losers") == []
    run.won_by(0, 1)
    assert [sorted(pair) for pair in run.pairs(stage="losers")] == [[1, 2]]


@pytest.mark.parametrize("count", range(2, 70))
def test_every_loser_of_the_winners_bracket_has_a_place_below(count: int) -> None:
    bracket = double(count)
    sides = [side for slot in bracket for side in slot.sides]
    assert len(sides) == len(set(sides))
    for number, slot in enumerate(bracket):
        kinds = {side.kind for side in sides if side.kind != "seed" and side.number == number}
        if slot.stage == "winners":
            assert kinds == {"winner", "loser"}
        elif slot.stage == "losers":
            assert kinds == {"winner"}
        for side in slot.sides:
            assert side.kind == "seed" or side.number < number
    levels = [slot.level for slot in bracket]
    assert levels == sorted(levels)
