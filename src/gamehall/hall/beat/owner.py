"""What a table needs of the node that owns it."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Told
from gamehall.hall.beat.steps import Step

if TYPE_CHECKING:
    from gamehall.hall.beat.table import Table


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
