"""The port to what is kept: journal, requests, ledger, accounts and read models, in one place.

One append is all that a table's beat writes, and is written whole or not at all. Its answer is one
of five, and each tells the table what to do (hall/beat/table.py):

* Durable      it is on the disk, and a power cut will not undo it
* Short        some steps' players lack the chips; nothing was written
* Overtaken    someone else wrote or owns this table, or its origin has a table; nothing was written
* NotWritten   nothing was written, for sure
* Unknown      perhaps written: append the same again, until the answer is another

`append` may be called again with the same `beat_id` at any time: if it was written, it is Durable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal, Protocol
from unicodedata import normalize

import msgspec

if TYPE_CHECKING:
    from gamehall.store.audit import Audit

# What is written


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """Chips from one account to another.

    Accounts are `player:ID`, `pot:TABLE:ROUND`, `house` and `mint`. Only a player's may not go
    below zero.
    """

    source: str
    target: str
    chips: int


class Request(msgspec.Struct, frozen=True, gc=False):
    """The request that a step answers; it is remembered with the step's row."""

    player: int
    id: str
    digest: bytes
    by_round: bool = False
    """Whether the id counts in one round alone, as that of a bet does; else at the table, for as
    long as there is one."""


class NewRow(msgspec.Struct, frozen=True, gc=False):
    """One journal row, with the transfers that it causes."""

    line: bytes
    """As journal.py writes it."""
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
    """Players who may act now and could not before: whoever comes back finds the table by these.
    When it closes, nobody may."""
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
    steps: tuple[NewRow, ...]
    hash: str
    """The chain's, after the last step."""
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
    steps: tuple[int, ...]
    """Their places in the append."""
    payers: tuple[tuple[int, ...], ...]
    """For each of them, the players who lack the chips."""


def short_of(lacking: Mapping[int, Collection[int]]) -> Short:
    """By the places of steps, the players who lack the chips."""
    return Short(tuple(lacking), tuple(tuple(sorted(each)) for each in lacking.values()))


class Overtaken(msgspec.Struct, frozen=True, gc=False):
    existing: int | None = None
    """The table that was opened for this origin before, if that is why."""


class NotWritten(msgspec.Struct, frozen=True, gc=False):
    pass


class Unknown(msgspec.Struct, frozen=True, gc=False):
    pass


Answer = Durable | Short | Overtaken | NotWritten | Unknown


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


class RoundSpan(msgspec.Struct, frozen=True):
    """Where a round that is over lies in its table's journal."""

    first_seq: int
    last_seq: int
    hash: str
    """The chain's, after the last row."""


class Line(msgspec.Struct, frozen=True):
    """A journal row as it lies in the store."""

    seq: int
    line: bytes
    request: Request | None


class TableInfo(msgspec.Struct, frozen=True):
    id: int
    game: str
    status: TableStatus
    round: int
    round_seq: int
    head: int
    hash: str
    names: tuple[str, ...]
    count: int
    private: bool
    rated: bool
    opened_at_ms: int
    changed_at_ms: int


ROUND_BITS = 22
"""With the 31 of a table's id, a place in the history is an integer that JSON carries exactly."""


class HistoryItem(msgspec.Struct, frozen=True):
    table: int
    game: str
    round: int
    first_seq: int
    last_seq: int
    hash: str
    ended_at_ms: int
    reason: str
    rated: bool
    results: tuple[SeatResult, ...]

    @property
    def place(self) -> int:
        """Older ones have a lower one."""
        return self.table << ROUND_BITS | self.round


class Standing(msgspec.Struct, frozen=True):
    player: int
    name: str
    played: int
    won: int
    drawn: int
    lost: int


class Fact(msgspec.Struct, frozen=True):
    key: str
    value: bytes


class RatedRound(msgspec.Struct, frozen=True):
    """A finished round of a rated table, in the order in which they ended."""

    id: int
    game: str
    results: tuple[SeatResult, ...]


