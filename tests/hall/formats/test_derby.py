"""Derby: at home first, and then against those with the same place on other machines."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.hall.tournaments.events import Grouped
from tests.hall.formats.play import SEEDS, Mood, Run


def a_run(*clubs: str) -> Run:
    """Seat n plays for the machine clubs[n]."""
    return Run("derby", len(clubs), dict(enumerate(clubs)))


def meetings(run: Run, stage: str) -> list[list[int]]:
    return sorted(sorted(pair) for pair in run.pairs(stage=stage))


def groups(run: Run) -> tuple[tuple[int, ...], ...]:
    (grouped,) = (event for event in run.events if isinstance(event, Grouped))
    return grouped.groups


def favourites_win(run: Run) -> None:
    run.play_by(lambda match: min(match.first, match.second), Random(1))


def test_with_two_machines_of_two_the_winners_meet_and_the_losers() -> None:
    run = a_run("oslo", "rome", "oslo", "rome")
    assert meetings(run, "home oslo") == [[0, 2]]
    assert meetings(run, "home rome") == [[1, 3]]
    run.won_by(2, 0)
    assert len(run.pairs()) == 2, "all homes are to be done first"
    run.won_by(1, 3)
    assert groups(run) == ((1, 2), (0, 3))
    assert meetings(run, "place 1") == [[1, 2]]
    assert meetings(run, "place 2") == [[0, 3]]
    run.won_by(2, 1)
    run.won_by(3, 0)
    run.check_end()
    assert [(each.rank, each.seat) for each in run.ranking()] == [(1, 2), (2, 1), (3, 3), (4, 0)]
    assert run.ranking()[0].won == 2, "what people see is all that was played"


def test_more_than_two_meet_each_other_at_home_and_away() -> None:
    run = a_run(*("oslo", "rome", "kyiv") * 3)
    favourites_win(run)
    assert meetings(run, "home oslo") == [[0, 3], [0, 6], [3, 6]]
    assert groups(run) == ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    assert meetings(run, "place 2") == [[3, 4], [3, 5], [4, 5]]
    assert run.order() == list(range(9))
    assert [each.rank for each in run.ranking()] == list(range(1, 10))


def test_machines_of_different_sizes() -> None:
    run = a_run("oslo", "oslo", "oslo", "rome", "rome", "kyiv")
    favourites_win(run)
    assert groups(run) == ((0, 3, 5), (1, 4), (2,))
    assert run.order() == [0, 3, 5, 1, 4, 2]


def test_who_names_no_machine_is_alone_on_its_own() -> None:
    run = a_run("", "", "oslo", "oslo")
    favourites_win(run)
    assert groups(run) == ((0, 1, 2), (3,))
    assert meetings(run, "place 1") == [[0, 1], [0, 2], [1, 2]]


def test_one_machine_alone_is_ranked_as_at_home() -> None:
    run = a_run("oslo", "oslo", "oslo")
    favourites_win(run)
    assert run.order() == [0, 1, 2]
    assert not any(stage.startswith("place") for stage in run.state.field.progress)


def test_a_draw_at_home_is_decided_by_the_seeding() -> None:
    run = a_run("oslo", "rome", "oslo", "rome")
    run.drawn(0, 2)
    run.drawn(1, 3)
    assert groups(run) == ((0, 1), (2, 3))
    run.drawn(0, 1)
    run.won_by(3, 2)
    run.check_end()
    assert [(each.rank, each.seat) for each in run.ranking()] == [(1, 0), (1, 1), (3, 3), (4, 2)]


def test_points_at_home_do_not_count_away() -> None:
    run = a_run("oslo", "oslo", "oslo", "rome")
    while not run.state.field.groups:
        match = run.playing()[0]
        run.won_by(min(match.first, match.second), max(match.first, match.second))
    run.won_by(3, 0)
    run.check_end()
    assert run.order() == [3, 0, 1, 2]
    assert [each.points for each in run.ranking()] == [2, 4, 2, 0]
    assert run.ranking()[1].tie_breaks["place_points"] == 0


def test_who_withdraws_at_home_has_no_place_and_others_move_up() -> None:
    run = a_run("oslo", "oslo", "rome", "rome")
    run.withdraw(0)
    run.won_by(0, 1)
    run.won_by(2, 3)
    assert groups(run) == ((1, 2), (3,))
    run.won_by(1, 2)
    run.check_end()
    assert run.order() == [1, 2, 3, 0]


def test_who_withdraws_away_keeps_its_place_and_the_others_have_byes() -> None:
    run = a_run("oslo", "rome", "kyiv")
    ((one, other),) = run.pairs(stage="place 1")
    third = 3 - one - other
    run.withdraw(third)
    run.won_by(other, one)
    run.check_end()
    assert groups(run) == ((0, 1, 2),)
    assert sorted(run.byes()) == sorted((one, other))
    assert run.order() == [other, one, third]


def test_who_withdraws_away_is_still_before_those_with_a_lower_place() -> None:
    run = a_run("oslo", "oslo", "rome", "rome")
    run.won_by(0, 1)
    run.won_by(2, 3)
    run.withdraw(0)
    run.won_by(2, 0)
    run.won_by(3, 1)
    run.check_end()
    assert run.order() == [2, 0, 3, 1]


@settings(max_examples=60)
@given(clubs=st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=2, max_size=10), seed=SEEDS)
def test_everyone_meets_all_at_home_and_all_of_its_place(clubs: list[str], seed: int) -> None:
    run = a_run(*clubs)
    run.play(Random(seed), Mood(draws=0.3, no_shows=0.1))
    for club in filter(None, set(clubs)):
        home = [seat for seat, its in enumerate(clubs) if its == club]
        assert meetings(run, f"home {club}") == [list(pair) for pair in combinations(home, 2)]
    for place, group in enumerate(groups(run), start=1):
        expected = [list(pair) for pair in combinations(sorted(group), 2)]
        assert meetings(run, f"place {place}") == expected
    # From one machine nobody has the same place as another, and nobody of a better place is behind.
    places = {seat: place for place, group in enumerate(groups(run)) for seat in group}
    assert len({(places[s], club or s) for s, club in enumerate(clubs)}) == len(clubs)
    assert [places[seat] for seat in run.order()] == sorted(places.values())
