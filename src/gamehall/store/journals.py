"""The part of the port that writes and reads the tables' journals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gamehall.store.appends import Answer, Append, Request
from gamehall.store.database import Part, Transaction

FORGET_ROWS = 5000
"""Journal rows deleted in one transaction: others must not wait long for their turn."""

_LINE = "SELECT seq, line, player, request, digest, by_round FROM journal"


class Line(msgspec.Struct, frozen=True):
    """A journal row as it lies in the store."""

    seq: int
    line: bytes
    request: Request | None


class _Columns(msgspec.Struct, frozen=True, gc=False):
    seq: int
    line: bytes
    player: int | None
    request: Any
    """A key."""
    digest: bytes
    by_round: bool


class RoundSpan(msgspec.Struct, frozen=True):
    """Where a round that is over lies in its table's journal."""

    first_seq: int
    last_seq: int
    hash: str
    """The chain's, after the last row."""


class Journals(Part):
    @abstractmethod
    async def new_table(self) -> int:
        """An id that no table has or had: a positive 31-bit integer."""

    @abstractmethod
    async def had_table(self, table: int) -> bool:
        """Whether this id was given out, also if the table is forgotten by now."""

    @abstractmethod
    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        """Calls `done` once, later, on the event loop.

        It may be called again with the same `beat_id` at any time: if that was written, it is
        Durable.
        """

    async def read(self, table: int, after: int, limit: int) -> list[Line]:
        where = "table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"
        return await self._lines(where, table, after, limit)

    async def read_at(self, table: int, seqs: Sequence[int]) -> list[Line]:
        """Those rows that exist, in their order."""
        where = "table_id = $1 AND seq = ANY($2::bigint[]) ORDER BY seq"
        return await self._lines(where, table, [*seqs])

    async def used_ids(self, table: int, player: int, limit: int) -> list[str]:
        """Ids of the player's requests, without those that count `by_round`, in all rounds before
        the running one; each once."""
        found = await self._database.page(
            tuple[Any],
            """SELECT DISTINCT request FROM earlier_requests WHERE table_id = $1 AND player = $2
            LIMIT $3""",
            table,
            player,
            limit,
        )
        return [self._database.text(id) for (id,) in found]

    async def request(self, table: int, player: int, id: str) -> Line | None:
        """The latest row that this request, one of those of `used_ids`, has caused."""
        # With its order, which one row needs not, SQLite looks for it by its number.
        latest = """table_id = $1 AND seq = (SELECT max(seq) FROM earlier_requests
            WHERE table_id = $1 AND player = $2 AND request = $3) ORDER BY seq"""
        found = await self._lines(latest, table, player, self._database.key(id))
        return found[0] if found else None

    async def request_between(
        self, table: int, player: int, id: str, first_seq: int, last_seq: int
    ) -> Line | None:
        """The latest of these rows that this request has caused, whatever its id counts in. Each of
        them is looked at."""
        latest = """table_id = $1 AND seq BETWEEN $2 AND $3 AND player = $4 AND request = $5
            ORDER BY seq DESC LIMIT 1"""
        whose = (player, self._database.key(id))
        found = await self._lines(latest, table, first_seq, last_seq, *whose)
        return found[0] if found else None

    async def _lines(self, where: str, *values: Any) -> list[Line]:
        found = await self._database.page(_Columns, f"{_LINE} WHERE {where}", *values)
        return [self._line(columns) for columns in found]

    def _line(self, of: _Columns) -> Line:
        if of.player is None:
            return Line(of.seq, of.line, None)
        id = self._database.text(of.request)
        return Line(of.seq, of.line, Request(of.player, id, of.digest, of.by_round))

    async def round_span(self, table: int, round: int) -> RoundSpan | None:
        """None: there is no such round, or it is not over."""
        return await self._one(
            RoundSpan,
            "SELECT first_seq, last_seq, hash FROM rounds WHERE table_id = $1 AND round = $2",
            table,
            round,
        )

    async def forget(self, before_ms: int, limit: int) -> int:
        """Deletes unrated tables closed before then, with their journals but never their
        transfers; how many."""
        past = await self._database.page(
            int,
            """SELECT id FROM tables /* INDEXED BY tables_past */
            WHERE status = 'closed' AND NOT rated AND closed_at_ms < $1
            ORDER BY closed_at_ms LIMIT $2""",
            before_ms,
            limit,
        )
        for table in past:
            while await self._forget_part(table):
                pass
        return len(past)

    async def _forget_part(self, table: int) -> bool:
        """Deletes a part of a table; true while there is more. Nothing lists it after the first."""

        async def forgotten(change: Transaction) -> bool:
            # Nobody can take it for a table whose last rows are missing.
            await change.execute("UPDATE tables SET head = 0, hash = '' WHERE id = $1", table)
            for name in ("rounds", "played", "seated", "requests"):
                await change.execute(f"DELETE FROM {name} WHERE table_id = $1", table)
            if await self._forget_rows(change, table, FORGET_ROWS) == FORGET_ROWS:
                return True
            await change.execute("DELETE FROM tables WHERE id = $1", table)
            return False

        return await self._database.change(forgotten, apart=True)

    async def _forget_rows(self, change: Transaction, table: int, limit: int) -> int:
        """Deletes the newest rows of a journal; how many."""
        return await change.execute(
            """DELETE FROM journal WHERE table_id = $1 AND seq IN
            (SELECT seq FROM journal WHERE table_id = $1 ORDER BY seq DESC LIMIT $2)""",
            table,
            limit,
        )
