"""The board, against the same rules written as plainly as can be."""

from __future__ import annotations

from itertools import combinations
from random import Random

from tests.player.fake_hall import EMPTY, dropped, has_won
from utils.board import Board, count_fours, has_four, places_in_fours

FULL_LINES = 69
"""4 in each of 6 rows, 3 in each of 7 columns, 12 in each slanting direction."""


def _lines() -> list[list[tuple[int, int]]]:
    """All lines of four, by rows from the bottom and columns."""
    return [
        [(row + step * up, column + step * right) for step in range(4)]
        for row in range(6)
        for column in range(7)
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
        if 0 <= row + 3 * up < 6 and column + 3 * right < 7
    ]


def _stones(places: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> int:
    return sum(1 << 7 * column + row for row, column in places)


def test_every_line_of_four_wins_and_no_three_of_it_do() -> None:
    lines = _lines()
    assert len(lines) == FULL_LINES
    for line in lines:
        assert has_four(_stones(line))
        for three in combinations(line, 3):
            assert not has_four(_stones(three))


def test_no_line_runs_around_the_edge() -> None:
    tops_and_feet = [(4, 2), (5, 2), (0, 3), (1, 3)]
    right_and_left = [(0, 5), (0, 6), (1, 0), (1, 1)]
    assert not has_four(_stones(tops_and_feet))
    assert not has_four(_stones(right_and_left))


def test_all_lines_are_counted() -> None:
    everything = [(row, column) for row in range(6) for column in range(7)]
    assert count_fours(_stones(everything)) == FULL_LINES
    assert count_fours(_stones(everything[:7])) == 4
    assert Board().lead() == 0
    # Three lines run through a corner.
    assert Board(mine=1).lead() == 3
    assert Board(theirs=1).lead() == -3


def test_random_games_follow_the_plain_rules() -> None:
    chance = Random(4)
    for _ in range(60):
        rows, board, number = EMPTY, Board(), 1
        while board.open_columns() and not has_four(board.theirs):
            assert set(board.open_columns()) == {c for c in range(7) if rows[0][c] == 0}
            column = chance.choice(board.open_columns())
            rows = dropped(rows, column, number)
            board = board.play(column)
            assert has_four(board.theirs) == has_won(rows, number)
            number = 3 - number
            assert Board.seen_by(number, [list(row) for row in rows]) == board


def test_the_places_of_a_line() -> None:
    rows = [[0] * 7 for _ in range(6)]
    for column in range(1, 5):
        rows[5][column] = 2
    rows[4][0] = 1
    assert places_in_fours(rows) == {(5, column) for column in range(1, 5)}
    rows[5][2] = 1
    assert places_in_fours(rows) == set()
