"""One thing that happens in a story."""

from __future__ import annotations

import msgspec

OPERATOR = "operator"
"""Does things where the hall runs, without a door."""


class Step(msgspec.Struct, frozen=True):
    at: float
    """Seconds into the story."""
    who: str
    does: str
    pick: float
    """From 0 to 1: which table, move or game, and how long a fault lasts."""

    def __str__(self) -> str:
        return f"{self.at:7.3f} s  {self.who} {self.does}"
