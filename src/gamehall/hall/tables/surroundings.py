"""What the tables of a node need of the hall around them."""

from __future__ import annotations

from typing import Protocol

from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Told
from gamehall.hall.beat.steps import Kind


class Surroundings(Protocol):
    """The hall around the tables."""

    async def claimed(self, kind: Kind, table: int) -> None:
        """This node owns a table now, which is not in memory yet."""

    def loaded(self, table: KnownTable) -> None:
        """A table is in memory."""

    def told(self, told: Told) -> None:
        """A beat is durable, or rows of another node's table have come."""

    def let_go(self, table: KnownTable) -> None:
        """This node does not hear of a table any more."""

    def unfollowed(self, table: int, node: str) -> None:
        """Another node follows a table of this node no more."""

    def tell_presence(self) -> None:
        """Other nodes are about to be asked on behalf of people here."""

    def has_people(self, table: int) -> bool:
        """Whether anyone in the hall is connected to this table."""
        ...

    def is_needed(self, table: int) -> bool:
        """Whether this node has to have it in memory."""
        ...
