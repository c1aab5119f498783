"""A player of two-player Bingo who knows its own board, and nothing of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from gamehall.games.bingo_duel import Pick, View
from gamehall.games.game import Command, Game

Rows = tuple[tuple[int, ...], ...]


class SensiblePicker:
    """Completes as many of its lines as it can, and else works on those that lack least.

    Every pick helps the opponent too, on a board that it does not see: there is nothing to block.
    """

    def choose(
        self, game: Game[Any], view: Any, legal: Sequence[Command], seat: int, rng: Random
    ) -> Command:
        seen = msgspec.convert(view, View)
        picked = set(seen.picked)
        worth: dict[int, list[int]] = {}
        for line in _lines(seen.sides[seat].board):
            missing = [number for number in line if number not in picked]
            for number in missing:
                worth.setdefault(number, [0] * seen.size)[len(missing) - 1] += 1
        # By the lines that would be full, then by those that would lack one more, and so on.
        best = max(worth.values())
        return Pick(rng.choice(sorted(n for n in worth if worth[n] == best)))


def _lines(rows: Rows) -> Iterator[tuple[int, ...]]:
    yield from rows
    yield from zip(*rows, strict=True)
    yield tuple(row[n] for n, row in enumerate(rows))
    yield tuple(row[-1 - n] for n, row in enumerate(rows))
