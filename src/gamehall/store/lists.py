"""The part of the port that lists tables, finished rounds, standings and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from gamehall.store.appends import SeatResult, TableStatus


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
_INT_MAX = 2**63 - 1


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


def round_at(place: int | None) -> tuple[int, int]:
    """Its table and round; those of a place after all others, if it is None."""
    place = _INT_MAX if place is None else place
    return place >> ROUND_BITS, place & (1 << ROUND_BITS) - 1


class Standing(msgspec.Struct, frozen=True):
    player: int
    name: str
    played: int
    won: int
    drawn: int
    lost: int


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


class Lists(Protocol):
    async def table(self, table: int) -> TableInfo | None: ...
    async def table_by_origin(self, origin: str) -> int | None: ...
    async def tables(
        self, *, game: str | None, status: TableStatus | None, private: bool, after: int, limit: int
    ) -> list[TableInfo]:
        """By id, from the next after `after`. Without a status, all but closed ones; with
        `private`, private ones too."""

    async def tables_of(self, player: int) -> list[int]:
        """Open tables at which this player may act."""

    async def seats_of(self, players: Sequence[int]) -> list[tuple[int, int]]:
        """(player, table) wherever one of them may act, in this order."""

    async def history(
        self, *, game: str | None, player: int | None, before: int | None, limit: int
    ) -> list[HistoryItem]:
        """Finished rounds of public tables, newest first; those older than the place `before`."""

    async def standings(self, *, game: str | None, limit: int) -> list[Standing]:
        """Members and guests by games won, then by fewest lost."""

    # Ratings, which follow from finished rounds

    async def unrated_rounds(self, limit: int) -> list[RatedRound]:
        """Rounds of rated tables that no rating counts yet, in the order of their ends."""

    async def put_ratings(self, first: int, upto: int, ratings: Sequence[Rating]) -> None:
        """Writes ratings that count the rounds from the id `first` `upto` another. Does nothing if
        the first is counted already: another node has changed the ratings that these rest on."""

    async def ratings_of(self, game: str, players: Sequence[int]) -> list[Rating]:
        """The ratings of those who have one."""

    async def best_rated(self, game: str, *, bots: bool, limit: int) -> list[Rating]:
        """The best by what they are with near certainty: `mu` less three times `sigma`."""
