"""The one timer of a table: armed by its state, and stale as soon as anything has happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamehall.games.game import Timer
from gamehall.hall.nodes.clock import Alarm, Clock, TableTime

AGAIN_MS = 1000
"""How long a timer waits before it rings again, if the store was away."""


Ring = Callable[[Timer], None]


@dataclass(slots=True, eq=False, repr=False)
class TableAlarm:
    """All its times are the table's own. It holds what it calls only while it is armed: a table
    that is let go must not wait for the garbage collector."""

    _clock: Clock
    _time: TableTime
    _alarm: Alarm | None = None
    due_ms: int | None = None
    """When it rings; None: it is not armed."""
    name: int = 0
    """Changes with every arming: a timer of another name is not heard."""
    patience_ms: int = 0
    """Until then a timer that waits for a player does not ring: it has to come back first."""

    def arm(self, timer: Timer | None, ring: Ring) -> None:
        self.disarm()
        if timer is None:
            return
        due_ms = timer.due_ms
        if timer.waits_for is not None:
            due_ms = max(due_ms, self.patience_ms)
        self._arm_at(due_ms, timer, ring)

    def disarm(self) -> None:
        self.name += 1
        self.due_ms = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def ring_again(self, timer: Timer, ring: Ring) -> None:
        """It could not be heard: in a while, unless something happens first."""
        self._arm_at(self.now_ms() + AGAIN_MS, timer, ring)

    def now_ms(self) -> int:
        return self._time.at(self._clock.now_ms())

    def _arm_at(self, due_ms: int, timer: Timer, ring: Ring) -> None:
        self.due_ms = due_ms
        self.now_ms()  # How far the table is ahead may have changed.
        at_ms = due_ms - self._time.ahead_ms
        self._alarm = self._clock.call_at(at_ms, lambda: self._due(due_ms, timer, ring))

    def _due(self, due_ms: int, timer: Timer, ring: Ring) -> None:
        self._alarm = None
        self.due_ms = None
        if self.now_ms() < due_ms:
            self._arm_at(due_ms, timer, ring)  # Far ahead, or the clock was set back.
        else:
            ring(timer)
