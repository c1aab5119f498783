"""What a table needs of the node that owns it, and how the beats of a node's tables take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol

import structlog

from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Told
from gamehall.hall.beat.steps import Step
from gamehall.hall.nodes.nodes import Nodes

if TYPE_CHECKING:
    from gamehall.hall.beat.table import Table

log = structlog.get_logger(__name__)


class Owner(Protocol):
    """What a table needs of the node that owns it."""

    def beat_soon(self, table: Table) -> None:
        """Schedules the table's next beat, after all else that comes in this turn of the loop."""

    def written(self, table: Table, steps: list[Step]) -> None:
        """Sends steps that are durable to the nodes that follow the table."""

    def noted(self, table: Table, asks: list[Ask]) -> None:
        """Tells those nodes what was noted beside the journal."""

    def publish(self, table: KnownTable, told: Told) -> None:
        """Tells those who are connected to this node."""

    def needs(self, table: Table) -> bool:
        """Whether anyone is connected to this table."""

    def rests(self, table: Table) -> bool:
        """Whether it waits for people when nobody is there; else it closes."""

    def stepped_down(self, table: Table, asks: list[Ask], existing: int | None) -> None: ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> None: ...


class Beats:
    """The beats that are due: all of one turn of the loop, one after the other, in the next."""

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
