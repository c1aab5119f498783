"""Brackets as plain tables: which games there are, and who plays in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

import msgspec


class Source(msgspec.Struct, frozen=True, gc=False):
    """Who takes a side of a slot: a seed, or who won or lost in an earlier slot."""

    kind: Literal["seed", "winner", "loser"]
    number: int


class Slot(msgspec.Struct, frozen=True, gc=False):
    """One game of a bracket, with its replays."""

    stage: str
    round: int
    level: int
    """Who is out at a higher level has come further."""
    sides: tuple[Source, Source]
    is_reset: bool = False
    """It is played only if the second side has won the slot before."""


Bracket = tuple[Slot, ...]
"""Slots in an order in which each comes after those it depends on."""


@cache
def single(count: int) -> Bracket:
    """A bracket for so many, in which each slot's loser is out."""
    slots: list[Slot] = []
    for round, sides in enumerate(_winners_rounds(_size(count), slots), start=1):
        slots += [Slot("", round, round, pair) for pair in sides]
    return tuple(slots)


@cache
def double(count: int) -> Bracket:
    """A bracket for so many, in which losers go on among themselves until they lose again.

    Those who lose in a round of the winners' bracket come, in the order turned round every other
    time so that they do not meet again at once, against those who are left of the losers'.
    """
    slots: list[Slot] = []
    levels = iter(range(1, 1000))

    def add(stage: str, round: int, sides: Sequence[tuple[Source, Source]]) -> list[int]:
        start, level = len(slots), next(levels)
        slots.extend(Slot(stage, round, level, pair) for pair in sides)
        return list(range(start, len(slots)))

    survivors: list[Source] = []
    losers_round = 0
    rounds = _winners_rounds(_size(count), slots)
    for round, sides in enumerate(rounds, start=1):
        numbers = add("winners", round, sides)
        fallen = [Source("loser", number) for number in numbers]
        if round == 1:
            survivors = fallen
        else:
            losers_round += 1
            fallen = fallen[::-1] if round % 2 == 0 else fallen
            met = add("losers", losers_round, list(zip(survivors, fallen, strict=True)))
            survivors = [Source("winner", number) for number in met]
        if len(survivors) > 1:
            losers_round += 1
            met = add("losers", losers_round, _neighbours(survivors))
            survivors = [Source("winner", number) for number in met]
    best = Source("winner", numbers[0])
    (final,) = add("final", 1, [(best, survivors[0])])
    reset = (Source("loser", final), Source("winner", final))
    slots.append(Slot("final", 2, next(levels), reset, is_reset=True))
    return tuple(slots)


def _winners_rounds(size: int, slots: list[Slot]) -> Iterator[list[tuple[Source, Source]]]:
    """The sides of each round; a round is to be in `slots`, from its start, before the next."""
    sides = _neighbours([Source("seed", seed) for seed in _seed_order(size)])
    while True:
        start = len(slots)
        yield sides
        if len(sides) == 1:
            return
        sides = _neighbours([Source("winner", start + place) for place in range(len(sides))])


def _neighbours(sources: Sequence[Source]) -> list[tuple[Source, Source]]:
    return list(zip(sources[::2], sources[1::2], strict=True))


def _size(count: int) -> int:
    """The places of a full bracket: a power of two. Those without an entrant are byes."""
    return 1 << max(count - 1, 1).bit_length()


def _seed_order(size: int) -> list[int]:
    """Seeds from the top of a bracket to its bottom: the best can meet only in the end, and
    a player without an opponent in the first round is one of the best."""
    order = [0]
    while len(order) < size:
        order = [seed for high in order for seed in (high, 2 * len(order) - 1 - high)]
    return order
