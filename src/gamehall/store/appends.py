"""What one append to a table's journal writes, and the five answers that it may get.

An append is all that a table's beat writes, and is written whole or not at all. Its answer tells
the table what to do (hall/beat/table.py):

* Durable      it is on the disk, and a power cut will not undo it
* Short        players of some rows lack the chips; nothing was written
* Overtaken    someone else wrote or owns this table, or its origin has a table; nothing was written
* NotWritten   nothing was written, for sure
* Unknown      perhaps written: append the same again, until the answer is another
"""

from __future__ import annotations

from typing import Literal

import msgspec

# What is written


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """Chips from one account to another.

    Accounts are `player:ID`, `pot:TABLE:ROUND`, `house` and `mint`. Only a player's may not go
    below zero.
    """

    source: str
    target: str
    chips: int


class Request(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The request that a row answers; it is remembered with it."""

    player: int
    id: str
    digest: bytes
    by_round: bool = False
    """Whether the id counts in one round alone, as that of a bet does; else at the table, for as
    long as there is one."""


class NewRow(msgspec.Struct, frozen=True, gc=False):
    """One journal row, with the transfers that it causes."""

    line: bytes
    """As table_log/journal.py writes it."""
    request: Request | None = None
    transfers: tuple[Transfer, ...] = ()


TableStatus = Literal["waiting", "playing", "over", "closed"]


class Summary(msgspec.Struct, frozen=True, gc=False):
    """What lists of tables show; written when it changes."""

    status: TableStatus
    round: int
    round_seq: int
    """The row in which the round opened: loading starts there."""
    names: tuple[str, ...]
    """Who sits there, in the order of the seats, at most 50."""
    count: int
    came: tuple[int, ...] = ()
    """Players who may act now and could not before: players who come back find the table by
    these. When it closes, nobody may."""
    went: tuple[int, ...] = ()
    """Players who may no longer."""


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    seat: int
    player: int
    name: str
    result: Literal["win", "draw", "loss"]
    score: int | None = None


class FinishedRound(msgspec.Struct, frozen=True, gc=False):
    round: int
    first_seq: int
    last_seq: int
    hash: str
    """The chain's, after the last row."""
    ended_at_ms: int
    reason: str
    results: tuple[SeatResult, ...]
    voided: bool = False
    """It was called off: its rows can be found, and no list shows it."""


class Opening(msgspec.Struct, frozen=True, gc=False):
    """What a table's first append says of it, for good."""

    game: str
    private: bool
    rated: bool
    origin: str | None
    """What must open one table only: a request, a pairing, a challenge, a match. Unique."""
    owner: str = ""
    """The node that opens it and owns it from then on; "" for nobody."""


class Append(msgspec.Struct, frozen=True, gc=False):
    table: int
    epoch: int
    after: int
    """The table's head: the rows are numbered from the next."""
    beat_id: int
    """Random, 63 bits: tells our own write from another's."""
    rows: tuple[NewRow, ...]
    hash: str
    """The chain's, after the last row."""
    at_ms: int
    due_ms: int | None
    """When the table's timer is due."""
    opening: Opening | None = None
    summary: Summary | None = None
    finished: tuple[FinishedRound, ...] = ()


# What comes back


class Durable(msgspec.Struct, frozen=True, gc=False):
    pass


class Short(msgspec.Struct, frozen=True, gc=False):
    places: tuple[int, ...]
    """Of the rows in the append that cannot be paid."""
    payers: tuple[tuple[int, ...], ...]
    """For each of them, the players who lack the chips."""


class Overtaken(msgspec.Struct, frozen=True, gc=False):
    existing: int | None = None
    """The table that was opened for this origin before, if that is why."""


class NotWritten(msgspec.Struct, frozen=True, gc=False):
    pass


class Unknown(msgspec.Struct, frozen=True, gc=False):
    pass


Answer = Durable | Short | Overtaken | NotWritten | Unknown
