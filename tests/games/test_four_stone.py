"""Four Stone, by written-out games: moves, endings, repetition, the clock."""

from __future__ import annotations

import pytest

from gamehall.games import GAMES
from gamehall.games.four_stone import Move, Moved
from gamehall.games.game import Command, Outcome, Timer
from gamehall.games.two_in_turn import Resign, TimeUp
from gamehall.table_log.house import Open
from gamehall.testing import a_context
from gamehall.wire.sicbo.zones import Zone, zone_of
from tests.games.four_stone_play import GAME, at, board, do, move, new, played, refusal


def test_it_is_a_game_of_the_house() -> None:
    assert [game.name for game in GAMES].count("four-stone") == 1
    assert GAME.aliases == ("four_stone",)
    assert zone_of(GAME.name) == Zone("FourStoneZone", "fourStonePlugin", "four-stone")


# Moves


def test_the_beginning() -> None:
    state = new()
    assert board(state) == "WWWW .... .... FFFF"
    assert state.turn == 0
    assert set(GAME.legal(state, 0)) == {Move((x, 3), (x, 2)) for x in range(4)}
    assert list(GAME.legal(state, 1)) == []
    do(state, 0, move("1312"))
    assert board(state) == "WWWW .... .F.. F.FF"
    assert state.turn == 1
    assert set(GAME.legal(state, 1)) == {Move((x, 0), (x, 1)) for x in range(4)}
    assert list(GAME.legal(state, 0)) == []


def test_a_stone_moves_in_four_directions() -> None:
    state = at("W..W .... .F.. ...F")
    assert set(GAME.legal(state, 0)) == {
        *map(move, ["1211", "1213", "1202", "1222", "3332", "3323"])
    }


@pytest.mark.parametrize("digits", ["1211", "1213", "1202", "1222"])
def test_each_direction(digits: str) -> None:
    state = at("W..W .... .F.. ...F")
    (event,) = GAME.decide(state, 0, move(digits), a_context(1234))
    assert event == Moved(0, (1, 2), (int(digits[2]), int(digits[3])), (), 1234)
    GAME.apply(state, event)
    assert GAME.view(state, None).board[int(digits[3])][int(digits[2])] == 1
    assert GAME.view(state, None).board[2][1] == 0


@pytest.mark.parametrize(
    ("seat", "command", "code"),
    [
        (1, move("1011"), "not_your_turn"),
        (1, Move((9, 9), (9, 9)), "not_your_turn"),
        (0, Move((4, 3), (3, 3)), "no_such_place"),
        (0, Move((3, 3), (4, 3)), "no_such_place"),
        (0, Move((3, 4), (3, 3)), "no_such_place"),
        (0, Move((3, 3), (3, 4)), "no_such_place"),
        (0, Move((-1, 3), (0, 3)), "no_such_place"),
        (0, Move((0, 3), (-1, 3)), "no_such_place"),
        (0, Move((0, -1), (0, 0)), "no_such_place"),
        (0, Move((0, 3), (0, -1)), "no_such_place"),
        (0, Move((10**30, 3), (0, 3)), "no_such_place"),
        (0, move("0201"), "not_your_stone"),  # an empty place
        (0, move("1011"), "not_your_stone"),  # the opponent's
        (0, move("0101"), "not_your_stone"),
        (0, move("1212"), "not_adjacent"),  # it stays where it is
        (0, move("1210"), "not_adjacent"),  # over one, on another
        (0, move("0301"), "not_adjacent"),  # over one, to a free place
        (0, move("1221"), "not_adjacent"),  # over a corner
        (0, move("1203"), "not_adjacent"),
        (0, move("3302"), "not_adjacent"),  # neighbours only where rows are joined
        (0, move("0313"), "place_taken"),  # by an own stone
        (0, move("1211"), "place_taken"),  # by the opponent's
        (0, TimeUp(), "illegal_command"),
        (None, move("0302"), "illegal_command"),
        (None, Resign(), "illegal_command"),
        (None, TimeUp(), "time_not_up"),
        (0, Open("four-stone", {}, ""), "illegal_command"),
    ],
)
def test_refusals(seat: int | None, command: Command, code: str) -> None:
    state = at("WW.W .W.. .F.. FF.F")
    before = GAME.fork(state)
    assert refusal(state, seat, command) == code
    assert state == before


