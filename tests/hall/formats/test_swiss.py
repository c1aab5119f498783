"""Swiss: nobody meets twice, nobody rests twice, and equals meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.games.game import Event
from gamehall.hall.tournaments.events import Paired, Reported
from gamehall.hall.tournaments.formats.field import Field, Pairing
from gamehall.hall.tournaments.formats.swiss import BYE, SURPLUS_MOST, Swiss, rounds
from tests.hall.formats.graphs import graph, most_pairs
from tests.hall.formats.play import MOODS, SEEDS, Mood, Run


def meetings(run: Run) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in run.pairs()]


@pytest.mark.parametrize(
    ("players", "asked", "played"),
    [(2, 0, 1), (3, 0, 2), (4, 0, 2), (5, 0, 3), (8, 0, 3), (9, 0, 4), (500, 0, 9), (8, 5, 5),
     (6, 9, 5), (5, 9, 5)],
)  # fmt: skip
def test_how_many_rounds_there_are(players: int, asked: int, played: int) -> None:
    assert rounds(Run("swiss", players, rounds=asked).state.field) == played


@settings(max_examples=80)
@given(players=st.integers(2, 22), part=st.floats(0, 1), seed=SEEDS, mood=MOODS)
def test_nobody_meets_or_rests_twice(players: int, part: float, seed: int, mood: Mood) -> None:
    """Up to half the entrants as rounds, a new opponent can be found for everyone (Dirac)."""
    halfway = (players + 1) // 2
    run = Run("swiss", players, rounds=1 + round(part * (halfway - 1)))
    run.play(Random(seed), Mood(mood.draws, mood.no_shows))
    assert len(set(meetings(run))) == len(meetings(run))
    assert len(set(run.byes())) == len(run.byes())
    assert len(run.byes()) == (rounds(run.state.field) if players % 2 else 0)


@settings(max_examples=80)
@given(players=st.integers(2, 11), seed=SEEDS, mood=MOODS)
def test_with_any_number_of_rounds_as_few_as_possible_meet_again(
    players: int, seed: int, mood: Mood
) -> None:
    run = Checked("swiss", players, rounds=99)
    run.play(Random(seed), mood)
    assert len(set(run.byes())) == len(run.byes())
    assert run.rounds_checked >= (players > 2)


class Checked(Run):
    """Every new round is compared with what trying everything finds to be possible."""

    rounds_checked = 0

    def record(self, events: Sequence[Event]) -> None:
        before = Possible(self)
        super().record(events)
        paired = [event for event in events if isinstance(event, Paired)]
        if not paired:
            return
        self.rounds_checked += 1
        # A round is paired only when nobody plays, so that all who are there play now or rest.
        there = self.state.field.active()
        places = [*there, BYE] if len(there) % 2 else there
        again = sum(not before.are_new(event.first, event.second) for event in paired)
        assert again == len(places) // 2 - before.most_pairs(places, before.are_new)
        if before.most_pairs(places, before.are_fair) * 2 == len(places):
            surplus = [self.state.field.tallies[seat].surplus for seat in there]
            assert max(map(abs, surplus)) <= SURPLUS_MOST


class Possible:
    """Who may meet in the next round."""

    def __init__(self, run: Run) -> None:
        self._met = {*meetings(run), *(frozenset((seat, BYE)) for seat in run.byes())}
        tallies = run.state.field.tallies
        self._surplus = Counter({seat: tally.surplus for seat, tally in tallies.items()})

    def are_new(self, one: int, other: int) -> bool:
        return frozenset((one, other)) not in self._met

    def are_fair(self, one: int, other: int) -> bool:
        surplus = (self._surplus[one], self._surplus[other])
        return self.are_new(one, other) and min(surplus) < SURPLUS_MOST and -max(surplus) < 2

    def most_pairs(self, places: Sequence[int], may_meet: Callable[[int, int], bool]) -> int:
        edges = [
            (v, w)
            for w, other in enumerate(places)
            for v, one in enumerate(places[:w])
            if may_meet(one, other)
        ]
        return most_pairs(graph(len(places), edges), (1 << len(places)) - 1)


def test_the_upper_half_meets_the_lower() -> None:
    run = Run("swiss", 8)
    assert run.pairs() == [(0, 4), (5, 1), (2, 6), (7, 3)]


def test_winners_meet_winners_and_who_waited_begins() -> None:
    run = Run("swiss", 8)
    for winner, loser in ((4, 0), (1, 5), (2, 6), (7, 3)):
        run.won_by(winner, loser)
    # Of the winners, 2 and 7 have begun, of the losers 0 and 5.
    assert run.pairs(round=2) == [(1, 7), (4, 2), (6, 0), (3, 5)]


def test_turns_are_left_unbalanced_before_anyone_meets_again() -> None:
    field = Field(rounds=3)
    field.begin(range(4))
    for first, second in ((0, 1), (2, 3), (0, 3), (2, 1)):
        field.pair(Pairing(first, second, 1 + len(field.matches) // 2))
        field.report(Reported(len(field.matches), None, "drawn"))
    # 0 and 2 have always begun, 1 and 3 never, and only such have not met.
    assert Swiss().next(field) == [Pairing(0, 2, 3), Pairing(3, 1, 3)]


def test_a_round_begins_when_all_games_of_the_last_are_over() -> None:
    run = Run("swiss", 4)
    run.won_by(0, 2)
    assert len(run.pairs()) == 2
    run.drawn(1, 3)
    assert len(run.pairs()) == 4


def test_the_last_who_has_had_no_bye_has_one() -> None:
    run = Run("swiss", 5, rounds=3)
    assert run.pairs() == [(0, 2), (3, 1)]
    assert run.byes() == [4]
    assert run.ranking()[0].points == 2, "a bye is worth a win"
    run.won_by(0, 2)
    run.won_by(1, 3)
    # 0, 1 and 4 have two points, 2 and 3 none; 3 is the last.
    assert run.byes() == [4, 3]
    assert sorted(map(sorted, run.pairs(round=2))) == [[0, 1], [2, 4]]
    run.won_by(2, 4)
    run.won_by(1, 0)
    # All but 1 have two points; 3 and 4 are the last of them, but have had theirs.
    assert run.byes() == [4, 3, 2]


def test_it_ends_when_nobody_is_left_whom_anyone_has_not_met() -> None:
    run = Run("swiss", 4, rounds=3)
    run.withdraw(2)
    run.withdraw(3)
    for match in run.playing():
        run.won_by(min(match.first, match.second), max(match.first, match.second))
    assert run.pairs(round=2) == [(1, 0)]
    run.won_by(1, 0)
    run.check_end()
    assert run.pairs(round=3) == []


def test_one_who_is_left_alone_rests_no_more() -> None:
    run = Run("swiss", 3, rounds=3)
    run.withdraw(0)
    run.withdraw(2)
    run.won_by(1, 0)
    run.check_end()
    assert run.byes() == [2]


def test_it_ends_when_all_who_are_left_have_had_a_bye() -> None:
    run = Run("swiss", 5, rounds=5)
    while len(run.byes()) < 3:
        match = run.playing()[0]
        run.won_by(match.first, match.second)
    for seat in {0, 1, 2, 3, 4} - set(run.byes()):
        run.withdraw(seat)
    for match in run.playing():
        run.missed(match.first, match.second)
    run.check_end()
    assert len(set(run.byes())) == 3


def test_ranking_is_by_points_and_then_by_the_opponents() -> None:
    run = Run("swiss", 8)
    while not run.over:
        match = run.playing()[0]
        run.won_by(min(match.first, match.second), max(match.first, match.second))
    standings = run.ranking()
    assert [each.points for each in standings] == [6, 4, 4, 4, 2, 2, 2, 0]
    assert list(standings[1].tie_breaks) == ["stayed", "direct", "buchholz", "wins"]
    three = [each.tie_breaks["buchholz"] for each in standings[1:4]]
    assert three == sorted(three, reverse=True)
    assert len(set(three)) > 1


def test_five_hundred_play_nine_rounds_and_nobody_meets_twice() -> None:
    field, rng = Field(), Random(5)
    field.begin(range(500))
    while steps := Swiss().next(field):
        for step in steps:
            assert isinstance(step, Pairing)
            field.pair(step)
            winner = rng.choice((step.first, step.second, None))
            field.report(Reported(len(field.matches), winner, "played"))
    pairs = {frozenset((match.first, match.second)) for match in field.matches}
    assert len(pairs) == len(field.matches) == 9 * 250
    assert max(abs(tally.surplus) for tally in field.tallies.values()) <= SURPLUS_MOST
