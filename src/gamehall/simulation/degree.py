"""How bad something is while faults overlap: the end of one does not end another."""

from __future__ import annotations

from collections.abc import Callable


class Degree:
    def __init__(self) -> None:
        self._lasting: list[float] = []

    @property
    def worst(self) -> float:
        """Of all that has begun and not ended; else 0."""
        return max(self._lasting, default=0.0)

    def begin(self, degree: float) -> Callable[[], None]:
        """Returns what ends it."""
        self._lasting.append(degree)
        return lambda: self._lasting.remove(degree)
