"""The part of the port that writes and reads the tables' journals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from gamehall.store.appends import Answer, Append, Request


class Line(msgspec.Struct, frozen=True):
    """A journal row as it lies in the store."""

    seq: int
    line: bytes
    request: Request | None


class RoundSpan(msgspec.Struct, frozen=True):
    """Where a round that is over lies in its table's journal."""

    first_seq: int
    last_seq: int
    hash: str
    """The chain's, after the last row."""


class Journals(Protocol):
    async def new_table(self) -> int:
        """An id that no table has or had: a positive 31-bit integer."""

    async def had_table(self, table: int) -> bool:
        """Whether this id was given out, also if the table is forgotten by now."""

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        """Calls `done` once, later, on the event loop.

        It may be called again with the same `beat_id` at any time: if that was written, it is
        Durable.
        """

    async def read(self, table: int, after: int, limit: int) -> list[Line]: ...
    async def read_at(self, table: int, seqs: Sequence[int]) -> list[Line]:
        """Those rows that exist, in their order."""

    async def used_ids(self, table: int, player: int, limit: int) -> list[str]:
        """Ids of the player's requests, without those that count `by_round`, in all rounds before
        the running one; each once."""

    async def request(self, table: int, player: int, id: str) -> Line | None:
        """The latest row that this request, one of those of `used_ids`, has caused."""

    async def request_between(
        self, table: int, player: int, id: str, first_seq: int, last_seq: int
    ) -> Line | None:
        """The latest of these rows that this request has caused, whatever its id counts in. Each of
        them is looked at."""

    async def round_span(self, table: int, round: int) -> RoundSpan | None:
        """None: there is no such round, or it is not over."""

    async def forget(self, before_ms: int, limit: int) -> int:
        """Deletes unrated tables closed before then, with their journals but never their
        transfers; how many."""
