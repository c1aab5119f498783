"""Arena by time: whoever is free plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.errors import TimeNotUp
from gamehall.games.game import Event
from gamehall.hall.tournaments.events import (
    Enter,
    Joined,
    Paired,
    PairingEnded,
    TimeUp,
    TournamentBegun,
)
from gamehall.hall.tournaments.tournament import Tournament
from gamehall.testing import a_context
from tests.hall.formats.play import MOODS, SEEDS, Mood, Run


def a_run(players: int) -> Run:
    return Run("arena", players, minutes=10)


def busy(run: Run) -> set[int]:
    return {seat for match in run.playing() for seat in (match.first, match.second)}


@settings(max_examples=80)
@given(players=st.integers(2, 12), seed=SEEDS, mood=MOODS)
def test_nobody_waits_without_need(players: int, seed: int, mood: Mood) -> None:
    run = Watched("arena", players)
    run.play(Random(seed), mood)


class Watched(Run):
    def record(self, events: Sequence[Event]) -> None:
        super().record(events)
        field = self.state.field
        if self.state.begun_ms is None or field.time_up or self.over:
            return
        free = [seat for seat in field.active() if not field.tallies[seat].playing]
        for place, one in enumerate(free):
            for other in free[:place]:
                met = (field.tallies[one].met_last, field.tallies[other].met_last)
                assert one == met[1] or other == met[0], "they could play"
        assert len(free) < 2 or field.open, "nobody else can come free"


def test_nobody_meets_the_same_twice_in_a_row_if_there_are_others() -> None:
    run = a_run(5)
    rng = Random(3)
    last: dict[int, int] = {}
    for match in run.playing():
        last |= {match.first: match.second, match.second: match.first}
    for _ in range(100):
        match = rng.choice(run.playing())
        for event in run.won_by(match.first, match.second):
            if isinstance(event, Paired):
                assert last.get(event.first) != event.second
                assert last.get(event.second) != event.first
                last |= {event.first: event.second, event.second: event.first}
    assert len(run.pairs()) > 100


def test_equals_meet() -> None:
    run = a_run(8)
    assert run.pairs() == [(0, 1), (2, 3), (4, 5), (6, 7)]
    run.won_by(0, 1)
    assert len(run.pairs()) == 4, "those two have just met"
    run.won_by(3, 2)
    # 0 and 3 have two points, 1 and 2 none.
    assert [sorted(pair) for pair in run.pairs()[4:]] == [[0, 3], [1, 2]]


def test_two_who_are_alone_meet_again_and_take_turns() -> None:
    run = a_run(2)
    run.won_by(0, 1)
    run.drawn(0, 1)
    assert run.pairs() == [(0, 1), (1, 0), (0, 1)]
    assert [each.points for each in run.ranking()] == [3, 1]


def test_games_that_are_played_when_the_time_is_up_still_count() -> None:
    run = a_run(4)
    assert run.time_up() == (PairingEnded(),)
    run.won_by(1, 0)
    assert not run.over
    run.won_by(2, 3)
    run.check_end()
    assert len(run.pairs()) == 2
    assert [each.points for each in run.ranking()] == [2, 2, 0, 0]
    assert run.state.finished is not None
    assert run.state.finished.winners == (1, 2), "they have not met, and are equal in all"


def test_the_time_is_up_when_it_is() -> None:
    run = a_run(2)
    timer = Tournament().timer(run.state)
    assert timer is not None
    assert (timer.due_ms, timer.command) == (600_000, TimeUp())
    run.at_ms = 599_999
    with pytest.raises(TimeNotUp):
        run.act(TimeUp())
    run.at_ms = 600_000
    run.act(TimeUp())
    assert Tournament().timer(run.state) is None


def test_who_comes_late_is_paired_with_whoever_waits() -> None:
    run = a_run(3)
    assert run.pairs() == [(0, 1)]
    joined = Tournament().join(run.state, 3, a_context())
    assert [type(event) for event in joined] == [Joined, Paired]
    run.record(joined)
    assert sorted(run.pairs()[-1]) == [2, 3]
    assert run.ranking()[-1].seat == 3


def test_who_has_left_may_come_back_with_its_points() -> None:
    run = a_run(2)
    run.withdraw(0)
    run.won_by(0, 1)
    assert not run.playing()
    assert run.order() == [0, 1], "leaving costs nothing"
    run.act(Enter(), 0)
    assert busy(run) == {0, 1}
    assert run.ranking()[0].points == 2


def test_nobody_comes_when_the_time_is_up() -> None:
    run = a_run(2)
    run.time_up()
    with pytest.raises(TournamentBegun):
        Tournament().join(run.state, 2, a_context())
    run.withdraw(1)
    with pytest.raises(TournamentBegun):
        run.act(Enter(), 1)
