"""Matchings, compared with those that are found by trying everything."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gamehall.hall.tournaments.formats.matching import matched
from tests.hall.formats.graphs import graph, most_pairs


def in_order(_: int, rest: Sequence[int]) -> Sequence[int]:
    return rest


@st.composite
def graphs(draw: st.DrawFn, most: int = 11) -> list[int]:
    count = draw(st.integers(0, most))
    every = [(one, other) for other in range(count) for one in range(other)]
    return graph(count, [edge for edge in every if draw(st.booleans())])


def sparse(count: int) -> st.SearchStrategy[list[int]]:
    """Long odd cycles, which a choice without blossoms fails at."""
    pair = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    edges = st.lists(pair.filter(lambda edge: edge[0] != edge[1]), max_size=count + 6)
    return edges.map(lambda chosen: graph(count, chosen))


@settings(max_examples=400)
@given(adjacent=graphs() | sparse(14))
def test_there_are_as_many_pairs_as_can_be(adjacent: list[int]) -> None:
    pairs, left_over = matched(adjacent, in_order)
    assert len(pairs) == most_pairs(adjacent, (1 << len(adjacent)) - 1)
    assert all(adjacent[one] >> other & 1 for one, other in pairs)
    assert sorted([*(v for pair in pairs for v in pair), *left_over]) == list(range(len(adjacent)))
    if adjacent and adjacent[0]:
        assert 0 not in left_over


@settings(max_examples=200)
@given(adjacent=graphs(9), rng=st.randoms(use_true_random=False))
def test_each_gets_the_first_wish_with_whom_all_others_still_fit(
    adjacent: list[int], rng: Random
) -> None:
    orders = [rng.sample(range(len(adjacent)), len(adjacent)) for _ in adjacent]

    def wishes(v: int, rest: Sequence[int]) -> list[int]:
        return sorted(rest, key=orders[v].index)

    pairs, left_over = matched(adjacent, wishes)
    there = sum(1 << v for pair in pairs for v in pair)
    rest = [v for v in range(len(adjacent)) if v not in left_over]
    expected = []
    while rest:
        v = rest.pop(0)
        there &= ~(1 << v)
        w = next(
            w
            for w in wishes(v, rest)
            if adjacent[v] >> w & 1 and most_pairs(adjacent, there & ~(1 << w)) * 2 == len(rest) - 1
        )
        rest.remove(w)
        there &= ~(1 << w)
        expected.append((v, w))
    assert pairs == expected


def test_an_odd_cycle_is_no_obstacle() -> None:
    # Two triangles joined by one edge: a choice of (0, 1) and (3, 4) has to be undone.
    adjacent = graph(6, [(0, 1), (0, 2), (1, 2), (2, 5), (3, 4), (3, 5), (4, 5)])
    assert matched(adjacent, in_order) == ([(0, 1), (2, 5), (3, 4)], [])


def test_whoever_cannot_be_paired_is_left_over() -> None:
    assert matched(graph(4, [(0, 1), (0, 2), (0, 3)]), in_order) == ([(0, 1)], [2, 3])
    assert matched([], in_order) == ([], [])
