"""Connect Four, by written-out games: endings, moves, draw offers, the clock."""

from __future__ import annotations

import pytest

from gamehall.games import GAMES
from gamehall.games.connect_four import Drop, Dropped
from gamehall.games.game import Command, Outcome, Timer
from gamehall.games.two_in_turn import AnswerDraw, OfferDraw, Resign, TimeUp
from gamehall.table_log.house import Open
from gamehall.testing import a_context
from tests.games.connect_four_play import GAME, do, dropped, new, refusal


def test_it_is_a_game_of_the_house() -> None:
    assert [game.name for game in GAMES].count("connect-four") == 1


# Endings


@pytest.mark.parametrize(
    ("columns", "winner", "line"),
    [
        ("0101010", 0, [(2, 0), (3, 0), (4, 0), (5, 0)]),
        ("0011223", 0, [(5, 0), (5, 1), (5, 2), (5, 3)]),
        ("01122323363", 0, [(2, 3), (3, 2), (4, 1), (5, 0)]),
        ("65544343303", 0, [(2, 3), (3, 4), (4, 5), (5, 6)]),
        ("60101010", 1, [(2, 0), (3, 0), (4, 0), (5, 0)]),
        ("60011223", 1, [(5, 0), (5, 1), (5, 2), (5, 3)]),
        ("601122323363", 1, [(2, 3), (3, 2), (4, 1), (5, 0)]),
        ("065544343303", 1, [(2, 3), (3, 4), (4, 5), (5, 6)]),
    ],
)
def test_a_line_wins(columns: str, winner: int, line: list[tuple[int, int]]) -> None:
    state = dropped(columns)
    assert GAME.outcome(state) == Outcome((winner,), "line")
    view = GAME.view(state, None)
    assert [(spot.row, spot.column) for spot in view.line] == line
    assert view.turn is None


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ([0, 1, 0, 1, 0], {"columns": 3, "rows": 3, "length": 3}),
        ([0, 0, 1, 1, 2], {"columns": 3, "rows": 3, "length": 3}),
        ([0, 1, 1, 2, 0, 2, 2], {"columns": 3, "rows": 3, "length": 3}),
        ([2, 1, 1, 0, 2, 0, 0], {"columns": 3, "rows": 3, "length": 3}),
        ([4, 4, 5, 5, 6, 6, 7, 7, 8], {"columns": 9, "rows": 4, "length": 5}),
        ([2, 1] * 11 + [2], {"columns": 3, "rows": 12, "length": 12}),
        ([c for c in range(11) for _ in "ab"] + [11], {"columns": 12, "rows": 3, "length": 12}),
    ],
)
def test_other_boards_and_lengths(columns: list[int], options: dict[str, int]) -> None:
    state = dropped(columns, **options)
    assert GAME.outcome(state) == Outcome((0,), "line")
    assert len(GAME.view(state, 0).line) == options["length"]


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ("315512260352226001441340351416524645630630", {}),
        ("120001221", {"columns": 3, "rows": 3, "length": 3}),
        ("22104223400111333440", {"columns": 5, "rows": 4}),
    ],
)
def test_a_full_board_is_a_draw(columns: str, options: dict[str, int]) -> None:
    state = dropped(columns, **options)
    assert GAME.outcome(state) == Outcome((), "board_full")
    assert GAME.view(state, 0).line == ()
    assert refusal(state, state.turn, Drop(0)) == "round_over"


def test_a_line_on_the_last_place_wins() -> None:
    state = dropped("011210022", columns=3, rows=3, length=3)
    assert GAME.outcome(state) == Outcome((0,), "line")


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_loses_whoever_is_to_move(seat: int) -> None:
    state = do(dropped("33"), seat, Resign())
    assert GAME.outcome(state) == Outcome((1 - seat,), "resigned")


@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_loses(seat: int) -> None:
    state = dropped("3")
    for event in GAME.leave(state, seat):
        GAME.apply(state, event)
    assert GAME.outcome(state) == Outcome((1 - seat,), "left")


@pytest.mark.parametrize("command", [Drop(0), Resign(), OfferDraw(), AnswerDraw(True)])
def test_nothing_is_possible_when_it_is_over(command: Command) -> None:
    state = dropped("0101010", move_seconds=1)
    for seat in (0, 1):
        assert refusal(state, seat, command) == "round_over"
        assert list(GAME.legal(state, seat)) == []
    assert refusal(state, None, TimeUp(), at_ms=1_000_000) == "round_over"
    assert GAME.timer(state) is None


# Moves


