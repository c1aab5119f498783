"""Small graphs as bits, and what trying everything finds in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache


def graph(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    adjacent = [0] * count
    for one, other in edges:
        adjacent[one] |= 1 << other
        adjacent[other] |= 1 << one
    return adjacent


def most_pairs(adjacent: Sequence[int], there: int) -> int:
    """How many pairs there can be, by trying everything."""

    @cache
    def most(there: int) -> int:
        if not there:
            return 0
        v = there.bit_length() - 1
        rest = there & ~(1 << v)
        near = [w for w in range(v) if adjacent[v] & rest & (1 << w)]
        return max([most(rest), *(1 + most(rest & ~(1 << w)) for w in near)])

    return most(there)
