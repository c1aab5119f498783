"""Players of Sic Bo. No bet there is better than another, so they differ in how much they risk.

Of 216 rolls 107 are BIG, 107 are SMALL and two lose every bet: whichever side it is on, a bet
brings back 214/216 of its chips on average. Who plays well, plays for little.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from gamehall.games.game import Command, Game
from gamehall.games.sicbo import SIDES, Bet, View

SMALL_PART = 100
"""The sensible one bets at most this part of what a bet may be."""


class RandomBettor:
    """Bets once a round: any of the chips, on any side."""

    def choose(
        self, game: Game[Any], view: Any, legal: Sequence[Command], seat: int, rng: Random
    ) -> Command | None:
        return None if msgspec.convert(view, View).bets else rng.choice(legal)


class SensibleBettor:
    """Bets once a round, on one side, and as little as is usual.

    The house has the edge, so whoever wants to stay in the game stays small.
    """

    def choose(
        self, game: Game[Any], view: Any, legal: Sequence[Command], seat: int, rng: Random
    ) -> Command | None:
        seen = msgspec.convert(view, View)
        if seen.bets:
            return None
        amount = min(min(seen.chips), max(1, seen.bet_max // SMALL_PART))
        return Bet(rng.choice(SIDES), amount, seen.round)


class StrongBettor:
    """Bets one chip a round: the house keeps its part of every chip, so this is the best there is
    for whoever takes part."""

    def choose(
        self, game: Game[Any], view: Any, legal: Sequence[Command], seat: int, rng: Random
    ) -> Command | None:
        seen = msgspec.convert(view, View)
        return None if seen.bets else Bet(rng.choice(SIDES), 1, seen.round)