class Rating(msgspec.Struct, frozen=True):
    """How strong a player probably is at a game: around `mu`, give or take `sigma`."""

    player: int
    name: str
    game: str
    bot: bool
    """Bots have a league of their own."""
    mu: float
    sigma: float
    rounds: int


PlayerKind = Literal["guest", "member", "bot"]

TOKENS_MAX = 32
"""Tokens that a player may have: with one more, the oldest is worth nothing."""


def name_key(name: str) -> str:
    """Equal for names that people would take for the same."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


class Player(msgspec.Struct, frozen=True):
    id: int
    name: str
    kind: PlayerKind
    balance: int


class Member(msgspec.Struct, frozen=True):
    player: Player
    password_hash: str


class StatementItem(msgspec.Struct, frozen=True):
    """A transfer as its player sees it: `chips` is negative when paid."""

    id: int
    """Its place in the ledger: the later, the higher."""
    table: int
    """0 for what the mint gave; then `seq` is the player's id."""
    seq: int
    n: int
    chips: int
    other: str
    at_ms: int


class CannotOpen(ValueError):
    """What was named cannot serve as the hall's store; its text tells the operator why."""


class Away(CannotOpen):
    """Nobody answers there right now: it is worth trying again."""


class Store(Protocol):
    """Reads and account changes raise errors.Unavailable when the store cannot answer."""

    async def start(self) -> None: ...
    async def stop(self) -> None:
        """Writes what was accepted, then closes."""

    async def ping(self) -> None:
        """Returns if reading *and* writing work."""

    # Tables

    async def new_table(self) -> int:
        """An id that no table has or had: a positive 31-bit integer."""

    async def had_table(self, table: int) -> bool:
        """Whether this id was given out, also if the table is forgotten by now."""

    async def claim(self, table: int, node: str = "") -> Claim | Owned | None:
        """Takes a table over: whoever owned it before can write no more. None: no such table.

        A node takes what is nobody's, its own, or a node's whose lease has run out; else the table
        stays Owned. Without a name it is taken from anyone, and is nobody's then.
        """

    async def release(self, table: int, epoch: int) -> None:
        """Gives a table up, so that it is nobody's, if it still has this epoch."""

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        """Calls `done` once, later, on the event loop."""

    async def read(self, table: int, after: int, limit: int) -> list[Line]: ...
    async def read_at(self, table: int, seqs: Sequence[int]) -> list[Line]:
        """Those rows that there are, in their order."""

    async def used_ids(self, table: int, player: int, limit: int) -> list[str]:
        """Ids of the player's requests, without those that count `by_round`, in all rounds before
        the running one; each once."""

    async def request(self, table: int, player: int, id: str) -> Line | None:
        """The latest row that this one of those requests has caused."""

    async def request_between(
        self, table: int, player: int, id: str, first_seq: int, last_seq: int
    ) -> Line | None:
        """The latest of these rows that this request has caused, whatever its id counts in. Each of
        them is looked at."""

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        """(due_ms, table) of tables whose timer is armed, soonest first, from `after` on. With
        a node, without those that another node owns whose lease runs."""

    async def table(self, table: int) -> TableInfo | None: ...
    async def table_by_origin(self, origin: str) -> int | None: ...
    async def tables(
        self, *, game: str | None, status: TableStatus | None, private: bool, after: int, limit: int
    ) -> list[TableInfo]:
        """By id, from the next after `after`. Without a status all but closed ones; with
        `private` private ones too."""

    async def round_span(self, table: int, round: int) -> RoundSpan | None:
        """None: there is no such round, or it is not over."""

    async def tables_of(self, player: int) -> list[int]:
        """Tables that are not closed, at which this player may act."""

    async def seats_of(self, players: Sequence[int]) -> list[tuple[int, int]]:
        """(player, table) wherever one of them may act, in this order."""

    async def forget(self, before_ms: int, limit: int) -> int:
        """Deletes unrated tables closed before then, with their journals but never their
        transfers; how many."""

    # Nodes. A node owns tables while its lease runs, which the store's clock alone decides. What
    # fences is the epoch: whoever owned a table can write to it until somebody claims it, also
    # after a lease that has run out, a `release` or a `retire`. A store that serves one node only
    # has no leases: there `claim` always claims, and nothing is ever an orphan.

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        """Has the node's lease run for so long from now on, even if it had run out."""

    async def retire(self, node: str) -> None:
        """Ends the node's lease; its tables are nobody's."""

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        """Of those tables that there are, by id."""

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        """Tables that are not closed and that no node owns whose lease runs, of those with
        `id % shares == share`; those first whose timers are due soonest."""

    async def open_tables(self) -> dict[str, int]:
        """How many tables that are not closed each node owns; nodes that own none are left out."""

    async def quietest(self, node: str, limit: int) -> list[int]:
        """Of such tables of the node, those first to which nothing was written for longest."""

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        """Makes that node the owner, and whoever had this epoch the owner no more. False, and
        nothing is changed, if the epoch is another by now, or the node's lease does not run."""

    # Read models

    async def history(
        self, *, game: str | None, player: int | None, before: int | None, limit: int
    ) -> list[HistoryItem]:
        """Finished rounds of public tables, newest first; those older than the place `before`."""

    async def standings(self, *, game: str | None, limit: int) -> list[Standing]:
        """Members and guests by games won, then by fewest lost."""

    # Ratings, which follow from finished rounds

    async def unrated_rounds(self, limit: int) -> list[RatedRound]:
        """Rounds of rated tables that no rating has in it yet, in the order of their ends."""

    async def put_ratings(self, first: int, upto: int, ratings: Sequence[Rating]) -> None:
        """Ratings with the rounds in them from the `first` that had to be counted `upto` another,
        by their ids. Nothing is changed if the first is counted already: whoever did so has changed
        the ratings that these rest on."""

    async def ratings_of(self, game: str, players: Sequence[int]) -> list[Rating]:
        """Of those who have one."""

    async def best_rated(self, game: str, *, bots: bool, limit: int) -> list[Rating]:
        """By what they are with near certainty: `mu` less three times `sigma`."""

    # Facts: the few things that the hall has to remember beside its tables, each by its key

    async def fact(self, key: str) -> bytes | None: ...
    async def facts(self, prefix: str, after: str, limit: int) -> list[Fact]:
        """Those whose keys begin so, in the order of the keys, from the next after `after`."""

    async def put_fact(self, key: str, value: bytes, before: bytes | None) -> bool:
        """Writes it, if it is still as it was `before` (None: not there); whether it is now as
        wanted."""

    # Accounts

    async def add_player(
        self,
        name: str,
        kind: PlayerKind,
        *,
        chips: int,
        at_ms: int,
        password_hash: str | None = None,
        token_digest: bytes | None = None,
    ) -> Player:
        """`chips` come from the mint. Raises errors.NameTaken if a member or bot has the name."""

    async def make_member(self, player: int, name: str, password_hash: str) -> Player:
        """A guest becomes a member and keeps id, seats and chips. Raises errors.NameTaken."""

    async def player(self, player: int) -> Player | None: ...
    async def player_named(self, name: str) -> Player | None:
        """A member or bot, else the guest of that name who came last."""

    async def member(self, name: str) -> Member | None: ...
    async def add_token(self, player: int, digest: bytes, at_ms: int) -> None:
        """Of more than TOKENS_MAX the oldest end."""

    async def player_by_token(self, digest: bytes) -> Player | None: ...
    async def drop_token(self, digest: bytes) -> None: ...

    # Ledger

    async def balance(self, player: int) -> int: ...
    async def refill(
        self, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
    ) -> int | None:
        """Has the mint fill up a balance that is less than `below`; what it is then, or None if it
        is not, or was filled up less than `every_ms` ago. Raises errors.NoSuchPlayer."""

    async def statement(
        self, player: int, *, before: int | None, limit: int
    ) -> Sequence[StatementItem]:
        """Newest first; those older than the item whose id is `before`, if the player has such an
        item. All their chips add up to the balance."""

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        """Everything as it stands at this moment, to be read for however long."""
