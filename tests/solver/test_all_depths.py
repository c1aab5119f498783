"""Thousands of positions of all depths, each against a source that shares nothing with the solver.

* Up to 8 stones: the 8-ply book, read by its own makers' code, and a plain minimax down to it.
* 9 to 12 stones: the same with their 12-ply book of wins, draws and losses, which is another file
  than the one that the solver reads. With 12 stones the solver searches without its book.
* From 13 stones on: a plain search without bits (`reference.py`), with the distance to
  the end where that is quick enough, and only of those positions that it can finish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest
from bitbully_databases import BitBullyDatabases  # type: ignore[import-untyped]

from gamehall.solver.solver import CELLS
from gamehall.solver.solving import Solving, no_book, read_book
from tests.solver.positions import (
    BOARD,
    COLUMNS,
    Stones,
    board_of,
    dropped,
    position,
    random_stones,
)
from tests.solver.reference import judged
from tests.solver.test_search import in_plies

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

ALL_UP_TO = 4
"""Of boards with so few stones there are 1,415, and every one is looked at."""
EXACT_FROM = 28
LOOKED_AT_MAX = 20_000_000
"""Positions that the plain search looks at before it gives up."""


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def by_book(name: str, depth: int) -> Callable[[Stones], int]:
    """Whether who is to move wins, draws or loses, with up to `depth` stones, which is even."""
    book = BitBullyDatabases(name)

    @cache
    def worth(stones: Stones) -> int:
        if (stones[0] | stones[1]).bit_count() == depth:
            return int(book.get_book_value(board_of(stones)))
        best = -1
        for column in range(COLUMNS):
            if not BOARD.landing(stones[0] | stones[1], column):
                continue
            after = dropped(stones, column)
            best = max(best, 1 if after is None else -worth(after))
        return best

    return worth


def all_stones(number: int) -> set[Stones]:
    found: set[Stones] = {(0, 0)}
    for _ in range(number):
        after = (dropped(stones, column) for stones in found for column in range(COLUMNS))
        found = {stones for stones in after if stones is not None}
    return found


def some_stones(seed: int, least: int, most: int, each: int) -> Iterator[tuple[int, Stones]]:
    rng = Random(seed)
    for number in range(least, most + 1):
        for _ in range(each):
            yield number, random_stones(rng, number)


def test_openings_of_up_to_8_stones() -> None:
    solving, worth = Solving(read_book()), by_book("8-ply", 8)
    every = [stones for number in range(ALL_UP_TO + 1) for stones in all_stones(number)]
    assert len(every) == 1 + 7 + 49 + 238 + 1120
    some = [stones for _, stones in some_stones(1, ALL_UP_TO + 1, 8, 50)]
    for stones in every + some:
        assert sign(solving.score(position(board_of(stones)))) == worth(stones), stones


def test_openings_of_9_to_12_stones() -> None:
    solving, searching, worth = Solving(read_book()), Solving(no_book()), by_book("12-ply", 12)
    for _, stones in some_stones(2, 9, 11, 40):
        assert sign(solving.score(position(board_of(stones)))) == worth(stones), stones
    for _, stones in some_stones(3, 12, 12, 40):
        searched = searching.score(position(board_of(stones)))
        assert sign(searched) == worth(stones), stones
        assert searched == solving.score(position(board_of(stones)))


def test_from_13_stones_to_the_last() -> None:
    searching = Solving(no_book())
    compared = [0] * CELLS
    for number, stones in some_stones(4, 13, CELLS - 1, 40):
        board = board_of(stones)
        exact = number >= EXACT_FROM
        expected = judged(board, exact=exact, looked_at_max=LOOKED_AT_MAX)
        if expected is None:
            continue
        score = searching.score(position(board))
        assert (in_plies(score, number) if exact else sign(score)) == expected, board
        compared[number] += 1
    # Where nobody is about to win, the plain search does not come to an end.
    assert min(compared[13:]) >= 10, compared
    assert sum(compared) >= 1000, compared
