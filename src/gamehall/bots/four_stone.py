"""Players of Four Stone: one looks a few moves ahead, the other as far as it can afford.

The strong one counts positions and not time, so it plays the same on every machine, and never holds
up the hall for long: house bots think in the hall's own process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from gamehall.games.four_stone import FEWEST, Move, View, stones_of
from gamehall.games.four_stone_board import moves, stone, taken
from gamehall.games.game import Command

PLIES = 4
"""How many moves, its own included, the sensible one looks ahead."""
POSITIONS_MAX = 2000
"""That the strong one looks at for one move: some seven moves deep."""
DEPTH_MAX = 40
"""Where almost nothing can move, it would go on for ever."""
WON = 1_000
"""More than all stones are worth; a win counts for more the sooner it comes."""
KEPT = 1 << 13
"""Positions whose answers are kept for the next that comes by."""

Sides = tuple[int, int]
"""The stones of whoever is to move, and those of the other."""


class SensibleMover:
    """Plays for more stones than the opponent has; of moves that are equally good, any."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        after = _choices(view, legal, seat, rng)
        best, worth = next(iter(after)), -2 * WON
        for step, sides in after.items():
            found = _sensible_worth(sides, PLIES, worth, 2 * WON)
            if found > worth:
                best, worth = step, found
        return best


class StrongMover:
    """Plays for a win that comes soon, for a loss that comes late, and else for more stones."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        return _Search(_choices(view, legal, seat, rng)).best()


def _choices(view: Any, legal: Sequence[Command], seat: int, rng: Random) -> dict[Move, Sides]:
    """Where each move leads to, in random order: of equally good ones the first is taken."""
    seen = msgspec.convert(view, View)
    own, enemy = stones_of(seen, seat), stones_of(seen, 1 - seat)
    steps = [command for command in legal if isinstance(command, Move)]
    rng.shuffle(steps)
    return {step: _after(own, enemy, stone(step.from_), stone(step.to)) for step in steps}


def _after(own: int, enemy: int, source: int, target: int) -> Sides:
    own ^= source | target
    return enemy & ~taken(own, enemy, target), own


def _sensible_worth(sides: Sides, plies: int, least: int, most: int) -> int:
    """What a move that led here is worth to whoever made it. What is not between `least` and `most`
    need not be known exactly."""
    enemy, own = sides
    if enemy.bit_count() < FEWEST:
        return WON + plies
    if plies == 1:
        return own.bit_count() - enemy.bit_count()
    steps = moves(enemy, own)
    if not steps:
        return WON + plies
    answer = -most
    for step in steps:
        sides = _after(enemy, own, *step)
        answer = max(answer, _sensible_worth(sides, plies - 1, answer, -least))
        if answer >= -least:
            break
    return -answer


class _Enough(Exception):
    """It has looked at as many positions as it may."""


class _Known(msgspec.Struct, frozen=True, gc=False):
    """What a search has found out about a position: its worth, or a bound of it."""

    depth: int
    worth: int
    is_least: bool
    """The worth is at least this."""
    is_most: bool
    """The worth is at most this. Both: it is this."""
    answer: Sides
    """After the move that was best."""


class _Search:
    def __init__(self, after: dict[Move, Sides]) -> None:
        self._after = after
        self._known: dict[Sides, _Known] = {}
        self._looked_at = 0

    def best(self) -> Move:
        best = next(iter(self._after))
        for depth in range(DEPTH_MAX):
            worth = -2 * WON
            # The best so far comes first: what is cut short is then still no worse than that.
            steps = [best, *(step for step in self._after if step != best)]
            try:
                for step in steps:
                    found = -self._worth(self._after[step], depth, 1, -2 * WON, -worth)
                    if found > worth:
                        best, worth = step, found
            except _Enough:
                break
            if abs(worth) > WON // 2:
                break
        return best

    def _worth(self, sides: Sides, depth: int, ply: int, least: int, most: int) -> int:
        """What a position is worth to whoever is to move. What is not between `least` and `most`
        need not be known exactly."""
        own, enemy = sides
        if own.bit_count() < FEWEST:
            return ply - WON
        self._looked_at += 1
        if self._looked_at > POSITIONS_MAX:
            raise _Enough
        answers = _answers(sides)
        if not answers:
            return ply - WON
        if depth == 0:
            return own.bit_count() - enemy.bit_count()
        known = self._known.get(sides)
        if known is not None:
            if known.depth >= depth and _settles(known, least, most):
                return known.worth
            answers = (known.answer, *(each for each in answers if each != known.answer))
        best, worth, floor = answers[0], -2 * WON, least
        for answer in answers:
            found = -self._worth(answer, depth - 1, ply + 1, -most, -floor)
            if found > worth:
                best, worth = answer, found
                floor = max(floor, found)
            if worth >= most:
                break
        self._known[sides] = _Known(depth, worth, worth > least, worth < most, best)
        return worth


def _settles(known: _Known, least: int, most: int) -> bool:
    if known.is_least and known.is_most:
        return True
    return known.worth >= most if known.is_least else known.worth <= least


@lru_cache(KEPT)
def _answers(sides: Sides) -> tuple[Sides, ...]:
    """Where each move leads to, for the other; those that take most come first."""
    answers = [_after(*sides, *step) for step in moves(*sides)]
    return tuple(sorted(answers, key=lambda sides: sides[0].bit_count()))
