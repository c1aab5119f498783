"""Players of called Bingo. Nobody can play it better, only pay more or less attention.

They never start a round: that is for the people at the table. Whoever sees every line at once plays
as well as can be, so *strong* is the sensible one under another name.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from gamehall.games.bingo import Claim, Ready
from gamehall.games.game import Command

OVERLOOKED = 0.5
"""How often the random one does not see a line that it has."""
IMAGINED = 0.02
"""How often, of the numbers called, it sees a line that it does not have."""


class RandomListener:
    """Says so late when it has a line, and now and then without one."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        if Ready() in legal and rng.random() < IMAGINED:
            return Claim()
        if Claim() in legal and rng.random() >= OVERLOOKED:
            return Claim()
        return Ready() if Ready() in legal else None


class SensibleListener:
    """Says so as soon as it has a line, and never holds up the others."""

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        return next((command for command in (Claim(), Ready()) if command in legal), None)
