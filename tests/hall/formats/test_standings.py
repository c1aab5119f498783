"""Standings, reckoned by hand."""

from __future__ import annotations

import pytest

from gamehall.hall.tournaments.events import Reported
from gamehall.hall.tournaments.formats.field import Field, Pairing, Rest
from gamehall.hall.tournaments.formats.standings import Standing, ranked

ALL = ("stayed", "direct", "buchholz", "sonneborn_berger", "wins")


def a_field(players: int, *results: str) -> Field:
    """Results as `0-1` (0 has won), `0=1` (a draw), `0x1` (neither came), `0*` (a bye)."""
    field = Field()
    field.begin(range(players))
    for result in results:
        if result.endswith("*"):
            field.rest(Rest(int(result[0]), 1))
            continue
        first, sign, second = int(result[0]), result[1], int(result[2])
        field.pair(Pairing(first, second, 1))
        winner = first if sign == "-" else None
        reason = "no_show" if sign == "x" else "over"
        field.report(Reported(len(field.matches), winner, reason))
    return field


def table(field: Field, *tie_breaks: str) -> list[Standing]:
    return ranked(field, field.seeds, tie_breaks, field.matches, field.rests)


def ranks(field: Field, *tie_breaks: str) -> list[tuple[int, int]]:
    return [(each.rank, each.seat) for each in table(field, *tie_breaks)]


def test_wins_draws_losses_and_byes() -> None:
    field = a_field(4, "0-1", "0=2", "1x2", "3*")
    field.pair(Pairing(0, 3, 2))
    assert table(field) == [
        Standing(1, 0, points=3, played=2, won=1, drawn=1, lost=0, byes=0),
        Standing(2, 3, points=2, played=0, won=0, drawn=0, lost=0, byes=1),
        Standing(3, 2, points=1, played=2, won=0, drawn=1, lost=1, byes=0),
        Standing(4, 1, points=0, played=2, won=0, drawn=0, lost=2, byes=0),
    ]
    assert [field.tallies[seat].points for seat in range(4)] == [3, 0, 1, 2]


def test_equals_share_a_rank_in_the_order_of_the_seeding() -> None:
    assert ranks(a_field(4, "3-1", "2-0"), *ALL) == [(1, 2), (1, 3), (3, 0), (3, 1)]


def test_who_stayed_is_before_who_has_as_many_points_and_went() -> None:
    field = a_field(3, "0-2", "1-2")
    field.withdraw(0)
    assert ranks(field, "stayed") == [(1, 1), (2, 0), (3, 2)]
    assert ranks(field) == [(1, 0), (1, 1), (3, 2)]


def test_points_come_before_staying() -> None:
    field = a_field(2, "0-1")
    field.withdraw(0)
    assert ranks(field, "stayed") == [(1, 0), (2, 1)]


def test_the_direct_meeting_of_two() -> None:
    field = a_field(4, "1-0", "0-2", "0-3", "1-2", "3-1")
    assert [each.points for each in table(field)] == [4, 4, 2, 0]
    assert ranks(field, "direct")[:2] == [(1, 1), (2, 0)]


def test_the_direct_meetings_of_three_who_all_met() -> None:
    field = a_field(4, "2-1", "1=0", "2=0", "0-3", "1-3", "1=3", "3=2")
    points = {each.seat: each.points for each in table(field)}
    assert points == {0: 4, 1: 4, 2: 4, 3: 2}
    assert ranks(field, "direct") == [(1, 2), (2, 0), (3, 1), (4, 3)]


def test_the_direct_meeting_counts_only_if_all_equals_have_met() -> None:
    field = a_field(5, "1-0", "0-3", "2-4")
    assert [each.points for each in table(field)] == [2, 2, 2, 0, 0]
    assert ranks(field, "direct")[:3] == [(1, 0), (1, 1), (1, 2)]


def test_the_direct_meeting_is_among_those_who_are_equal_until_then() -> None:
    field = a_field(5, "1-0", "0-3", "2-4")
    field.withdraw(2)
    assert ranks(field, "stayed", "direct")[:3] == [(1, 1), (2, 0), (3, 2)]


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    field = a_field(6, "0-4", "1-5", "4-2", "5=3")
    standings = {each.seat: each for each in table(field, "buchholz")}
    assert {s: each.tie_breaks["buchholz"] for s, each in standings.items()} == {
        0: 2, 1: 1, 2: 2, 3: 1, 4: 2, 5: 3,
    }  # fmt: skip
    assert ranks(field, "buchholz")[:3] == [(1, 0), (1, 4), (3, 1)]


def test_a_bye_adds_nothing_to_buchholz() -> None:
    field = a_field(3, "0-1", "2*")
    assert ranks(field, "buchholz") == [(1, 0), (1, 2), (3, 1)]


def test_sonneborn_berger_counts_whom_one_has_beaten_and_half_of_a_draw() -> None:
    # 0 and 1 have won once each; 0 has beaten the better one.
    field = a_field(4, "0-2", "3-0", "1-3", "2-1", "2-3", "1=0")
    standings = table(field, "sonneborn_berger")
    assert {each.seat: each.points for each in standings} == {0: 3, 1: 3, 2: 4, 3: 2}
    values = {each.seat: each.tie_breaks["sonneborn_berger"] for each in standings}
    assert values == {0: 2 * 4 + 3, 1: 2 * 2 + 3, 2: 2 * 3 + 2 * 2, 3: 2 * 3}
    assert ranks(field, "sonneborn_berger") == [(1, 2), (2, 0), (3, 1), (4, 3)]


def test_more_wins_come_before_more_draws_and_byes() -> None:
    field = a_field(7, "0=3", "0=4", "1-5", "2*")
    assert ranks(field, "wins")[:3] == [(1, 1), (2, 0), (2, 2)]


def test_tie_breaks_decide_in_the_order_in_which_they_are_named() -> None:
    field = a_field(7, "0=3", "0=4", "1-5", "3-6", "4-6")
    assert list(table(field, *ALL)[0].tie_breaks) == list(ALL)
    only = [0, 1]
    first = ranked(field, only, ("buchholz", "wins"), field.matches)
    assert [each.seat for each in first] == [0, 1]
    first = ranked(field, only, ("wins", "buchholz"), field.matches)
    assert [each.seat for each in first] == [1, 0]


def test_a_tie_break_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="lots"):
        table(a_field(2), "lots")
