"""The rules of two-player Bingo, written down a second time, and picks that end as one wants."""

from __future__ import annotations

from itertools import count
from random import Random

from tests.doors.duel.clients import Client, Duelists
from tests.doors.duel.packets import Board

WON, LOST, DRAWN = "won", "lost", "drawn"


def lines(board: Board, picked: list[int]) -> int:
    """How many rows, columns and diagonals are full."""
    size, marked = len(board), set(picked)
    all_lines = [*board, *zip(*board, strict=True)]
    all_lines.append([board[n][n] for n in range(size)])
    all_lines.append([board[n][size - 1 - n] for n in range(size)])
    return sum(marked.issuperset(line) for line in all_lines)


def result(first: Board, second: Board, picked: list[int]) -> str | None:
    """How it has ended for the first board; None: it has not."""
    size = len(first)
    one, other = lines(first, picked) >= size, lines(second, picked) >= size
    if one and other:
        return DRAWN
    if one or other:
        return WON if one else LOST
    return None


def played_out(first: Board, second: Board, numbers: list[int]) -> tuple[list[int], str]:
    """As many of these picks as it takes, and how it ends for the first board."""
    for picks in range(len(numbers) + 1):
        ended = result(first, second, numbers[:picks])
        if ended is not None:
            return numbers[:picks], ended
    raise AssertionError("all numbers are picked, and it is not over")


def marks(board: Board, picked: list[int]) -> dict[str, list[int]]:
    """As in packet 222: column and row."""
    where = {n: [column, row] for row, line in enumerate(board) for column, n in enumerate(line)}
    return {str(number): where[number] for number in picked}


def match_that_ends(at: Duelists, wanted: str) -> tuple[Client, Client, list[int]]:
    """Two who play, and the picks with which the first of them ends as wanted."""
    rng = Random(1)
    for _ in range(50):
        first, second, _ = at.pair()
        numbers = [number for row in first.board for number in row]
        for _ in range(200):
            rng.shuffle(numbers)
            picks, ended = played_out(first.board, second.board, numbers)
            if ended == wanted:
                return first, second, picks
        first.close()
        second.close()
    raise AssertionError(f"no boards on which a match can be {wanted}")


def turns(first: Client, second: Client, picks: list[int]) -> list[tuple[Client, Client, int]]:
    """Who picks, who hears of it, and what: the second to come begins."""
    both = (second, first)
    return [(both[n % 2], both[1 - n % 2], number) for n, number in zip(count(), picks)]
