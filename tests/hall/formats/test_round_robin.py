"""Round-robin: everyone meets everyone once."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.hall.tournaments.formats.round_robin import pairs_of, rounds_of
from tests.hall.formats.play import MOODS, SEEDS, Mood, Run


def a_run(players: int) -> Run:
    return Run("round-robin", players)


@pytest.mark.parametrize("count", [*range(2, 40), 500])
def test_the_table_has_every_pair_once_and_everyone_once_a_round(count: int) -> None:
    met: set[frozenset[int]] = set()
    surplus: Counter[int] = Counter()
    for round in range(1, rounds_of(count) + 1):
        pairs = list(pairs_of(round, count))
        assert len(pairs) == count // 2
        assert len({seat for pair in pairs for seat in pair}) == 2 * len(pairs)
        for first, second in pairs:
            surplus[first] += 1
            surplus[second] -= 1
        met |= {frozenset(pair) for pair in pairs}
    assert met == {frozenset(pair) for pair in combinations(range(count), 2)}
    assert max(abs(surplus[seat]) for seat in range(count)) == (count + 1) % 2


@settings(max_examples=60)
@given(players=st.integers(2, 12), seed=SEEDS, mood=MOODS)
def test_everyone_meets_everyone_who_stays(players: int, seed: int, mood: Mood) -> None:
    run = a_run(players)
    run.play(Random(seed), mood)
    pairs = [frozenset(pair) for pair in run.pairs()]
    assert len(set(pairs)) == len(pairs)
    there = run.state.field.active()
    assert {frozenset(pair) for pair in combinations(there, 2)} <= set(pairs)
    # Each game that was not played because one was gone is a bye of the other.
    byes, met = Counter(run.byes()), Counter(seat for pair in pairs for seat in pair)
    for seat in there:
        assert byes[seat] + met[seat] == players - 1


def test_a_round_begins_when_the_one_before_has_ended() -> None:
    run = a_run(4)
    assert {match.round for match in run.playing()} == {1}
    first, second = run.playing()
    run.won_by(first.first, first.second)
    assert len(run.pairs()) == 2
    run.won_by(second.first, second.second)
    assert {match.round for match in run.playing()} == {2}


def test_resting_where_the_number_is_odd_gives_no_points() -> None:
    run = a_run(3)
    assert len(run.playing()) == 1
    assert not run.byes()
    assert [each.points for each in run.ranking()] == [0, 0, 0]


def test_whoever_should_meet_one_who_is_gone_has_a_bye() -> None:
    run = a_run(3)
    ((one, other),) = run.pairs()
    third = 3 - one - other
    run.withdraw(third)
    run.won_by(one, other)
    run.check_end()
    assert sorted(run.byes()) == sorted((one, other))
    assert [(each.seat, each.points) for each in run.ranking()] == [
        (one, 4),
        (other, 2),
        (third, 0),
    ]


def test_if_both_stay_away_neither_has_a_point() -> None:
    run = a_run(2)
    run.missed(0, 1)
    run.check_end()
    assert [(each.rank, each.points, each.lost) for each in run.ranking()] == [(1, 0, 1), (1, 0, 1)]


def test_who_wins_all_has_won() -> None:
    run = a_run(5)
    run.play_by(lambda match: max(match.first, match.second), Random(1))
    assert run.order() == [4, 3, 2, 1, 0]
    assert [each.points for each in run.ranking()] == [8, 6, 4, 2, 0]
    assert run.state.finished is not None
    assert run.state.finished.winners == (4,)
