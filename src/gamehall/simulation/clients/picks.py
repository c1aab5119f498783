"""Choices that follow from one number, so that a step of a story stands for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Picks:
    def __init__(self, pick: float) -> None:
        self._pick = pick

    def one_of(self, things: Sequence[Any]) -> Any:
        """None if there are none."""
        self._pick = (self._pick * 7919.0) % 1.0
        return things[int(self._pick * len(things))] if things else None
