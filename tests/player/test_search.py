"""The AI: what it must see, and that cutting branches off changes nothing."""

from __future__ import annotations

from random import Random

import pytest

from tests.player.fake_hall import EMPTY, dropped, has_won, played
from utils.board import Board, has_four
from utils.search import WIN, choose_column


def _board(*columns: int) -> Board:
    """After these columns, seen by whose turn it is."""
    rows = [list(row) for row in played(*columns)]
    return Board.seen_by(1 + len(columns) % 2, rows)


def _winning(board: Board) -> list[int]:
    return [column for column in board.open_columns() if has_four(board.play(column).theirs)]


def _choices(board: Board, depth: int) -> set[int]:
    return {choose_column(board, depth, Random(seed)) for seed in range(8)}


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
@pytest.mark.parametrize(
    ("columns", "win"),
    [
        ((0, 0, 1, 1, 2, 2), 3),
        ((4, 0, 4, 1, 4, 0), 4),
        ((0, 1, 1, 2, 2, 3, 2, 3, 3, 6), 3),
        ((6, 5, 5, 4, 4, 3, 4, 3, 3, 0), 3),
    ],
    ids=["level", "upright", "rising", "falling"],
)
def test_it_takes_a_win(columns: tuple[int, ...], win: int, depth: int) -> None:
    board = _board(*columns)
    assert win in _winning(board)
    assert _choices(board, depth) <= set(_winning(board))


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_it_blocks_a_loss(depth: int) -> None:
    assert _choices(_board(0, 6, 0, 5, 0), depth) == {0}
    assert _choices(_board(0, 6, 1, 6, 2), depth) == {3}


def test_it_wins_rather_than_blocks() -> None:
    both_have_three = _board(0, 6, 0, 6, 0, 6)
    assert _choices(both_have_three, 4) == {0}


def test_it_sees_a_win_two_moves_ahead() -> None:
    # Two in the middle of the lowest row: a third beside them, and one end stays open.
    board = _board(2, 2, 3, 3)
    assert not _winning(board)
    for column in _choices(board, 3):
        after = board.play(column)
        for reply in after.open_columns():
            assert _winning(after.play(reply)), (column, reply)


def test_it_does_not_run_into_such_a_trap() -> None:
    # The same, from the other side: only next to the two stones can the trap be shut.
    assert _choices(_board(2, 2, 3), 4) <= {1, 4}


def test_it_never_plays_a_full_column() -> None:
    board = _board(*[3] * 6)
    for depth in range(1, 5):
        assert 3 not in _choices(board, depth)


def test_it_finds_the_only_column_that_is_open() -> None:
    full = [[1, 1, 2, 2, 1, 1, 2], [2, 2, 1, 1, 2, 2, 1]] * 3
    full[0] = [0, 1, 2, 2, 1, 1, 2]
    assert _choices(Board.seen_by(1, full), 6) == {0}


def test_it_avoids_what_it_is_told_to() -> None:
    win = _board(4, 0, 4, 1, 4, 0)
    assert choose_column(win, 4, Random(1), avoid={4}) != 4
    assert choose_column(win, 4, Random(1), avoid={0, 1, 2, 3, 4, 5}) == 6


def test_a_quick_win_is_better_than_a_slow_one() -> None:
    # A line in column 4, and an open pair as well, with which it would take longer.
    board = _board(4, 0, 4, 1, 4, 6, 3, 6)
    assert _choices(board, 5) == {4}


def _plain_value(board: Board, depth: int) -> int:
    """Negamax as in a textbook, without cutting anything off."""
    if has_four(board.theirs):
        return -(WIN + depth)
    if not board.open_columns():
        return 0
    if depth == 0:
        return board.lead()
    return max(-_plain_value(board.play(column), depth - 1) for column in board.open_columns())


def test_cutting_off_branches_changes_no_choice() -> None:
    chance = Random(11)
    for _ in range(60):
        board = Board()
        for _ in range(chance.randrange(36)):
            if has_four(board.theirs) or not board.open_columns():
                break
            board = board.play(chance.choice(board.open_columns()))
        if has_four(board.theirs) or not board.open_columns():
            continue
        depth = chance.randint(1, 4)
        values = {c: -_plain_value(board.play(c), depth - 1) for c in board.open_columns()}
        best = {column for column, value in values.items() if value == max(values.values())}
        assert _choices(board, depth) <= best


def test_equally_good_columns_are_left_to_chance_and_chance_to_the_seed() -> None:
    early = Board()
    assert len({choose_column(early, 1, Random(seed)) for seed in range(3)}) == 1
    level = _board(3, 3, 3, 3, 3, 3)
    assert len(_choices(level, 2)) > 1
    assert choose_column(level, 2, Random(5)) == choose_column(level, 2, Random(5))


def test_it_beats_chance_in_all_of_twenty_games() -> None:
    chance = Random(20)
    for game in range(20):
        ours = 1 + game % 2
        rows, number = EMPTY, 1
        while not has_won(rows, 3 - number):
            board = Board.seen_by(number, [list(row) for row in rows])
            if number == ours:
                column = choose_column(board, 4, chance)
            else:
                column = chance.choice(board.open_columns())
            rows, number = dropped(rows, column, number), 3 - number
        assert has_won(rows, ours), f"game {game}"
