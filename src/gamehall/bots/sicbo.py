"""Players of Sic Bo. They differ in how much they risk, and on what.

Every bet loses a part of its chips on average, which the layout tells: least on BIG and SMALL, much
more where much can be won. Who plays well, plays for little, and there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from gamehall.games.game import Command
from gamehall.games.sicbo_betting import View
from gamehall.games.sicbo_events import Bet
from gamehall.games.sicbo_layout import ROWS, SIDES, Side, house_edge

SMALL_PART = 100
"""The sensible one bets at most this part of what a bet may be."""


class RandomBettor:
    """Bets once a round: any of the bets that are listed."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        return None if msgspec.convert(view, View).bets else rng.choice(legal)


class SensibleBettor:
    """Bets once a round, on any row of the layout and any side of it, as little as is usual.

    The house has the edge, so whoever wants to stay in the game stays small.
    """

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        seen = msgspec.convert(view, View)
        if seen.bets:
            return None
        amount = min(min(seen.chips), max(1, seen.bet_max // SMALL_PART))
        return Bet(rng.choice(rng.choice(ROWS)), amount, seen.round)


class StrongBettor:
    """Bets one chip a round where the house keeps the smallest part of it, which is the best there
    is for whoever takes part."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        seen = msgspec.convert(view, View)
        return None if seen.bets else Bet(rng.choice(_best_sides()), 1, seen.round)


@cache
def _best_sides() -> tuple[Side, ...]:
    edges = {side: house_edge(side) for side in SIDES}
    return tuple(side for side in SIDES if edges[side] == min(edges.values()))
