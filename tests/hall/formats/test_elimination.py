"""Single elimination: a bracket of games that somebody wins."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.hall.tournaments.events import Bye
from gamehall.hall.tournaments.formats.bracket import single
from gamehall.hall.tournaments.formats.elimination import REPLAYS_MOST
from tests.hall.formats.play import MOODS, SEEDS, Mood, Run


def a_run(players: int) -> Run:
    return Run("single-elimination", players)


def favourites_win(run: Run) -> None:
    while not run.over:
        match = run.playing()[0]
        run.won_by(min(match.first, match.second), max(match.first, match.second))


@settings(max_examples=60)
@given(players=st.integers(2, 26), seed=SEEDS, draws=st.sampled_from((0.0, 0.3)))
def test_it_takes_one_decisive_game_less_than_there_are_entrants(
    players: int, seed: int, draws: float
) -> None:
    run = a_run(players)
    run.play(Random(seed), Mood(draws=draws))
    matches = run.state.field.matches
    # A slot whose games were all drawn is decided by the seeding.
    slots = {match.slot: match for match in matches}
    assert len(slots) == players - 1
    if not draws:
        assert len(matches) == players - 1
        assert all(match.winner is not None for match in matches)
        losers = {m.first if m.winner == m.second else m.second for m in matches}
        assert len(losers) == players - 1
    assert run.state.finished is not None
    assert len(run.state.finished.winners) == 1


@settings(max_examples=60)
@given(players=st.integers(2, 20), seed=SEEDS, mood=MOODS)
def test_who_has_lost_plays_no_more(players: int, seed: int, mood: Mood) -> None:
    run = a_run(players)
    run.play(Random(seed), mood)
    out: set[int] = set()
    for match in run.state.field.matches:
        assert not out & {match.first, match.second}
        if match.winner is not None:
            out.add(match.first if match.winner == match.second else match.second)
        elif match.reason == "no_show":
            out |= {match.first, match.second}


@pytest.mark.parametrize("players", [2, 4, 8, 16, 64])
def test_the_favourites_meet_only_in_the_end(players: int) -> None:
    run = a_run(players)
    favourites_win(run)
    assert run.order()[:2] == [0, 1]
    ranks = [each.rank for each in run.ranking()]
    expected = [1]
    while len(expected) < players:
        expected += [len(expected) + 1] * len(expected)
    assert ranks == expected, "those who lose in the same round share a rank"
    for match in run.state.field.matches:
        if match.round == 1:
            assert match.first + match.second == players - 1


@pytest.mark.parametrize(("players", "rested"), [(3, [0]), (5, [0, 1, 2]), (6, [0, 1]), (7, [0])])
def test_the_best_have_a_bye_in_the_first_round(players: int, rested: list[int]) -> None:
    run = a_run(players)
    byes = [event for event in run.events if isinstance(event, Bye)]
    assert sorted(bye.seat for bye in byes) == rested
    assert {bye.round for bye in byes} == {1}
    # Two who rest may have each other for the next opponent.
    assert len(run.pairs(round=1)) == players - (len(rested) + players) // 2
    favourites_win(run)
    assert len(run.pairs()) == players - 1


def test_a_game_begins_as_soon_as_its_players_are_known() -> None:
    run = a_run(8)
    run.won_by(0, 7)
    assert len(run.pairs()) == 4
    run.won_by(3, 4)
    assert run.pairs(round=2) == [(3, 0)]


def test_a_draw_is_replayed_the_other_way_round_and_then_the_higher_seed_goes_on() -> None:
    run = a_run(4)
    assert run.pairs() == [(0, 3), (2, 1)]
    assert REPLAYS_MOST == 2
    run.drawn(1, 2)
    assert run.pairs()[-1] == (1, 2)
    run.drawn(1, 2)
    assert run.pairs()[-1] == (2, 1)
    run.drawn(1, 2)
    run.won_by(3, 0)
    assert run.pairs(round=2) == [(3, 1)]
    run.won_by(3, 1)
    run.check_end()
    assert [(each.seat, each.rank) for each in run.ranking()] == [(3, 1), (1, 2), (0, 3), (2, 3)]


def test_a_replay_can_be_won() -> None:
    run = a_run(2)
    run.drawn(0, 1)
    run.won_by(1, 0)
    run.check_end()
    assert run.order() == [1, 0]


def test_who_withdraws_gives_way_to_the_opponent() -> None:
    run = a_run(4)
    run.won_by(0, 3)
    run.withdraw(0)
    run.won_by(2, 1)
    run.check_end()
    assert run.byes() == [2]
    assert run.order() == [2, 0, 1, 3]


def test_who_withdraws_in_the_middle_of_a_game_is_not_asked_to_replay_it() -> None:
    run = a_run(2)
    run.withdraw(0)
    run.drawn(0, 1)
    run.check_end()
    assert run.byes() == [1]
    assert run.order() == [1, 0]


def test_who_withdraws_later_changes_nothing_that_is_past() -> None:
    run = a_run(8)
    run.won_by(0, 7)
    run.withdraw(0)
    run.won_by(3, 4)
    assert run.byes() == [3], "for 0 is gone"
    run.won_by(1, 6)
    run.won_by(2, 5)
    run.won_by(1, 2)
    run.withdraw(3)
    run.won_by(3, 1)
    run.check_end()
    assert run.order()[:2] == [3, 1]


def test_of_two_who_are_gone_the_higher_seed_goes_on_and_is_out_in_turn() -> None:
    run = a_run(8)
    run.won_by(0, 7)
    run.won_by(1, 6)
    run.won_by(2, 5)
    for seat in (0, 3):
        run.withdraw(seat)
    run.won_by(3, 4)
    assert run.byes() == [0]
    run.won_by(2, 1)
    run.check_end()
    assert run.byes() == [0, 2]
    assert run.order()[:3] == [2, 0, 1]


def test_two_who_both_stay_away_are_both_out() -> None:
    run = a_run(4)
    run.missed(0, 3)
    run.won_by(1, 2)
    run.check_end()
    assert run.byes() == [1]
    assert [(each.seat, each.rank) for each in run.ranking()] == [(1, 1), (0, 2), (2, 2), (3, 2)]


def test_a_final_to_which_nobody_comes_is_shared() -> None:
    run = a_run(4)
    run.won_by(0, 3)
    run.won_by(1, 2)
    run.missed(0, 1)
    run.check_end()
    assert run.state.finished is not None
    assert run.state.finished.winners == (0, 1)


def test_whoever_does_not_come_has_lost() -> None:
    run = a_run(2)
    run.won_by(1, 0, reason="no_show")
    run.check_end()
    assert run.order() == [1, 0]


def test_every_slot_comes_after_those_it_depends_on() -> None:
    for count in range(2, 70):
        for number, slot in enumerate(single(count)):
            for side in slot.sides:
                assert side.kind == "seed" or side.number < number
