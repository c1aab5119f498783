"""The beats that are due: all of one turn of the loop, one after the other, in the next."""

from __future__ import annotations

import asyncio

import structlog

from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.nodes import Nodes

log = structlog.get_logger(__name__)


class Beats:
    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._due: list[Table] = []

    def schedule(self, table: Table) -> None:
        if not self._due:
            asyncio.get_running_loop().call_soon(self._beat_all)
        self._due.append(table)

    def _beat_all(self) -> None:
        # Before anything is said: a node that slept for long may own nothing any more.
        self._nodes.lapse()
        tables, self._due = self._due, []
        for table in tables:
            try:
                table.beat()
            except Exception:
                # A fault of the hall itself at one table is not to stop the others.
                log.exception("beat_failed", table=table.id)