# Endings


@pytest.mark.parametrize(
    ("moves", "winner", "boards"),
    [
        # Water takes in the columns 1 and 0, and then in the row 1.
        (
            "0302 1011 1312 | 2010 | 2322 1101 | 2221 1011",
            1,
            [
                "W.WW .W.. FF.. ..FF",
                "WW.W .W.. F... ..FF",
                "WW.W W... ..F. ...F",
                "W..W WW.. .... ...F",
            ],
        ),
        # Fire takes in column 0, in the row 2 and in column 2.
        (
            "2322 3031 1312 0001 | 1202 | 3132 0212 | 1011 1213 2021 1323",
            0,
            [
                ".WW. W..W .FF. F..F",
                ".WW. ...W F.F. F..F",
                ".WW. .... .FF. F..F",
                ".... .W.. ..F. F.FF",
            ],
        ),
    ],
)
def test_who_has_one_stone_left_has_lost(moves: str, winner: int, boards: list[str]) -> None:
    state = new()
    for part, after in zip(moves.split("|"), boards, strict=True):
        assert board(played(part, state)) == after
    assert GAME.outcome(state) == Outcome((winner,), "one_stone")
    assert GAME.view(state, 0).turn is None


@pytest.mark.parametrize("seat", [0, 1])
def test_two_stones_are_enough(seat: int) -> None:
    boards = [".... .FW. F..W W...", ".... .WF. W..F F..."]
    state = played("0201", at(boards[seat], seat))
    assert GAME.outcome(state) is None
    assert state.turn == 1 - seat


@pytest.mark.parametrize(
    ("moves", "winner", "left"),
    [
        (
            "0302 1011 0201 1112 1303 2021 3332 2122 0102 0001 2313 2223",
            1,
            "...W W... FW.. FFW.",
        ),
        (
            "0302 2021 1312 3031 1211 3132 2322 2131 2221 3231 2120 3121 0201",
            0,
            "WWF. FF.. .... ....",
        ),
    ],
)
def test_who_cannot_move_has_lost(moves: str, winner: int, left: str) -> None:
    state = played(moves)
    assert board(state) == left
    assert GAME.outcome(state) == Outcome((winner,), "no_move")
    assert list(GAME.legal(state, 1 - winner)) == []


def test_who_can_still_move_one_stone_plays_on() -> None:
    state = played("3020", at("...W W... FWW. FF..", 1))
    assert GAME.outcome(state) is None
    assert list(GAME.legal(state, 0)) == [move("1323")]


def test_one_stone_that_cannot_move_has_lost_for_being_one() -> None:
    state = played("1211", at("WF.. F.WF .F.. ...."))
    assert board(state) == "WF.. FF.F .... ...."
    assert GAME.outcome(state) == Outcome((0,), "one_stone")


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_loses_whoever_is_to_move(seat: int) -> None:
    state = do(played("0302"), seat, Resign())
    assert GAME.outcome(state) == Outcome((1 - seat,), "resigned")


@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_loses(seat: int) -> None:
    state = played("0302")
    for event in GAME.leave(state, seat):
        GAME.apply(state, event)
    assert GAME.outcome(state) == Outcome((1 - seat,), "left")


@pytest.mark.parametrize("command", [move("0302"), Resign(), TimeUp()])
def test_nothing_is_possible_when_it_is_over(command: Command) -> None:
    state = do(new(move_seconds=1), 1, Resign())
    for seat in (0, 1):
        assert refusal(state, seat, command) == "round_over"
        assert list(GAME.legal(state, seat)) == []
    assert refusal(state, None, TimeUp(), at_ms=1_000_000) == "round_over"
    assert GAME.timer(state) is None