@pytest.mark.parametrize(
    ("seat", "command", "code"),
    [
        (0, Drop(3), "not_your_turn"),
        (1, Drop(0), "column_full"),
        (1, Drop(7), "no_such_column"),
        (1, Drop(-1), "no_such_column"),
        (1, Drop(10**30), "no_such_column"),
        (0, AnswerDraw(True), "no_offer"),
        (1, AnswerDraw(False), "no_offer"),
        (0, TimeUp(), "illegal_command"),
        (None, Drop(3), "illegal_command"),
        (None, TimeUp(), "time_not_up"),
        (0, Open("connect-four", {}, ""), "illegal_command"),
    ],
)
def test_refusals(seat: int | None, command: Command, code: str) -> None:
    state = dropped("0000001")
    before = GAME.fork(state)
    assert refusal(state, seat, command) == code
    assert state == before


def test_seat_0_begins_and_the_seats_take_turns() -> None:
    state = new()
    for turn in (0, 1, 0, 1):
        assert state.turn == turn
        assert GAME.view(state, None).turn == turn
        assert list(GAME.legal(state, 1 - turn)) == []
        assert list(GAME.legal(state, turn)) == [Drop(column) for column in range(7)]
        do(state, turn, Drop(3))


def test_a_full_column_is_not_legal() -> None:
    state = dropped("000000")
    assert list(GAME.legal(state, 0)) == [Drop(column) for column in range(1, 7)]


def test_a_drop_is_recorded_with_its_time() -> None:
    assert GAME.decide(new(), 0, Drop(2), a_context(1234)) == (Dropped(0, 2, 1234),)


# Draw offers


@pytest.mark.parametrize("seat", [0, 1])
def test_an_accepted_offer_ends_the_game(seat: int) -> None:
    state = do(dropped("33"), seat, OfferDraw())
    assert GAME.view(state, None).offer == seat
    assert AnswerDraw(True) in GAME.legal(state, 1 - seat)
    assert AnswerDraw(True) not in GAME.legal(state, seat)
    assert refusal(state, seat, AnswerDraw(True)) == "no_offer"
    do(state, 1 - seat, AnswerDraw(True))
    assert GAME.outcome(state) == Outcome((), "agreed")


def test_a_declined_offer_is_gone() -> None:
    state = do(do(new(), 0, OfferDraw()), 1, AnswerDraw(False))
    assert GAME.outcome(state) is None
    assert GAME.view(state, None).offer is None
    assert refusal(state, 1, AnswerDraw(True)) == "no_offer"
    do(state, 0, OfferDraw())


@pytest.mark.parametrize("seat", [0, 1])
def test_only_one_offer_stands(seat: int) -> None:
    state = do(new(), 0, OfferDraw())
    assert refusal(state, seat, OfferDraw()) == "offer_pending"


def test_an_offer_outlasts_a_drop_of_who_made_it_but_not_of_the_opponent() -> None:
    state = do(new(), 0, OfferDraw())
    do(state, 0, Drop(3))
    assert state.offer == 0
    do(state, 1, Drop(3))
    assert state.offer is None
    assert refusal(state, 1, AnswerDraw(True)) == "no_offer"


def test_an_offer_ends_with_the_game() -> None:
    state = do(do(new(), 0, OfferDraw()), 0, Resign())
    assert GAME.view(state, None).offer is None


# The clock


def test_without_a_clock_nothing_happens_by_itself() -> None:
    state = new()
    assert GAME.timer(state) is None
    assert GAME.view(state, 0).deadline_ms is None
    assert refusal(state, None, TimeUp(), at_ms=10**15) == "time_not_up"


def test_each_move_has_its_own_time() -> None:
    state = new(move_seconds=2.5)
    assert GAME.timer(state) == Timer(3500, TimeUp(), waits_for=0)
    assert GAME.view(state, 1).deadline_ms == 3500
    do(state, 0, Drop(3), at_ms=2000)
    assert GAME.timer(state) == Timer(4500, TimeUp(), waits_for=1)


def test_an_offer_does_not_stop_the_clock() -> None:
    state = new(move_seconds=2)
    do(state, 1, OfferDraw(), at_ms=2900)
    do(state, 0, AnswerDraw(False), at_ms=2950)
    assert GAME.timer(state) == Timer(3000, TimeUp(), waits_for=0)


def test_time_up_loses_and_not_a_moment_earlier() -> None:
    state = new(move_seconds=2)
    do(state, 0, Drop(3), at_ms=2000)
    assert refusal(state, None, TimeUp(), at_ms=3999) == "time_not_up"
    do(state, None, TimeUp(), at_ms=4000)
    assert GAME.outcome(state) == Outcome((0,), "time")
    assert GAME.view(state, 0).deadline_ms is None


def test_a_late_drop_counts_if_it_comes_before_time_up() -> None:
    state = new(move_seconds=2)
    do(state, 0, Drop(3), at_ms=9000)
    assert GAME.timer(state) == Timer(11000, TimeUp(), waits_for=1)


def test_the_shortest_clock_is_a_clock() -> None:
    assert GAME.timer(new(move_seconds=0.0001)) == Timer(1001, TimeUp(), waits_for=0)
