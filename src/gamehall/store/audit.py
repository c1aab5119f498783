"""The port to an audit: all that is kept, as it stood at one moment, and read in pages.

However long it is read, and whatever is written meanwhile, everything in it fits together. A page
has a few hundred items at most.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec

from gamehall.store.appends import TableStatus


class AccountSum(msgspec.Struct, frozen=True, gc=False):
    account: str
    transfers: int
    chips: int
    """What its transfers add up to."""
    balance: int | None
    """What is kept as a player's balance; None where none is kept."""
    listed: int | None
    """What the items of a player's statement add up to; None for other accounts."""


class PotSum(msgspec.Struct, frozen=True, gc=False):
    account: str
    table: int
    """0 if its name is not that of a pot."""
    chips: int


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A transfer as it lies in the ledger, under the number of a table's row."""

    seq: int
    n: int
    source: str
    target: str
    chips: int


class AuditedTable(msgspec.Struct, frozen=True, gc=False):
    """A table, or only the number of one that transfers or rows name."""

    id: int
    given: bool
    """Whether the store has ever given this number to a table."""
    game: str | None
    """None: there is no such table, or not any more."""
    status: TableStatus | None
    round: int | None
    head: int | None
    """0 while the table is being forgotten."""
    hash: str | None


class Audit(Protocol):
    """Raises errors.Unavailable when it cannot be read."""

    def accounts(self) -> AsyncIterator[list[AccountSum]]:
        """Every account but the pots, also players without a transfer."""

    def pots(self) -> AsyncIterator[list[PotSum]]:
        """Every pot, also empty ones, in the order of their tables."""

    def tables(self) -> AsyncIterator[list[AuditedTable]]:
        """By their numbers: all that there are, and all that a transfer or a row names."""

    def lines(self, table: int) -> AsyncIterator[list[tuple[int, bytes]]]:
        """The rows of a journal in their order: number and line."""

    def transfers(self, table: int) -> AsyncIterator[list[Entry]]:
        """By `seq` and `n`. Table 0 is the mint's, and its `seq` are players."""
