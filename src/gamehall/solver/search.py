"""The search: what a Connect Four position is worth, exactly. Compiled to machine code.

Only the standard board, 7 columns of 6 places and lines of 4. A set of stones is one integer, laid
out as in `games.drop_board`: seven bits a column from the bottom up, the topmost of them never set.
A position is the stones of whoever is to move and those of both; scores are as in `solver`.

All that is compiled is in this file: what was compiled before is used again until the file changes,
whatever else does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from gamehall.solver.solver import CELLS, COLUMNS, ROWS

F = TypeVar("F", bound=Callable[..., Any])

HEIGHT = np.uint64(ROWS + 1)
NONE, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
FLOOR = np.uint64(sum(1 << column * (ROWS + 1) for column in range(COLUMNS)))
COLUMN = np.uint64((1 << ROWS) - 1)
"""The places of the leftmost column."""
FULL = FLOOR * COLUMN
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
BOOK_STONES = 12
"""The book has positions with this many stones, no others."""
UNKNOWN = -128
"""No score: the book does not have the position."""
UPPER, LOWER, LOWER_LEAST = 64, 192, 128
"""A slot has a key and, in its lowest byte, a bound: UPPER and the score if it is at most that,
LOWER and the score if it is at least that."""
BYTE, LOWEST_BYTE = np.uint64(8), np.uint64(255)
SHIFT = np.uint64(56)
"""A list has moves, each with its promise beyond this bit."""
PLACES = (ONE << SHIFT) - ONE


class Memory(NamedTuple):
    """What a search remembers, and where it looks things up."""

    slots: NDArray[np.uint64]
    """Bounds that were found for positions."""
    lists: NDArray[np.uint64]
    """Room for the moves of each depth."""
    codes: NDArray[np.int32]
    """The book's positions, in ascending order."""
    scores: NDArray[np.int8]
    """What each of them is worth."""


def compiled(function: F) -> F:
    """The function as machine code, kept for the next start where a folder can be written to."""
    try:
        made: Any = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        made = numba.njit(nogil=True)(function)
    return made  # type: ignore[no-any-return]


@compiled
def winning_places(stones: np.uint64, both: np.uint64) -> np.uint64:
    """The empty places that would complete a line of these stones, reachable yet or not."""
    found = (stones << ONE) & (stones << TWO) & (stones << THREE)
    for step in (HEIGHT, HEIGHT - ONE, HEIGHT + ONE):
        pair = (stones << step) & (stones << (TWO * step))
        found |= pair & (stones << (THREE * step))
        found |= pair & (stones >> step)
        pair = (stones >> step) & (stones >> (TWO * step))
        found |= pair & (stones << step)
        found |= pair & (stones >> (THREE * step))
    return found & (FULL ^ both)


@compiled
def landing(both: np.uint64) -> np.uint64:
    """The lowest empty place of each column that has room."""
    return (both + FLOOR) & FULL


@compiled
def count(stones: np.uint64) -> np.uint64:
    number = NONE
    while stones != NONE:
        stones &= stones - ONE
        number += ONE
    return number


@compiled
def mirrored(stones: np.uint64) -> np.uint64:
    """The same stones with left and right exchanged."""
    other = NONE
    strip = (ONE << HEIGHT) - ONE
    for _ in range(COLUMNS):
        other = (other << HEIGHT) | (stones & strip)
        stones >>= HEIGHT
    return other


@compiled
def key_of(mine: np.uint64, both: np.uint64) -> np.uint64:
    """The same number for a position and its mirror image, and for no other."""
    # In each column the lowest bit that adding the floor sets tells where its stones end.
    key = mine + both + FLOOR
    turned = mirrored(mine) + mirrored(both) + FLOOR
    return min(key, turned)


@compiled
def huffman(mine: np.uint64, both: np.uint64) -> np.int64:
    """How the book writes a position of 12 stones: 10 for a stone of who is to move, 11 for one of
    the other, 0 after each column and 0 at the end; a signed number of 32 bits."""
    code = np.int64(0)
    for column in range(COLUMNS):
        place = ONE << (np.uint64(column) * HEIGHT)
        while both & place:
            code = (code << 2) | (2 if mine & place else 3)
            place <<= ONE
        code <<= 1
    code <<= 1
    return code - (1 << 32) if code >= 1 << 31 else code


