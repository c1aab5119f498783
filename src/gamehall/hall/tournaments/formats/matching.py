"""Pairs for as many as possible, and for those who come first whom they want most.

Edmonds' blossom algorithm fits in those whom a plain choice leaves over: it finds a way in any
graph if there is one. That is seldom needed, so the usual case costs little more than sorting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

NOBODY = -1
Wishes = Callable[[int, Sequence[int]], Iterable[int]]
"""For someone, and the others who are still to be paired in their order: these, the dearest
first."""


def matched(adjacent: Sequence[int], wishes: Wishes) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs of numbers from 0, in the order of their first, and those who are left over.

    Bit w of `adjacent[v]` says that v and w may be paired. There are as many pairs as can be, and
    0 is in one if it can be. Each in turn gets the first of its wishes with whom this still holds.
    """
    matching = _Matching(adjacent)
    matching.start(wishes)
    left_over = [v for v, mate in enumerate(matching.mate) if mate == NOBODY]
    rest = [v for v, mate in enumerate(matching.mate) if mate != NOBODY]
    matching.remove(*left_over)
    pairs = []
    while rest:
        v = rest.pop(0)
        w = next(w for w in wishes(v, rest) if matching.settle(v, w))
        rest.remove(w)
        pairs.append((v, w))
    return pairs, left_over


class _Matching:
    """A greatest matching of those who are still there."""

    def __init__(self, adjacent: Sequence[int]) -> None:
        self._adjacent = adjacent
        self.mate = [NOBODY] * len(adjacent)
        self._there = self._free = (1 << len(adjacent)) - 1

    def start(self, wishes: Wishes) -> None:
        """First come, first served; then the rest are fitted in."""
        rest = list(range(len(self.mate)))
        while rest:
            v = rest.pop(0)
            w = next((w for w in wishes(v, rest) if self._adjacent[v] >> w & 1), None)
            if w is not None:
                rest.remove(w)
                self.mate[v], self.mate[w] = w, v
                self._free &= ~(1 << v | 1 << w)
        for v, mate in enumerate(self.mate):
            if mate == NOBODY:
                self._fit_in(v)

    def remove(self, *gone: int) -> None:
        for v in gone:
            self._there &= ~(1 << v)
            self._free &= ~(1 << v)

    def settle(self, v: int, w: int) -> bool:
        """Whether v and w can be a pair without leaving others over; if so they are, and go."""
        if not self._adjacent[v] >> w & 1:
            return False
        mate, before = self.mate, (self._there, self._free)
        of_v, of_w = mate[v], mate[w]
        self.remove(v, w)
        if of_v != w:
            mate[of_v] = mate[of_w] = NOBODY
            self._free |= 1 << of_v | 1 << of_w
            if not self._fit_in(of_v):
                self._there, self._free = before
                mate[of_v], mate[of_w] = v, w
                return False
        return True

    def _fit_in(self, root: int) -> bool:
        """Whether `root` has a mate now, and everyone else who had one still has."""
        tree = _Tree(root, self.mate)
        free = self._free & ~(1 << root)
        for v in tree.reached(self._adjacent, self._there):
            if self._adjacent[v] & free:
                last = next(_bits(self._adjacent[v] & free))
                tree.swap_up_to(last, v)
                self._free &= ~(1 << root | 1 << last)
                return True
        return False


class _Tree:
    """The ways that lead from a root along edges by turns outside and inside the matching."""

    def __init__(self, root: int, mate: list[int]) -> None:
        self._queue = [root]
        """Those at an even distance: from them the ways go on."""
        self._mate = mate
        self._parent = [NOBODY] * len(mate)
        self._base = list(range(len(mate)))
        """The stem of the blossom that each is in, if in any: an odd cycle, taken as one."""
        self._even = [False] * len(mate)
        self._even[root] = True

    def reached(self, adjacent: Sequence[int], there: int) -> Iterator[int]:
        """Those at an even distance, each as soon as it is known to be."""
        yield self._queue[0]
        for v in self._queue:
            for w in _bits(adjacent[v] & there):
                known = len(self._queue)
                self._grow(v, w)
                yield from self._queue[known:]

    def _grow(self, v: int, w: int) -> None:
        """Takes in the edge from v, which is even, to w, which has a mate."""
        if self._base[v] == self._base[w]:
            return
        if self._even[w]:
            self._contract(v, w)
        elif self._parent[w] == NOBODY:
            self._parent[w] = v
            self._even[self._mate[w]] = True
            self._queue.append(self._mate[w])

    def swap_up_to(self, last: int, v: int) -> None:
        """Swaps mates on the way from the root over v to `last`, which has none."""
        self._parent[last] = v
        while last != NOBODY:
            v = self._parent[last]
            last_before = self._mate[v]
            self._mate[v], self._mate[last] = last, v
            last = last_before

    def _contract(self, v: int, w: int) -> None:
        stem = self._common_stem(v, w)
        blossom: set[int] = set()
        for one, other in ((v, w), (w, v)):
            while self._base[one] != stem:
                mate = self._mate[one]
                blossom |= {self._base[one], self._base[mate]}
                self._parent[one] = other
                one, other = self._parent[mate], mate
        for each, base in enumerate(self._base):
            if base in blossom:
                self._base[each] = stem
                if not self._even[each]:
                    self._even[each] = True
                    self._queue.append(each)

    def _common_stem(self, v: int, w: int) -> int:
        passed = set()
        while True:
            v = self._base[v]
            passed.add(v)
            if self._mate[v] == NOBODY:
                break
            v = self._parent[self._mate[v]]
        while self._base[w] not in passed:
            w = self._parent[self._mate[self._base[w]]]
        return self._base[w]


def _bits(mask: int) -> Iterator[int]:
    """The last first: whoever gives way for others should not be one who chose before them."""
    while mask:
        last = mask.bit_length() - 1
        yield last
        mask ^= 1 << last
