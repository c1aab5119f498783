"""The part of the port that says which node owns which table.

A node owns tables while its lease runs, which the store's clock alone decides. What fences is the
epoch: whoever owned a table can write to it until somebody claims it, also after a lease that has
run out, a `release` or a `retire`. A store that serves one node only has no leases: there `claim`
always claims, and nothing is ever an orphan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Claim(msgspec.Struct, frozen=True):
    """A table that this node now owns."""

    epoch: int
    head: int
    round_seq: int
    hash: str
    """The chain's, after the head."""
    game: str


class Owned(msgspec.Struct, frozen=True):
    """A table that another node owns, whose lease runs; otherwise like a Claim."""

    node: str
    epoch: int
    head: int
    round_seq: int
    hash: str
    game: str


class Head(msgspec.Struct, frozen=True):
    """How far a table's journal has come, and who writes it."""

    table: int
    head: int
    epoch: int
    owner: str | None
    """None unless it is a node whose lease runs; "" in a store that serves one node only."""


class Renewed(msgspec.Struct, frozen=True):
    live: tuple[str, ...]
    """The nodes whose leases run, in the order of their names; whoever asked is among them."""
    now_ms: int
    """Unix time by the store's clock."""


class Nodes(Protocol):
    async def renew(self, node: str, lease_ms: int) -> Renewed:
        """Has the node's lease run for so long from now on, even if it had run out."""

    async def retire(self, node: str) -> None:
        """Ends the node's lease; its tables are nobody's."""

    async def claim(self, table: int, node: str = "") -> Claim | Owned | None:
        """Takes a table over: whoever owned it before can write no more. None: no such table.

        A node takes what is nobody's, its own, or a node's whose lease has run out; else the table
        stays Owned. Without a name it is taken from anyone, and is nobody's then.
        """

    async def release(self, table: int, epoch: int) -> None:
        """Gives a table up, so that it is nobody's, if it still has this epoch."""

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        """Makes that node the owner, and whoever had this epoch the owner no more. False, and
        nothing is changed, if the epoch is another by now, or the node's lease does not run."""

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        """Of those tables that there are, by id."""

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        """(due_ms, table) of tables whose timer is armed, soonest first, from `after` on. With
        a node, without those that another node owns whose lease runs."""

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        """Tables that are not closed and that no node owns whose lease runs, of those with
        `id % shares == share`; those first whose timers are due soonest."""

    async def open_tables(self) -> dict[str, int]:
        """How many tables that are not closed each node owns; nodes that own none are left out."""

    async def quietest(self, node: str, limit: int) -> list[int]:
        """Of such tables of the node, those first to which nothing was written for longest."""
