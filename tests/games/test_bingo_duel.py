"""The rules of two-player Bingo: boards, picks, lines, and who has won by how much."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamehall.errors import BadOptions, IllegalCommand, NotYourTurn, RoundOver
from gamehall.games.bingo_duel import (
    AlreadyPicked,
    BingoDuelOptions,
    BoardsDealt,
    NoSuchNumber,
    Pick,
    Picked,
)
from gamehall.games.chance import Chance
from gamehall.games.game import Outcome
from gamehall.games.two_in_turn import Resign, Resigned
from gamehall.table_log import house
from gamehall.testing import Playout, a_context
from tests.contract.game_contract import GameContract
from tests.games import house_play
from tests.games.bingo_duel_play import (
    GAME,
    MIXED,
    PLAIN,
    a_table,
    begun,
    do,
    game_of,
    naive_lines,
    new,
    pick,
    refusal,
)

SECRET = bytes(range(32))


class TestBingoDuelContract(GameContract):
    game = GAME
    playouts = 2
    option_sets = ({}, {"size": 3})


# Boards


@pytest.mark.parametrize("size", range(3, 21))
def test_a_board_has_every_number_once(size: int) -> None:
    boards = begun(Chance(SECRET), size).boards
    assert boards is not None
    for board in boards:
        assert sorted(board) == list(range(1, size**2 + 1))
    assert boards[0] != boards[1]


@pytest.mark.parametrize("size", [-1, 0, 2, 21, 7.5, "7", None])
def test_other_sizes_are_refused(size: object) -> None:
    with pytest.raises(BadOptions):
        Playout(GAME, {"size": size})


def test_boards_as_they_were_always_dealt() -> None:
    """docs/fairness.md has them too: finished games must verify for ever."""
    assert begun(Chance(SECRET), 3).boards == (
        (7, 9, 4, 5, 1, 3, 6, 8, 2),
        (1, 2, 7, 9, 4, 6, 3, 5, 8),
    )
    assert begun(Chance(SECRET)).boards == tuple(
        tuple(Chance(SECRET).shuffled(f"board:{seat}", range(1, 50))) for seat in (0, 1)
    )


def test_boards_follow_from_the_secret_alone() -> None:
    for rated in (False, True):
        state = begun(Chance(SECRET), 5, rated=rated)
        (dealt,) = GAME.begin(state, a_context(99, Chance(SECRET)))
        assert isinstance(dealt, BoardsDealt)
        assert (dealt.boards, dealt.hidden) == (state.boards, rated)
        assert state.boards == begun(Chance(SECRET), 5).boards


# Lines, worked out by hand on
#     1 2 3
#     4 5 6
#     7 8 9


@pytest.mark.parametrize(
    ("picked", "lines"),
    [
        ((), 0),
        ((1, 2), 0),
        ((1, 2, 3), 1),  # the rows
        ((4, 5, 6), 1),
        ((7, 8, 9), 1),
        ((1, 4, 7), 1),  # the columns
        ((2, 5, 8), 1),
        ((3, 6, 9), 1),
        ((1, 5, 9), 1),  # the diagonals
        ((3, 5, 7), 1),
        ((1, 2, 4, 6, 8, 9), 0),  # six without a line
        ((2, 3, 4), 0),  # across the edge
        ((1, 2, 3, 4, 7), 2),
        ((1, 5, 9, 3, 7), 2),
        ((1, 2, 3, 7, 8, 9), 2),
    ],
)
def test_full_lines_are_counted(picked: tuple[int, ...], lines: int) -> None:
    state = pick(new(PLAIN, PLAIN), picked)
    assert state.lines(0) == state.lines(1) == lines
    assert GAME.outcome(state) is None


def test_a_pick_is_marked_on_both_boards() -> None:
    state = pick(new(PLAIN, MIXED), (1, 2, 3))
    assert state.marks == (0b000_000_111, 0b000_001_110)
    state = pick(state, (5,))
    assert (state.lines(0), state.lines(1)) == (1, 0)
    state = pick(state, (7,))
    assert (state.lines(0), state.lines(1)) == (2, 1)


@given(st.integers(3, 20), st.integers(0, 2**32), st.floats(0, 1))
def test_lines_are_those_of_a_naive_judge(size: int, seed: int, part: float) -> None:
    state = begun(Chance(b"%d" % seed), size)
    numbers = list(range(1, size**2 + 1))
    Random(seed).shuffle(numbers)
    picked = numbers[: int(part * len(numbers))]
    for place, number in enumerate(picked):
        GAME.apply(state, Picked(place % 2, number))
    assert state.boards is not None
    for seat in (0, 1):
        assert state.lines(seat) == naive_lines(state.boards[seat], picked, size)


@pytest.mark.parametrize("size", range(3, 21))
def test_a_full_board_has_all_its_lines(size: int) -> None:
    state = begun(Chance(SECRET), size)
    for number in range(1, size**2 + 1):
        GAME.apply(state, Picked(0, number))
    assert state.lines(0) == state.lines(1) == 2 * size + 2


# Turns and refusals


def test_the_second_to_come_begins_and_then_they_take_turns() -> None:
    state = new()
    assert refusal(state, 0, Pick(1)) is NotYourTurn
    assert do(state, 1, Pick(1)) == (Picked(1, 1),)
    assert refusal(state, 1, Pick(2)) is NotYourTurn
    assert do(state, 0, Pick(2)) == (Picked(0, 2),)
    assert state.turn == 1
    assert state.picked == (1, 2)


def test_only_a_number_that_is_left_can_be_picked() -> None:
    state = pick(new(), (5, 9))
    before = msgspec.structs.astuple(state)
    for number in (0, -1, 10, 2**70):
        assert refusal(state, 1, Pick(number)) is NoSuchNumber
    for number in (5, 9):
        assert refusal(state, 1, Pick(number)) is AlreadyPicked
    assert refusal(state, 0, Pick(5)) is NotYourTurn
    assert refusal(state, None, Pick(1)) is IllegalCommand
    assert refusal(state, None, Resign()) is IllegalCommand
    assert refusal(state, 1, house.Rematch()) is IllegalCommand
    assert msgspec.structs.astuple(state) == before


@pytest.mark.parametrize("number", [True, 1.0, "1", None])
def test_a_number_is_a_whole_number(number: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "pick", "number": number}, Pick)


def test_legal_are_the_picks_of_who_is_to_move() -> None:
    state = pick(new(), (5, 9))
    assert list(GAME.legal(state, 1)) == [Pick(n) for n in (1, 2, 3, 4, 6, 7, 8)]
    assert list(GAME.legal(state, 0)) == []
    do(state, 0, Resign())
    assert list(GAME.legal(state, 1)) == []


# Who has won

WINNING = (1, 2, 3, 5, 7, 9)
"""On the plain board a row and both diagonals; on the mixed one, one diagonal."""


def test_n_lines_win() -> None:
    state = pick(new(PLAIN, MIXED), WINNING)
    assert (state.lines(0), state.lines(1)) == (3, 1)
    assert GAME.outcome(state) == Outcome((0,), "bingo", {0: 3, 1: 1})


def test_one_can_win_by_the_others_pick() -> None:
    state = pick(new(MIXED, PLAIN), WINNING)
    assert state.turn == 1, "seat 0 has picked last"
    assert GAME.outcome(state) == Outcome((1,), "bingo", {0: 1, 1: 3})


def test_both_at_once_is_a_draw() -> None:
    state = pick(new(PLAIN, PLAIN), WINNING)
    assert GAME.outcome(state) == Outcome((), "draw", {0: 3, 1: 3})


def test_both_at_once_is_a_draw_also_with_more_lines() -> None:
    """The last pick, 5, makes three lines more on one board, and two on the other."""
    other = (
        8, 4, 3,
        2, 5, 1,
        6, 9, 7,
    )  # fmt: skip
    state = pick(new(PLAIN, other), (1, 9, 3, 7, 2, 8))
    assert (state.lines(0), state.lines(1)) == (2, 1)
    state = pick(state, (5,))
    assert GAME.outcome(state) == Outcome((), "draw", {0: 5, 1: 3})


def test_the_score_is_all_lines_even_if_there_are_more_than_n() -> None:
    other = (
        4, 1, 2,
        3, 6, 5,
        7, 8, 9,
    )  # fmt: skip
    state = pick(new(PLAIN, other), (1, 9, 3, 7, 2, 8, 5))
    assert GAME.outcome(state) == Outcome((0,), "bingo", {0: 5, 1: 2})


@pytest.mark.parametrize("size", [3, 4, 7, 20])
def test_a_game_ends_with_the_first_who_has_n_lines(size: int) -> None:
    table = Playout(GAME, {"size": size}, seed=size)
    while not table.ended:
        assert max(game_of(table).lines(seat) for seat in (0, 1)) < size
        table.step()
    state, outcome = game_of(table), table.ended[0].outcome
    scores = {seat: state.lines(seat) for seat in (0, 1)}
    assert outcome.scores == scores
    assert outcome.winners == tuple(s for s in (0, 1) if scores[s] >= size > scores[1 - s])
    assert len(state.picked) <= size**2


# Who gives up


@pytest.mark.parametrize("quitter", [0, 1])
@pytest.mark.parametrize(
    ("picked", "lines"), [((), 0), ((1, 2, 3), 1), ((1, 2, 3, 4, 7), 2), ((1, 5, 9, 3, 7), 2)]
)
def test_who_resigns_keeps_its_lines_and_the_other_scores_n(
    quitter: int, picked: tuple[int, ...], lines: int
) -> None:
    state = pick(new(PLAIN, PLAIN), picked)
    do(state, quitter, Resign())
    scores = {quitter: lines, 1 - quitter: 3}
    assert lines <= 2, "at most N - 1"
    assert GAME.outcome(state) == Outcome((1 - quitter,), "resigned", scores)


@pytest.mark.parametrize("quitter", [0, 1])
@pytest.mark.parametrize("reason", ["left", "dropped"])
def test_who_leaves_has_lost(quitter: int, reason: str) -> None:
    table = a_table()
    table.step()
    events = table.act(quitter, house.Leave(reason)).events
    assert events[0] == house.Left(quitter, reason)
    lines = game_of(table).lines(quitter)
    scores = {quitter: lines, 1 - quitter: 4}
    assert table.ended[0].outcome == Outcome((1 - quitter,), "abandoned", scores)
    assert lines < 4


def test_a_score_of_who_gives_up_is_below_n_whatever_a_log_says() -> None:
    """Such a game would have ended before; a forged log must not get around it."""
    state = new(PLAIN, PLAIN)
    for number in range(1, 10):
        GAME.apply(state, Picked(0, number))
    GAME.apply(state, Resigned(1))
    assert GAME.outcome(state) == Outcome((0,), "resigned", {0: 3, 1: 2})


def test_after_the_end_nothing_can_be_done() -> None:
    table = a_table()
    table.act(0, Resign())
    for seat in (0, 1):
        for command in (Pick(1), Resign()):
            assert house_play.refusal(table, seat, command) is RoundOver


# Another round


def test_a_rematch_is_dealt_new_boards_and_the_other_begins() -> None:
    table = a_table()
    players = {seat: person.player for seat, person in table.state.chairs.items()}
    boards = game_of(table).boards
    table.run()
    table.act(0, house.Rematch())
    wanted, opened, started, dealt = table.act(1, house.Rematch()).events
    assert wanted == house.RematchWanted(1)
    assert (opened.round, started.at_ms) == (2, table.at_ms)  # type: ignore[attr-defined]
    chance = Chance(table.draws.secret(2))
    expected = tuple(tuple(chance.shuffled(f"board:{n}", range(1, 17))) for n in (0, 1))
    assert dealt == BoardsDealt(expected)  # type: ignore[arg-type]
    assert expected != boards
    moved = {seat: person.player for seat, person in table.state.chairs.items()}
    assert moved == {0: players[1], 1: players[0]}
    state = game_of(table)
    assert (state.turn, state.picked, state.marks) == (1, (), (0, 0))


def test_options_have_the_size_of_the_house() -> None:
    assert BingoDuelOptions().size == 7
    assert GAME.seats(BingoDuelOptions()).least == GAME.seats(BingoDuelOptions()).most == 2
