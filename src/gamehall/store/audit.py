"""The port to an audit: all that is kept, as it stood at one moment, and read in pages.

However long it is read, and whatever is written meanwhile, everything in it fits together. A page
has a few hundred items at most.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator
from typing import Any, TypeVar

import msgspec

from gamehall.store.appends import TableStatus

T = TypeVar("T")

PAGE_ROWS = 500

_SIDES = """SELECT source AS account, 1 AS times, -chips AS chips, NULL::bigint AS balance
    FROM transfers UNION ALL SELECT target, 1, chips, NULL FROM transfers"""
# A link that leads onwards in place of back is not followed: it might lead in a circle.
_LISTED = """WITH RECURSIVE listed (id, chips, before) AS (
        SELECT 9223372036854775807, 0::bigint, last FROM balances
            WHERE player = CAST(substr(account, 8) AS bigint)
        UNION ALL
        SELECT older.id, CASE WHEN source = account THEN -older.chips ELSE older.chips END,
            CASE WHEN source = account THEN source_before ELSE target_before END
        FROM listed JOIN transfers AS older ON older.id = listed.before AND older.id < listed.id
        WHERE account IN (source, target))
    SELECT coalesce(sum(chips), 0)::bigint FROM listed"""
_ACCOUNTS = f"""SELECT account, times, chips, balance,
        CASE WHEN substr(account, 1, 7) = 'player:' THEN ({_LISTED}) END
    FROM (SELECT account, sum(times)::bigint AS times, sum(chips)::bigint AS chips,
            max(balance) AS balance
        FROM ({_SIDES} UNION ALL SELECT 'player:' || player, 0, 0, chips FROM balances) AS sides
        WHERE substr(account, 1, 4) <> 'pot:' GROUP BY account) AS sums"""
_LINES = "SELECT seq, line FROM journal WHERE table_id = $1 ORDER BY seq"
_TRANSFERS = """SELECT seq, n, source, target, chips FROM transfers
    WHERE table_id = $1 ORDER BY seq, n"""


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


class Audit:
    """Raises errors.Unavailable when it cannot be read."""

    pot_table: str
    """How the database reads the table's number out of the `account` of a pot."""
    last_table: str
    """How it finds the last number that it has given to a table."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @abstractmethod
    def _pages(self, kind: type[T], sql: str, *values: Any) -> AsyncIterator[list[T]]:
        """Rows as a `kind`, as a Database reads them, at most PAGE_ROWS in a page."""

    def accounts(self) -> AsyncIterator[list[AccountSum]]:
        """Every account but the pots, also players without a transfer."""
        return self._pages(AccountSum, _ACCOUNTS)

    def pots(self) -> AsyncIterator[list[PotSum]]:
        """Every pot, also empty ones, in the order of their tables."""
        return self._pages(
            PotSum,
            f"""SELECT account, {self.pot_table} AS of_table, sum(chips)::bigint
            FROM ({_SIDES}) AS sides WHERE substr(account, 1, 4) = 'pot:'
            GROUP BY account ORDER BY of_table, account""",
        )

    def tables(self) -> AsyncIterator[list[AuditedTable]]:
        """By their numbers: all that there are, and all that a transfer or a row names."""
        return self._pages(
            AuditedTable,
            f"""SELECT named.id, named.id <= ({self.last_table}), game, status, round, head, hash
            FROM (SELECT id FROM tables UNION SELECT table_id FROM journal
                UNION SELECT table_id FROM transfers WHERE table_id <> 0) AS named
            LEFT JOIN tables ON tables.id = named.id ORDER BY named.id""",
        )

    def lines(self, table: int) -> AsyncIterator[list[tuple[int, bytes]]]:
        """The rows of a journal in their order: number and line."""
        return self._pages(tuple[int, bytes], _LINES, table)

    def transfers(self, table: int) -> AsyncIterator[list[Entry]]:
        """By `seq` and `n`. Table 0 is the mint's, and its `seq` are players."""
        return self._pages(Entry, _TRANSFERS, table)
