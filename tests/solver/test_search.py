"""What positions are worth: known ones, and late ones against the plainest search there is."""

from __future__ import annotations

from random import Random

import pytest

from gamehall.solver.solver import CELLS, Position, Worth, dropped, position_on, worth_of
from gamehall.solver.solving import Solving, no_book, read_book
from tests.solver.positions import board_of, played, position, random_stones
from tests.solver.reference import judged

SLOTS = 1_000_003


@pytest.fixture(scope="module")
def solving() -> Solving:
    return Solving(read_book(), SLOTS)


@pytest.fixture(scope="module")
def searching() -> Solving:
    return Solving(no_book(), SLOTS)


def after(columns: str) -> Position:
    stones = played([int(column) for column in columns])
    assert stones is not None
    return position(board_of(stones))


def in_plies(score: int, stones: int) -> int:
    """As the reference says it: 43 less the stones at the end, negative for a loss."""
    known = worth_of(score, stones)
    end = stones + known.plies
    return 0 if known.result == "draw" else (CELLS + 1 - end) * (1 if score > 0 else -1)


def test_the_first_player_wins_by_the_middle_column_alone(solving: Solving) -> None:
    worths = [worth_of(score or 0, 0) for score in solving.scores(Position(0, 0))]
    side = [Worth("loss", 40), Worth("loss", 42), Worth("draw", 42)]
    assert worths == [*side, Worth("win", 41), *reversed(side)]


@pytest.mark.parametrize(
    ("columns", "scores"),
    [
        # Both are about to complete a column: whoever neither does nor prevents that has lost.
        ("010101", {0: 18, **dict.fromkeys(range(2, 7), -18)}),
        # Three in a row with both ends open are lost, whatever is done.
        ("20304", dict.fromkeys(range(7), -18)),
    ],
)
def test_a_line_that_is_near(solving: Solving, columns: str, scores: dict[int, int]) -> None:
    found = solving.scores(after(columns))
    assert {column: found[column] for column in scores} == scores


def test_a_full_column_has_no_score(solving: Solving) -> None:
    found = solving.scores(after("000000"))
    assert found[0] is None
    assert None not in found[1:]


def test_a_position_and_its_mirror_image_are_worth_the_same(searching: Solving) -> None:
    rng = Random(3)
    for _ in range(20):
        board = board_of(random_stones(rng, 22))
        mirrored = [row[::-1] for row in board]
        assert searching.scores(position(mirrored)) == searching.scores(position(board))[::-1]


def test_a_score_is_the_best_of_what_follows(solving: Solving) -> None:
    rng = Random(4)
    for stones in (3, 7, 11, 18, 20, 25):
        start = position(board_of(random_stones(rng, stones)))
        scores = solving.scores(start)
        assert solving.score(start) == max(score for score in scores if score is not None)
        for column, score in enumerate(scores):
            if score is None or score == (CELLS + 1 - stones) // 2:
                continue  # Full, or won at once.
            assert score == -solving.score(dropped(start, column))


@pytest.mark.slow
def test_late_positions_against_the_plainest_search(searching: Solving) -> None:
    rng = Random(5)
    for stones in range(30, CELLS):
        for _ in range(8):
            board = board_of(random_stones(rng, stones))
            expected = judged(board, exact=True, looked_at_max=1_000_000)
            assert in_plies(searching.score(position(board)), stones) == expected, board


def test_the_book_changes_no_score(solving: Solving, searching: Solving) -> None:
    # Someone has a line soon: the search without a book is done at once.
    start = after("334242242520")
    assert start.both.bit_count() == 12
    assert solving.score(start) == searching.score(start)


def test_what_a_score_means() -> None:
    # The last stone is the second player's, the last but one the first player's.
    assert worth_of(1, 41) == Worth("win", 1)
    assert worth_of(1, 40) == Worth("win", 1)
    assert worth_of(-1, 40) == Worth("loss", 2)
    assert worth_of(18, 6) == Worth("win", 1)
    assert worth_of(0, 40) == Worth("draw", 2)


def test_a_board_is_a_position_only_if_it_can_be_one() -> None:
    empty = [[0] * 7 for _ in range(6)]
    assert position_on(empty, 4, 0) == Position(0, 0)
    assert position_on(empty, 5, 0) is None
    assert position_on(empty[1:], 4, 0) is None
    floating = [[0] * 7, [1, 2] + [0] * 5, *empty[2:]]
    with pytest.raises(ValueError, match="lies on nothing"):
        position_on(floating, 4, 0)
    with pytest.raises(ValueError, match="not to move"):
        position_on(empty, 4, 1)
