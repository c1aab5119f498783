"""Players of two-player Bingo, who know their own board, and nothing of the other.

No pick can hinder an opponent whose board nobody sees: skill is to need few picks oneself, and to
have a use for whatever the other one picks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import or_
from random import Random
from typing import Any

import msgspec

from gamehall.games.bingo import lines
from gamehall.games.bingo_duel import Pick, View, line_masks
from gamehall.games.game import Command

PLANNED_SIZE_MAX = 8
"""On larger boards there are too many plans to look at them all."""
SPARE_PICKS_MAX = 3
"""Plans that need so many picks more than the shortest still count."""
LONGER = 0.2
"""What a plan counts for with each pick more that it needs."""


class SensiblePicker:
    """Completes as many of its lines as it can, and else works on those that lack least.

    Every pick helps the opponent too, on a board that it does not see: there is nothing to block.
    """

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        seen = msgspec.convert(view, View)
        picked = set(seen.picked)
        worth: dict[int, list[int]] = {}
        numbers = [number for row in seen.sides[seat].board for number in row]
        for line in lines(seen.size):
            missing = [numbers[place] for place in line if numbers[place] not in picked]
            for number in missing:
                worth.setdefault(number, [0] * seen.size)[len(missing) - 1] += 1
        # By the lines that would be full, then by those that would lack one more, and so on.
        best = max(worth.values())
        return Pick(rng.choice(sorted(n for n in worth if worth[n] == best)))


class StrongPicker:
    """Picks what most of the shortest plans need. A plan is any choice of as many lines as win.

    Sensible works line by line; this one sees that rows, columns and diagonals share places, and
    keeps as many plans alive as it can, since the opponent's picks fall anywhere.
    """

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        seen = msgspec.convert(view, View)
        if seen.size > PLANNED_SIZE_MAX:
            return SensiblePicker().choose(view, legal, seat, rng)
        numbers = [number for row in seen.sides[seat].board for number in row]
        picked = set(seen.picked)
        missing = sum(1 << n for n, number in enumerate(numbers) if number not in picked)
        plans = [_plan(missing, frame, seen.size) for frame in _frames(seen.size)]
        shortest = min(plan.bit_count() for plan in plans)
        needed = dict.fromkeys(range(len(numbers)), 0.0)
        for plan in plans:
            longer = plan.bit_count() - shortest
            if longer <= SPARE_PICKS_MAX:
                for place in _places(plan):
                    needed[place] += LONGER**longer
        best = max(needed.values())
        return Pick(numbers[rng.choice([place for place in needed if needed[place] == best])])


@cache
def _frames(size: int) -> tuple[tuple[int, int], ...]:
    """Every choice of rows and diagonals, a bit for each place, and how many columns go with it."""
    masks = line_masks(size)
    frames = [*masks[:size], *masks[2 * size :]]
    chosen = (
        [line for n, line in enumerate(frames) if choice >> n & 1]
        for choice in range(1 << len(frames))
    )
    return tuple((reduce(or_, few, 0), size - len(few)) for few in chosen if len(few) <= size)


def _plan(missing: int, frame: tuple[int, int], size: int) -> int:
    """The places still missing with these rows and diagonals, and the columns that add least."""
    fixed, count = frame
    plan = fixed & missing
    rest = missing & ~plan
    columns = sorted((column & rest for column in line_masks(size)[size:-2]), key=int.bit_count)
    return reduce(or_, columns[:count], plan)


def _places(plan: int) -> Iterator[int]:
    while plan:
        lowest = plan & -plan
        yield lowest.bit_length() - 1
        plan ^= lowest
