"""A tournament at its table: coming and going, beginning, reporting, and what is to be seen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gamehall import errors
from gamehall.games.game import Command, Outcome, Seats, Timer
from gamehall.hall.tournaments.events import (
    Begin,
    Begun,
    Enter,
    Entered,
    Finished,
    Joined,
    NoSuchPairing,
    NotEntered,
    Paired,
    Report,
    Reported,
    ResultKnown,
    TimeUp,
    TournamentBegun,
    TournamentOptions,
    Withdraw,
    Withdrew,
)
from gamehall.hall.tournaments.tournament import CLUB_MOST, GAMES_SHOWN, ROWS_DRAWN, Entrant, View
from gamehall.table_log import house
from tests.games.house_play import refusal
from tests.hall.tournament_play import GAME, TournamentTable, a_table, begun


def last(table: TournamentTable, command: Command, seat: int | None = None) -> list[Any]:
    table.act(seat, command)
    return table.events()


# Before the begin


def test_only_the_hall_opens_one_and_a_seat_binds_nobody() -> None:
    assert not GAME.public
    assert not GAME.binding


def test_people_enter_by_sitting_down_and_say_for_whom_they_play() -> None:
    table = a_table(people=2)
    assert table.events() == [Joined(1)]
    assert last(table, Enter("  oslo "), 1) == [Entered(1, "oslo")]
    assert table.view().entrants == (Entrant(0, "", False), Entrant(1, "oslo", False))
    rows = len(table.rows)
    table.act(1, Enter("oslo"))
    assert len(table.rows) == rows, "nothing has changed"


@pytest.mark.parametrize("club", ["x" * (CLUB_MOST + 1), "a\nb", "a\0"])
def test_a_machine_has_a_name_that_can_be_shown(club: str) -> None:
    table = a_table()
    assert refusal(table, 0, Enter(club)) is errors.BadName
    table.act(0, Enter("é" * CLUB_MOST))


def test_who_leaves_before_the_begin_is_forgotten() -> None:
    table = a_table(people=3)
    table.act(1, house.Leave())
    assert table.events() == [Withdrew(1)]
    assert [each.seat for each in table.view().entrants] == [0, 2]
    table.sit()
    assert table.events() == [Joined(1)], "the chair is free for the next"


def test_who_withdraws_before_the_begin_may_enter_again() -> None:
    table = a_table(people=2)
    assert last(table, Withdraw(), 0) == [Withdrew(0)]
    assert refusal(table, 0, Withdraw()) is NotEntered
    assert list(GAME.legal(table.tournament, 0)) == [Enter()]
    assert last(table, Enter("oslo"), 0) == [Entered(0, "oslo")]
    assert list(GAME.legal(table.tournament, 0)) == [Withdraw()]


def test_who_has_withdrawn_and_still_sits_there_does_not_take_part() -> None:
    table = a_table(people=3)
    table.act(0, Withdraw())
    begin = last(table, Begin())[0]
    assert isinstance(begin, Begun)
    assert sorted(begin.order) == [1, 2]
    table.act(0, house.Leave())
    table.report(table.playing()[0])
    assert table.ended
    assert set(table.rules.players(table.state)) == {1, 2}


def test_there_is_an_end_to_the_seats() -> None:
    table = a_table(people=2, players_most=2)
    assert refusal(table, None, house.Sit(house.Person(9, "nine"))) is errors.TableFull
    assert GAME.seats(TournamentOptions()) == Seats(0, 1024)


# The begin


def test_the_seeding_is_drawn_from_the_secret_of_the_table() -> None:
    orders = set()
    for seed in range(8):
        table = a_table(people=5, seed=seed)
        begin = last(table, Begin())[0]
        assert isinstance(begin, Begun)
        assert sorted(begin.order) == list(range(5))
        assert begin.at_ms == table.at_ms
        again = a_table(people=5, seed=seed)
        assert last(again, Begin())[0] == begin
        orders.add(begin.order)
    assert len(orders) > 4


def test_it_begins_by_itself_at_its_time() -> None:
    table = a_table(starts_at_ms=2_000_000)
    assert table.rules.timer(table.state) == Timer(2_000_000, Begin())
    table.fire()
    assert table.at_ms == 2_000_000
    assert table.view().status == "running"
    assert table.rules.timer(table.state) is None


def test_the_organiser_need_not_wait_for_it() -> None:
    table = begun(starts_at_ms=2_000_000)
    assert table.view().status == "running"
    assert table.rules.timer(table.state) is None


def test_it_begins_once() -> None:
    assert refusal(begun(), None, Begin()) is TournamentBegun


def test_with_too_few_it_ends_at_once() -> None:
    table = begun(people=1, format="swiss")
    assert table.events() == [Begun(table.at_ms, (0,)), Finished("too_few", (), (0,))]
    assert table.ended[-1].outcome == Outcome((), "too_few")
    assert table.view().status == "over"


# While it runs


def test_nobody_comes_late_but_to_an_arena() -> None:
    late = house.Sit(house.Person(9, "nine"))
    for format in ("derby", "round-robin", "swiss", "single-elimination", "double-elimination"):
        table = begun(format=format)
        assert refusal(table, None, late) is TournamentBegun
        assert refusal(table, 0, Enter("oslo")) is TournamentBegun
    table = begun(people=3, format="arena")
    table.act(None, late)
    assert [type(event) for event in table.events()] == [Joined, Paired]


def test_who_has_left_an_arena_gets_its_seat_back() -> None:
    table = a_table(people=4, format="arena")
    table.act(2, Enter("oslo"))
    table.act(None, Begin())
    table.act(2, house.Leave())
    table.act(None, house.Sit(table.state.chairs[2]))
    assert Joined(2) in table.events()
    assert table.view().entrants[table.tournament.field.seeds[2]] == Entrant(2, "oslo", False)


def test_who_leaves_keeps_what_it_has_and_is_not_paired_again() -> None:
    table = begun(people=4)
    match = table.playing()[0]
    leaver = match.first
    table.act(leaver, house.Leave())
    assert table.events() == [Withdrew(leaver)]
    assert len(table.playing()) == 2, "its game is for the hall to report"
    table.act(None, Report(match.number, leaver, "won"))
    while not table.ended:
        table.report(table.playing()[0])
    view = table.view()
    assert [each.points for each in view.standings if each.seat == leaver] == [2]
    assert sum(leaver in (game.first, game.second) for game in view.games) == 1
    assert leaver in table.rules.players(table.state)


def test_withdrawing_and_then_leaving_is_one_withdrawal() -> None:
    table = begun(people=4)
    assert last(table, Withdraw(), 0) == [Withdrew(0)]
    assert refusal(table, 0, Withdraw()) is NotEntered
    table.act(0, house.Leave())
    assert table.events() == []


def test_a_result_is_reported_once_and_brings_what_follows() -> None:
    table = begun(people=2, format="double-elimination")
    match = table.playing()[0]
    events = last(table, Report(match.number, match.second, "resigned", (0, 3)))
    assert events[0] == Reported(1, match.second, "resigned", (0, 3))
    assert isinstance(events[1], Paired)
    assert refusal(table, None, Report(match.number, match.first)) is ResultKnown
    (over, playing) = table.view().games
    assert (over.winner, over.reason, over.scores) == (match.second, "resigned", (0, 3))
    assert (over.state, playing.state) == ("over", "playing")


@pytest.mark.parametrize("game", [0, -1, 3, 1 << 60])
def test_a_game_that_there_is_not(game: int) -> None:
    assert refusal(begun(), None, Report(game)) is NoSuchPairing
    assert refusal(a_table(), None, Report(game)) is NoSuchPairing


def test_a_winner_is_one_of_the_two() -> None:
    table = begun()
    match = table.playing()[0]
    others = {0, 1, 2, 3} - {match.first, match.second}
    for winner in (*others, 99, -1):
        assert refusal(table, None, Report(match.number, winner)) is errors.BadRequest


def test_a_seat_cannot_send_what_the_hall_sends() -> None:
    table = begun()
    match = table.playing()[0]
    for command in (Begin(), Report(match.number, match.first), TimeUp()):
        assert refusal(table, match.first, command) is errors.IllegalCommand
    assert refusal(table, None, Withdraw()) is errors.IllegalCommand
    assert refusal(table, None, TimeUp()) is errors.IllegalCommand, "it is not played by time"


# The end, and what there is to see


def test_the_winner_and_the_whole_ranking_are_told() -> None:
    table = begun(people=3)
    while not table.ended:
        match = table.playing()[0]
        table.act(None, Report(match.number, max(match.first, match.second), "won"))
    assert table.events()[-1] == Finished("finished", (2,), (2, 1, 0))
    assert table.ended[-1].outcome == Outcome((2,), "finished")
    assert refusal(table, None, Report(1, 0)) is errors.RoundOver


def test_a_view_tells_everyone_the_same() -> None:
    table = begun(people=5, format="single-elimination", title="Cup", game="four-stone")
    view = table.view()
    assert [GAME.view(table.tournament, seat) for seat in range(5)] == [view] * 5
    assert (view.title, view.format, view.game) == ("Cup", "single-elimination", "four-stone")
    assert [each.seat for each in view.entrants] == list(table.tournament.field.seeds)
    assert view.bracket == {"": ((1,), (2,))}
    assert len(view.byes) == 3
    assert view.games_count == len(view.games) == 2
    assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view


def test_a_long_view_has_the_last_games_and_all_that_are_played() -> None:
    table = begun(people=6, format="arena", minutes=10_000)
    long = table.playing()[0]
    while len(table.tournament.field.matches) < GAMES_SHOWN + 20:
        match = table.playing()[-1]
        table.act(None, Report(match.number, match.first, "won"))
    view = table.view()
    assert view.games_count == len(table.tournament.field.matches)
    assert len(view.games) == GAMES_SHOWN + 1
    assert view.games[0] == long


def test_the_picture_is_the_standings() -> None:
    table = begun(people=ROWS_DRAWN + 5, title="Open")
    picture = GAME.picture(table.view())
    assert len(picture.rows) == ROWS_DRAWN + 1
    assert [cell.label for cell in picture.rows[0]][:3] == ["rank", "seat", "points"]
    assert picture.caption == "Open: 55 entrants, 27 games, 27 of them being played"
    assert GAME.picture(a_table(people=2).view()).caption == "round-robin: 2 entrants"
    plain = msgspec.json.decode(msgspec.json.encode(table.view()))
    assert GAME.picture(plain) == picture


@pytest.mark.parametrize(
    "options",
    [{"format": "lottery"}, {"rounds": -1}, {"rounds": 101}, {"minutes": 0}, {"players_most": 1},
     {"players_most": 1025}, {"starts_at_ms": -1}, {"title": "x" * 81}, {"teams": 2}],
)  # fmt: skip
def test_options_have_bounds(options: dict[str, Any]) -> None:
    with pytest.raises(errors.BadOptions):
        a_table(**options)