@compiled
def looked_up(memory: Memory, code: np.int64) -> int:
    book = memory.codes
    low, high = 0, len(book)
    while low < high:
        middle = (low + high) // 2
        if book[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < len(book) and book[low] == code:
        return int(memory.scores[low])
    return UNKNOWN


@compiled
def in_book(mine: np.uint64, both: np.uint64, memory: Memory) -> int:
    """The score of a position of 12 stones, or UNKNOWN."""
    found = looked_up(memory, huffman(mine, both))
    if found == UNKNOWN:
        found = looked_up(memory, huffman(mirrored(mine), mirrored(both)))
    return found


@compiled
def not_losing(mine: np.uint64, both: np.uint64) -> np.uint64:
    """The moves after which the opponent cannot win at once; none if there is no such move."""
    moves = landing(both)
    threats = winning_places(both ^ mine, both)
    forced = moves & threats
    if forced != NONE:
        if forced & (forced - ONE):
            return NONE
        moves = forced
    return moves & ~(threats >> ONE)


@compiled
def negamax(
    mine: np.uint64, both: np.uint64, stones: int, alpha: int, beta: int, memory: Memory
) -> int:
    """The score, or a bound of it outside of alpha and beta. Nobody can win with the next stone."""
    slots, lists = memory.slots, memory.lists
    if stones == BOOK_STONES and len(memory.codes):
        known = in_book(mine, both, memory)
        if known != UNKNOWN:
            return known
    moves = not_losing(mine, both)
    if moves == NONE:
        return -((CELLS - stones) // 2)
    if stones >= CELLS - 2:
        return 0
    # The opponent cannot win with the next stone, nor we with the one after.
    alpha = max(alpha, -((CELLS - 2 - stones) // 2))
    beta = min(beta, (CELLS - 1 - stones) // 2)
    if alpha >= beta:
        return alpha
    key = key_of(mine, both)
    slot = key % np.uint64(len(slots))
    held = slots[slot]
    if held >> BYTE == key:
        bound: Any = np.int64(held & LOWEST_BYTE)
        if bound >= LOWER_LEAST:
            alpha = max(alpha, bound - LOWER)
        else:
            beta = min(beta, bound - UPPER)
        if alpha >= beta:
            return alpha

    number = 0
    for column in CENTRE_FIRST:
        move = moves & (COLUMN << (np.uint64(column) * HEIGHT))
        if move == NONE:
            continue
        # Most threats first, and of equal ones the more central.
        worth = count(winning_places(mine | move, both | move))
        place = number
        while place > 0 and lists[stones, place - 1] >> SHIFT < worth:
            lists[stones, place] = lists[stones, place - 1]
            place -= 1
        lists[stones, place] = (worth << SHIFT) | move
        number += 1
    for place in range(number):
        move = lists[stones, place] & PLACES
        score = -negamax(both ^ mine, both | move, stones + 1, -beta, -alpha, memory)
        if score >= beta:
            slots[slot] = (key << BYTE) | np.uint64(score + LOWER)
            return score
        alpha = max(alpha, score)
    slots[slot] = (key << BYTE) | np.uint64(alpha + UPPER)
    return alpha


@compiled
def solve(mine: np.uint64, both: np.uint64, stones: int, memory: Memory) -> int:
    """The score of a position in which nobody has a line yet."""
    if winning_places(mine, both) & landing(both):
        return (CELLS + 1 - stones) // 2
    low, high = -((CELLS - stones) // 2), (CELLS + 1 - stones) // 2
    while low < high:
        # Asked first: does someone win at all? Then how soon, from the far end.
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = low // 2
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        found = negamax(mine, both, stones, middle, middle + 1, memory)
        if found <= middle:
            high = found
        else:
            low = found
    return low


@compiled
def score_columns(
    mine: np.uint64, both: np.uint64, memory: Memory, found: NDArray[np.int8]
) -> None:
    """Writes into `found`, for each column, the score of a drop there for whoever makes it; UNKNOWN
    for a full one. Nobody has a line yet."""
    stones: Any = np.int64(count(both))
    moves = landing(both)
    wins = winning_places(mine, both)
    for column in CENTRE_FIRST:
        move = moves & (COLUMN << (np.uint64(column) * HEIGHT))
        if move == NONE:
            found[column] = UNKNOWN
        elif move & wins:
            found[column] = (CELLS + 1 - stones) // 2
        else:
            child = solve(both ^ mine, both | move, stones + 1, memory)
            found[column] = -child
