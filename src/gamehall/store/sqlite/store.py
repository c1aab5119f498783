"""The store in one SQLite file: for one node, and what the hall starts with.

sqlite_writer.py says how it writes and what it answers when the disk fails, sqlite_reader.py how it
reads beside that.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import gamehall.store.sqlite.accounts as accounts
import gamehall.store.sqlite.facts as facts
import gamehall.store.sqlite.ledger as ledger
import gamehall.store.sqlite.reads as reads
from gamehall.store.appends import Answer, Append, TableStatus
from gamehall.store.audit import Audit
from gamehall.store.facts import Fact
from gamehall.store.file_lock import FileLock
from gamehall.store.journals import Line, RoundSpan
from gamehall.store.lists import HistoryItem, RatedRound, Rating, Standing, TableInfo
from gamehall.store.nodes import Claim, Head, Renewed
from gamehall.store.people import Member, Player, PlayerKind, StatementItem
from gamehall.store.sqlite.append import SqliteAppend
from gamehall.store.sqlite.audit import audited
from gamehall.store.sqlite.file import has_content, lock_file
from gamehall.store.sqlite.reader import Reader
from gamehall.store.sqlite.writer import Writer

_FORGET_ROWS = 5000
"""Journal rows deleted in one transaction: others must not wait long for their turn."""


class SqliteStore:
    """Raises CannotOpen, a ValueError, from `start` if the file cannot be used."""

    def __init__(self, path: str | os.PathLike[str], *, queue_bytes: int = 64 * 2**20) -> None:
        """`queue_bytes`: what may wait to be written; more is answered Unavailable."""
        self._path = Path(path)
        self._writer = Writer(self._path, queue_bytes)
        self._reader = Reader(self._path)
        self._lock: FileLock | None = None
        self._doubts: dict[int, int] = {}

    async def exists(self) -> bool:
        """Whether there is a file with something in it, before it is started. Raises CannotOpen."""
        return has_content(self._path)

    async def start(self) -> None:
        self._lock = lock_file(self._path)
        try:
            await self._writer.start()
            self._reader.start()
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        await self._reader.stop()
        await self._writer.stop()
        if self._lock is not None:
            self._lock.close()

    async def ping(self) -> None:
        # Written, because a full disk still takes an empty transaction.
        await self._writer.write(lambda cursor: _count(cursor, "pings"))
        self._reader.few(lambda connection: reads.counter(connection, "pings"))

    # Tables

    async def new_table(self) -> int:
        return await self._writer.write(lambda cursor: _count(cursor, "tables"))

    async def had_table(self, table: int) -> bool:
        return 0 < table <= self._reader.few(lambda c: reads.counter(c, "tables"))

    async def claim(self, table: int, node: str = "") -> Claim | None:
        return await self._writer.write(lambda cursor: _claim(cursor, table))

    async def release(self, table: int, epoch: int) -> None:
        """Nothing: no owners are kept."""

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self._writer.put(SqliteAppend(append, done, self._doubts))

    async def read(self, table: int, after: int, limit: int) -> list[Line]:
        return await self._reader.page(lambda c: reads.lines(c, table, after, limit))

    async def read_at(self, table: int, seqs: Sequence[int]) -> list[Line]:
        return await self._reader.page(lambda c: reads.lines_at(c, table, seqs))

    async def used_ids(self, table: int, player: int, limit: int) -> list[str]:
        return await self._reader.page(lambda c: reads.used_ids(c, table, player, limit))

    async def request(self, table: int, player: int, id: str) -> Line | None:
        return self._reader.few(lambda c: reads.request(c, table, player, id))

    async def request_between(
        self, table: int, player: int, id: str, first_seq: int, last_seq: int
    ) -> Line | None:
        return await self._reader.page(
            lambda c: reads.request_between(c, table, player, id, first_seq, last_seq)
        )

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        return await self._reader.page(lambda c: reads.due(c, limit, after))

    async def table(self, table: int) -> TableInfo | None:
        return self._reader.few(lambda c: reads.table(c, table))

    async def table_by_origin(self, origin: str) -> int | None:
        return self._reader.few(lambda c: reads.table_by_origin(c, origin))

    async def tables(
        self, *, game: str | None, status: TableStatus | None, private: bool, after: int, limit: int
    ) -> list[TableInfo]:
        return await self._reader.page(
            lambda c: reads.tables(c, game, status, private, after, limit)
        )

    async def round_span(self, table: int, round: int) -> RoundSpan | None:
        return self._reader.few(lambda c: reads.round_span(c, table, round))

    async def tables_of(self, player: int) -> list[int]:
        return self._reader.few(lambda c: reads.tables_of(c, player))

    async def seats_of(self, players: Sequence[int]) -> list[tuple[int, int]]:
        return await self._reader.page(lambda c: reads.seats_of(c, players))

    async def forget(self, before_ms: int, limit: int) -> int:
        past = await self._reader.page(lambda c: reads.past_tables(c, before_ms, limit))
        for table in past:
            while await self._forget_part(table):
                pass
        return len(past)

    async def _forget_part(self, table: int) -> bool:
        return await self._writer.write(lambda cursor: _forget(cursor, table), apart=True)

    # Nodes: there is one, and it has no lease

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        return Renewed((node,), time.time_ns() // 1_000_000)

    async def retire(self, node: str) -> None:
        """Nothing."""

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        return await self._reader.page(lambda c: reads.heads(c, tables))

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        return []

    async def open_tables(self) -> dict[str, int]:
        return {}

    async def quietest(self, node: str, limit: int) -> list[int]:
        return []

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        return False

    # Read models

    async def history(
        self, *, game: str | None, player: int | None, before: int | None, limit: int
    ) -> list[HistoryItem]:
        return await self._reader.page(lambda c: reads.history(c, game, player, before, limit))

    async def standings(self, *, game: str | None, limit: int) -> list[Standing]:
        return await self._reader.page(lambda c: reads.standings(c, game, limit))

    # Ratings and facts

    async def unrated_rounds(self, limit: int) -> list[RatedRound]:
        return await self._reader.page(lambda c: facts.rated_after(c, limit))

    async def put_ratings(self, first: int, upto: int, ratings: Sequence[Rating]) -> None:
        await self._writer.write(lambda cursor: facts.put_ratings(cursor, first, upto, ratings))

    async def ratings_of(self, game: str, players: Sequence[int]) -> list[Rating]:
        return await self._reader.page(lambda c: facts.ratings_of(c, game, players))

    async def best_rated(self, game: str, *, bots: bool, limit: int) -> list[Rating]:
        return await self._reader.page(lambda c: facts.best(c, game, bots, limit))

    async def fact(self, key: str) -> bytes | None:
        return self._reader.few(lambda c: facts.fact(c, key))

    async def facts(self, prefix: str, after: str, limit: int) -> list[Fact]:
        return await self._reader.page(lambda c: facts.facts(c, prefix, after, limit))

    async def put_fact(self, key: str, value: bytes, before: bytes | None) -> bool:
        return await self._writer.write(lambda cursor: facts.put_fact(cursor, key, value, before))

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
        return await self._writer.write(
            lambda cursor: accounts.add_player(
                cursor, name, kind, chips, at_ms, password_hash, token_digest
            )
        )

    async def make_member(self, player: int, name: str, password_hash: str) -> Player:
        return await self._writer.write(
            lambda cursor: accounts.make_member(cursor, player, name, password_hash)
        )

    async def player(self, player: int) -> Player | None:
        return self._reader.few(lambda c: accounts.find_player(c, player))

    async def player_named(self, name: str) -> Player | None:
        return self._reader.few(lambda c: accounts.player_named(c, name))

    async def member(self, name: str) -> Member | None:
        return self._reader.few(lambda c: accounts.member(c, name))

    async def add_token(self, player: int, digest: bytes, at_ms: int) -> None:
        await self._writer.write(lambda cursor: accounts.add_token(cursor, player, digest, at_ms))

    async def player_by_token(self, digest: bytes) -> Player | None:
        return self._reader.few(lambda c: accounts.player_by_token(c, digest))

    async def drop_token(self, digest: bytes) -> None:
        await self._writer.write(lambda cursor: accounts.drop_token(cursor, digest))

    # Ledger

    async def balance(self, player: int) -> int:
        return self._reader.few(lambda c: accounts.balance(c, player))

    async def refill(
        self, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
    ) -> int | None:
        return await self._writer.write(
            lambda cursor: ledger.refill(cursor, player, below, to, at_ms, every_ms)
        )

    async def statement(
        self, player: int, *, before: int | None, limit: int
    ) -> list[StatementItem]:
        return await self._reader.page(lambda c: ledger.statement(c, player, before, limit))

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        """Also of a store that has not started. Raises CannotOpen on entering."""
        return audited(self._path)


def _count(cursor: sqlite3.Cursor, name: str) -> int:
    """The next number of a counter, which never goes back."""
    cursor.execute("UPDATE counters SET value = value + 1 WHERE name = ?", (name,))
    return reads.counter(cursor, name)


def _claim(cursor: sqlite3.Cursor, table: int) -> Claim | None:
    found = cursor.execute(
        "SELECT epoch + 1, head, round_seq, hash, game FROM tables WHERE id = ? AND head > 0",
        (table,),
    ).fetchone()
    if found is None:
        return None
    claim = Claim(*found)
    cursor.execute("UPDATE tables SET epoch = ? WHERE id = ?", (claim.epoch, table))
    return claim


def _forget(cursor: sqlite3.Cursor, table: int) -> bool:
    """Deletes a part of a table; true while there is more. Nothing lists it after the first."""
    # Nobody can take it for a table whose last rows are missing.
    cursor.execute("UPDATE tables SET head = 0, hash = '' WHERE id = ?", (table,))
    for name in ("rounds", "played", "seated", "requests"):
        cursor.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    cursor.execute(
        """DELETE FROM journal WHERE rowid IN
        (SELECT rowid FROM journal WHERE table_id = ? ORDER BY seq DESC LIMIT ?)""",
        (table, _FORGET_ROWS),
    )
    if cursor.rowcount == _FORGET_ROWS:
        return True
    cursor.execute("DELETE FROM tables WHERE id = ?", (table,))
    return False