# Repetition


ROUND_TRIP = "0302 0001 0203 0100 "


def test_the_third_time_is_a_draw_and_the_first_position_counts() -> None:
    state = new()
    for times in (1, 2):
        assert GAME.view(state, None).times == times
        assert GAME.outcome(state) is None
        played(ROUND_TRIP, state)
    assert GAME.view(state, None).times == 3
    assert GAME.outcome(state) == Outcome((), "repetition")
    assert GAME.view(state, None).turn is None


def test_a_later_position_can_be_the_one() -> None:
    # The first move leads away for good, so what comes after it is there once more each time.
    state = played("3332" + " 3031 0302 3130 0203" * 2)
    assert GAME.outcome(state) == Outcome((), "repetition")


def test_the_times_need_not_follow_each_other() -> None:
    state = played(ROUND_TRIP + "1312 1011 1213 1110")
    assert GAME.outcome(state) == Outcome((), "repetition")
    state = played("0302 0001 1312 3031 1213 3130 0203 0100" + " 2322 2021 2223 2120")
    assert GAME.outcome(state) == Outcome((), "repetition")


def test_two_stones_of_one_colour_may_have_changed_places() -> None:
    state = played("0302 3031 1303 3130 0212 3031 1213 3130", at("W..W .... .... FF.."))
    assert GAME.view(state, None).times == 2


def test_the_seat_to_move_is_part_of_the_position() -> None:
    """In a game the same stones always come with the same seat to move: each move changes by one
    the sum of all coordinates. So this one is set up."""
    state = at("W..W .... F... ...F")
    after = at("W..W F... .... ...F").stones
    state.times = {(after, 0): 2}
    played("0201", state)
    assert state.stones == after
    assert GAME.outcome(state) is None
    state = at("W..W .... F... ...F")
    state.times = {(after, 1): 2}
    played("0201", state)
    assert GAME.outcome(state) == Outcome((), "repetition")


def test_a_win_comes_before_a_repetition() -> None:
    """In a game these never come together; so this one is set up."""
    state = at("W... F.W. .F.. ....")
    state.times = {(at("W... FF.. .... ....").stones, 1): 2}
    assert GAME.outcome(played("1211", state)) == Outcome((0,), "one_stone")


def test_a_capture_begins_the_count_anew() -> None:
    state = played("1211", at(".... F.W. .F.W W..."))
    assert list(state.times.values()) == [1]
    played("3231 1112 3132 1211", state)
    assert GAME.view(state, None).times == 2
    played("3231 1112 3132 1211", state)
    assert GAME.outcome(state) == Outcome((), "repetition")


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
    do(state, 0, move("0302"), at_ms=2000)
    assert GAME.timer(state) == Timer(4500, TimeUp(), waits_for=1)


@pytest.mark.parametrize("seat", [0, 1])
def test_time_up_loses_and_not_a_moment_earlier(seat: int) -> None:
    state = at("WWWW .... .... FFFF", seat, move_seconds=2)
    assert refusal(state, None, TimeUp(), at_ms=2999) == "time_not_up"
    do(state, None, TimeUp(), at_ms=3000)
    assert GAME.outcome(state) == Outcome((1 - seat,), "time")
    assert GAME.view(state, 0).deadline_ms is None


def test_a_late_move_counts_if_it_comes_before_time_up() -> None:
    state = new(move_seconds=2)
    do(state, 0, move("0302"), at_ms=9000)
    assert GAME.timer(state) == Timer(11000, TimeUp(), waits_for=1)


def test_the_shortest_clock_is_a_clock() -> None:
    assert GAME.timer(new(move_seconds=0.0001)) == Timer(1001, TimeUp(), waits_for=0)
