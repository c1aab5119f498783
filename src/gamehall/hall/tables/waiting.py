"""Those who wait for a table that is on its way into memory."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from gamehall.errors import HallError, Unavailable
from gamehall.hall.beat.known_table import KnownTable

log = structlog.get_logger(__name__)

WAITING_MAX = 1000
"""How many may wait for one table."""

Arrived = Callable[[KnownTable | HallError], None]


class Waiting:
    def __init__(self) -> None:
        self._callbacks: dict[int, list[Arrived]] = {}

    def __contains__(self, table: int) -> bool:
        """Whether it is on its way."""
        return table in self._callbacks

    def begin(self, table: int) -> None:
        """From now on it is on its way."""
        self._callbacks[table] = []

    def add(self, table: int, callback: Arrived) -> None:
        """Calls back when it is here, or cannot be; at once with Unavailable if too many wait."""
        waiting = self._callbacks[table]
        if len(waiting) < WAITING_MAX:
            waiting.append(callback)
        else:
            callback(Unavailable())

    def end(self, table: int, answer: KnownTable | HallError) -> None:
        """It is here, or cannot be."""
        for callback in self._callbacks.pop(table):
            try:
                callback(answer)
            except Exception:
                # A door's fault: it must not keep the others from their answers.
                log.exception("reply_failed", table=table)
