"""Tells those at a table what is public of events that they do not see, once for many of them."""

from __future__ import annotations

from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.notices import Glance
from gamehall.hall.tables.tables import Tables

TELL_MS = 500
"""How long changes are gathered: a total that runs up need not be told chip by chip."""


class Glances:
    def __init__(self, tables: Tables, audiences: Audiences, clock: Clock) -> None:
        self._tables = tables
        self._audiences = audiences
        self._clock = clock
        self._waiting: set[int] = set()

    def changed(self, table: int) -> None:
        """Something has happened there that not everyone was told."""
        if table not in self._waiting and self._audiences.of(table).spectators:
            self._waiting.add(table)
            self._clock.call_at(self._clock.now_ms() + TELL_MS, lambda: self._tell(table))

    def _tell(self, table: int) -> None:
        self._waiting.discard(table)
        found = self._tables.loaded(table)
        if found is None or found.state.game is None:
            return
        glance = found.kind.game.glance(found.state.game)
        if glance is not None:
            self._audiences.tell(table, Glance(table, glance))
