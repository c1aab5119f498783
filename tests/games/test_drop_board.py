"""Lines on boards of many sizes, against all lines written out one by one."""

from __future__ import annotations

import pytest

from gamehall.games.drop_board import DropBoard

SIZES = [(7, 6, 4), (3, 3, 3), (12, 12, 5), (12, 3, 12), (3, 12, 12), (9, 4, 6), (4, 9, 7)]
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def all_lines(columns: int, rows: int, length: int) -> list[list[tuple[int, int]]]:
    """The (row, column) of every line that fits, found without bits."""
    lines = []
    for row in range(rows):
        for column in range(columns):
            for down, right in DIRECTIONS:
                line = [(row + down * n, column + right * n) for n in range(length)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in line):
                    lines.append(line)
    return lines


def stones(board: DropBoard, cells: list[tuple[int, int]]) -> int:
    return sum(board.places[row][column] for row, column in cells)


def test_the_common_board_has_69_lines() -> None:
    assert len(all_lines(7, 6, 4)) == 69


@pytest.mark.parametrize("size", SIZES)
def test_every_line_counts_and_no_shorter_one(size: tuple[int, int, int]) -> None:
    board = DropBoard(*size)
    for line in all_lines(*size):
        whole = stones(board, line)
        assert board.has_line(whole)
        assert board.in_lines(whole) == whole
        for missing in line:
            broken = whole - stones(board, [missing])
            assert not board.has_line(broken)
            assert board.in_lines(broken) == 0


@pytest.mark.parametrize("size", SIZES)
def test_no_line_goes_over_the_edge(size: tuple[int, int, int]) -> None:
    """Steps that leave the board and come back on the other side, as bits do, are no line."""
    columns, rows, length = size
    board = DropBoard(*size)
    real = {frozenset(line) for line in all_lines(*size)}
    for row in range(rows):
        for column in range(columns):
            for down, right in DIRECTIONS:
                cells = [((row + down * n) % rows, column + right * n) for n in range(length)]
                inside = all(0 <= c < columns for _, c in cells)
                if inside and len(set(cells)) == length and frozenset(cells) not in real:
                    assert not board.has_line(stones(board, cells))


@pytest.mark.parametrize("size", SIZES)
def test_stones_fall_from_the_bottom_up(size: tuple[int, int, int]) -> None:
    columns, rows, _ = size
    board = DropBoard(*size)
    filled = 0
    for row in reversed(range(rows)):
        for column in range(columns):
            landing = board.landing(filled, column)
            assert landing == board.places[row][column]
            filled |= landing
    assert filled == board.full
    assert not any(board.landing(filled, column) for column in range(columns))


def test_stones_of_several_lines_are_all_found() -> None:
    board = DropBoard(7, 6, 4)
    cross = [(5, column) for column in range(5)] + [(row, 2) for row in (2, 3, 4)]
    loose = [(0, 6), (4, 6)]
    assert board.in_lines(stones(board, cross + loose)) == stones(board, cross)
