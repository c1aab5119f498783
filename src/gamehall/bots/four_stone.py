"""Players of Four Stone: one looks a few moves ahead, the other as far as it can afford."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from gamehall.games.four_stone import FEWEST, Move, View, stones_of
from gamehall.games.four_stone_board import moves, stone, taken
from gamehall.games.game import Command, Game

PLIES = 4
"""How many moves, its own included, it looks ahead."""
WON = 1_000
"""More than all stones are worth."""


class SensibleMover:
    """Plays for more stones than the opponent has; of moves that are equally good, any."""

    def choose(
        self, game: Game[Any], view: Any, legal: Sequence[Command], seat: int, rng: Random
    ) -> Command:
        seen = msgspec.convert(view, View)
        own, enemy = stones_of(seen, seat), stones_of(seen, 1 - seat)
        steps = [command for command in legal if isinstance(command, Move)]
        rng.shuffle(steps)
        best, worth = steps[0], -2 * WON
        for step in steps:
            found = _after(own, enemy, stone(step.from_), stone(step.to), PLIES, worth, 2 * WON)
            if found > worth:
                best, worth = step, found
        return best


def _after(
    own: int, enemy: int, source: int, target: int, plies: int, least: int, most: int
) -> int:
    """What a move is worth to whoever makes it. What is not between `least` and `most` need not be
    known exactly."""
    own ^= source | target
    enemy &= ~taken(own, enemy, target)
    if enemy.bit_count() < FEWEST:
        # The sooner the better.
        return WON + plies
    if plies == 1:
        return own.bit_count() - enemy.bit_count()
    steps = moves(enemy, own)
    if not steps:
        return WON + plies
    answer = -most
    for source, target in steps:
        answer = max(answer, _after(enemy, own, source, target, plies - 1, answer, -least))
        if answer >= -least:
            break
    return -answer
