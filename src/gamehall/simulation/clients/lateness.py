"""What a person does at the last moment, or right after it, at the native door.

It bets as betting closes, moves as its clock ends, sits down as a seat is given up, and accepts a
challenge as it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from gamehall.simulation.clients.picks import Picks

Json = dict[str, Any]

LATE_SECONDS = 0.01
"""How far from a deadline at most, before or after it."""
DEEDS = {"waiting": "sit", "over": "rematch"}
"""What a table's deadline is for, by its status. While it is played, it is for a move."""


class Lateness:
    def __init__(
        self,
        rng: Random,
        soon: Callable[[float, Callable[[], None]], None],
        ask: Callable[..., None],
        act: Callable[[Picks, list[int]], None],
    ) -> None:
        self._rng = rng
        self._soon = soon
        self._ask = ask
        self._act = act
        self._next: Picks | None = None
        """How it chooses at the next deadline that it hears of, if it is to be late there."""
        self._waits = False
        """Whether it does what it has put off to a deadline."""

    def begin(self, rng: Picks, views: dict[int, Json]) -> None:
        """From now on it waits for a deadline. It has a table shown, of those with one if any."""
        self._next, self._waits = rng, True
        timed = [table for table, view in sorted(views.items()) if view["clock"] is not None]
        table = rng.one_of(timed or sorted(views))
        if table is not None:
            self._ask("resume", table=table)

    def end(self) -> None:
        """It is in time again: what it has put off, it does not do."""
        self._next, self._waits = None, False

    def challenged(self, payload: Json) -> None:
        challenge = payload["challenge"]
        self._at_last(payload["seconds"], lambda _: self._ask("accept", challenge=challenge))

    def shown(self, view: Json) -> None:
        """A table, as a whole."""
        clock, table = view["clock"], view["table"]
        if clock is None or view["game"] == "tournament":
            return
        left = max(0, clock["due_ms"] - clock["now_ms"]) / 1000
        if view["status"] in DEEDS:
            self._at_last(left, lambda _: self._ask(DEEDS[view["status"]], table=table))
        else:
            self._at_last(left, lambda rng: self._act(rng, [table]))

    def _at_last(self, seconds: float, act: Callable[[Picks], None]) -> None:
        rng, self._next = self._next, None
        if rng is not None:
            late = seconds + self._rng.uniform(-LATE_SECONDS, LATE_SECONDS)
            self._soon(max(0.0, late), lambda: act(rng) if self._waits else None)
