"""The part of the port that says which node owns which table.

A node owns tables while its lease runs, which the store's clock alone decides. The epoch is the
fence: a table's last owner can write to it until another node claims it, even after its lease ran
out, a `release` or a `retire`. A store that serves one node only has no leases: there `claim`
always claims, and nothing is ever an orphan.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

import msgspec

from gamehall.store.database import Part

_HEADS = """SELECT id, head, epoch, '' FROM tables
    WHERE id = ANY($1::bigint[]) AND head > 0 ORDER BY id"""
_DUE = """SELECT due_ms, id FROM tables /* INDEXED BY tables_open */
    WHERE status <> 'closed' AND (due_ms, id) > ($1, $2) ORDER BY due_ms, id LIMIT $3"""


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


class Nodes(Part, ABC):
    """As it is in a store that serves one node only: it keeps no leases and no owners."""

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        """Extends the node's lease to so long from now, even if it had run out. Of two nodes that
        renew at once, at least one sees the other's lease."""
        return Renewed((node,), time.time_ns() // 1_000_000)

    async def retire(self, node: str) -> None:
        """Ends the node's lease; its tables have no owner then."""

    @abstractmethod
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
        return False

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        """The heads of those tables that exist, by id."""
        return await self._database.page(Head, _HEADS, [*tables])

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        """(due_ms, table) of tables whose timer is armed, soonest first, from `after` on. With
        a node, leaves out those that another live node owns."""
        return await self._database.page(tuple[int, int], _DUE, *after, limit)

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        """Open tables that no live node owns, of those with `id % shares == share`; the ones whose
        timers are due soonest come first."""
        return []

    async def open_tables(self) -> dict[str, int]:
        """How many open tables each node owns; leaves out nodes that own none."""
        return {}

    async def quietest(self, node: str, limit: int) -> list[int]:
        """Open tables of the node; the ones that were written to longest ago come first."""
        return []
