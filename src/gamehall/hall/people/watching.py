"""Tells those at a table how many watch it: seldom, however often that changes."""

from __future__ import annotations

from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.people.audience import CROWD, Audiences

TELL_MS = 1000
"""How long changes are gathered."""
TELL_CROWD_MS = 10_000
"""How long where telling means telling many."""


class WatchingCounts:
    """One alarm serves all tables."""

    def __init__(self, audiences: Audiences, clock: Clock) -> None:
        self._audiences = audiences
        self._clock = clock
        self._due_ms: dict[int, int] = {}
        """When each of those that have changed is told."""
        self._alarm: Alarm | None = None

    def changed(self, table: int) -> None:
        """Someone has begun or ceased to watch there."""
        if table in self._due_ms:
            return
        audience = self._audiences.of(table)
        crowd = len(audience.spectators) + len(audience.seat_of) > CROWD
        self._due_ms[table] = self._clock.now_ms() + (TELL_CROWD_MS if crowd else TELL_MS)
        self._wait()

    def _wait(self) -> None:
        if self._alarm is None and self._due_ms:
            self._alarm = self._clock.call_at(self._clock.now_ms() + TELL_MS, self._tell)

    def _tell(self) -> None:
        self._alarm = None
        now_ms = self._clock.now_ms()
        due = [table for table, due_ms in self._due_ms.items() if due_ms <= now_ms]
        for table in due:
            del self._due_ms[table]
            self._audiences.tell_watching(table)
        self._wait()
