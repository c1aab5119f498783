"""Speed: how long the rules take, shown rather than judged."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median

import msgspec

from gamehall.checking.finding import Broken
from gamehall.errors import Refused
from gamehall.testing import Playout

ABSURD_MS = 50.0
"""No table waits for rules that take longer: all others wait with it."""


class Speed:
    """Measures `decide`, `apply` and `view` at the moments that it is shown."""

    def __init__(self, now_seconds: Callable[[], float]) -> None:
        self._now = now_seconds
        self._took: dict[str, list[float]] = {"decide": [], "apply": [], "view": []}

    def at_moment(self, table: Playout, rng: Random) -> None:
        """Raises Broken if one of them is absurdly slow."""
        game, state = table.game, table.state
        moves = [(seat, move) for seat in table.seats for move in table.legal(seat)]
        if moves:
            seat, command = rng.choice(moves)
            draft = game.fork(state.game)
            began = self._now()
            try:
                events = game.decide(state.game, seat, command, table.context)
            except Refused:
                events = ()  # Another check says so.
            self._note("decide", began)
            for event in events:
                began = self._now()
                draft = game.apply(draft, event)
                self._note("apply", began)
        began = self._now()
        msgspec.json.encode(game.view(state.game, None))
        self._note("view", began)

    def _note(self, what: str, began: float) -> None:
        took = self._took[what]
        took.append(self._now() - began)
        # The middle one of many: a single one may have been the machine's fault.
        usual_ms = median(took[-5:]) * 1000
        if len(took) >= 5 and usual_ms > ABSURD_MS:
            raise Broken(
                f"`{what}` takes {usual_ms:.0f} ms, and the whole hall waits for it."
                f" {ABSURD_MS:.0f} ms are the limit."
            )

    def words(self) -> str:
        """What each takes, in microseconds."""
        parts = (f"{what} {median(took) * 1e6:.0f} µs" for what, took in self._took.items() if took)
        return ", ".join(parts) + "."
