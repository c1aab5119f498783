"""The part of the port that says which node owns which table.

A node owns tables while its lease runs, which the store's clock alone decides. The epoch is the
fence: a table's last owner can write to it until another node claims it, even after its lease ran
out, a `release` or a `retire`. A store that serves one node only has no leases: there `claim`
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
    """The nodes whose leases run, in the order of their names; the asking one is among them."""
    now_ms: int
    """Unix time by the store's clock."""


class Nodes(Protocol):
    async def renew(self, node: str, lease_ms: int) -> Renewed:
        """Extends the node's lease to so long from now, even if it had run out."""

    async def retire(self, node: str) -> None:
        """Ends the node's lease; its tables have no owner then."""

    async def claim(self, table: int, node: str = "") -> Claim | Owned | None:
        """Takes a table over: its last owner can write no more. None: no such table.

        A node takes a table without an owner, its own, or one whose owner's lease has run out; any
        other stays Owned. Without a name it takes every table, which has no owner then.
        """

    async def release(self, table: int, epoch: int) -> None:
        """Gives up a table that still has this epoch: it has no owner then."""

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        """Makes that node the owner in place of the one that had this epoch. False, and nothing
        changes, if the epoch is another by now, or the node's lease does not run."""

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        """The heads of those tables that exist, by id."""

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        """(due_ms, table) of tables whose timer is armed, soonest first, from `after` on. With
        a node, leaves out those that another live node owns."""

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        """Open tables that no live node owns, of those with `id % shares == share`; the ones whose
        timers are due soonest come first."""

    async def open_tables(self) -> dict[str, int]:
        """How many open tables each node owns; leaves out nodes that own none."""

    async def quietest(self, node: str, limit: int) -> list[int]:
        """Open tables of the node; the ones that were written to longest ago come first."""
