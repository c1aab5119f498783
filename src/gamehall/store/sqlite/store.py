"""The store in one SQLite file: for one node, and what the hall starts with.

writer.py says how it writes and what it answers when the disk fails, reader.py how it reads beside
that. Most of the port's methods are functions of the modules named as its parts; this one says on
which connection each of them runs.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from gamehall.store.appends import Answer, Append
from gamehall.store.audit import Audit
from gamehall.store.file_lock import FileLock
from gamehall.store.sqlite import facts, journals, ledger, lists, nodes, people
from gamehall.store.sqlite.append import SqliteAppend
from gamehall.store.sqlite.audit import audited
from gamehall.store.sqlite.file import has_content, lock_file
from gamehall.store.sqlite.queries import count, counter
from gamehall.store.sqlite.reader import Reader
from gamehall.store.sqlite.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")
_Method = Callable[Concatenate["SqliteStore", P], Coroutine[Any, Any, T]]


def _few(query: Callable[Concatenate[sqlite3.Connection, P], T]) -> _Method[P, T]:
    """Finds a few rows by their key."""

    async def method(store: SqliteStore, /, *args: P.args, **named: P.kwargs) -> T:
        return store._reader.few(lambda connection: query(connection, *args, **named))

    return method


def _page(query: Callable[Concatenate[sqlite3.Connection, P], T]) -> _Method[P, T]:
    """Reads a page of rows."""

    async def method(store: SqliteStore, /, *args: P.args, **named: P.kwargs) -> T:
        return await store._reader.page(lambda connection: query(connection, *args, **named))

    return method


def _change(change: Callable[Concatenate[sqlite3.Cursor, P], T]) -> _Method[P, T]:
    """Returns what the change does when it is durable."""

    async def method(store: SqliteStore, /, *args: P.args, **named: P.kwargs) -> T:
        return await store._writer.write(lambda cursor: change(cursor, *args, **named))

    return method


class SqliteStore(nodes.NoLeases):
    """Raises CannotOpen, a ValueError, from `start` if the file cannot be used."""

    def __init__(self, path: str | os.PathLike[str], *, queue_bytes: int = 64 * 2**20) -> None:
        """`queue_bytes`: what may wait to be written; more is answered NotWritten."""
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
        await self._writer.write(lambda cursor: count(cursor, "pings"))
        self._reader.few(lambda connection: counter(connection, "pings"))

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self._writer.put(SqliteAppend(append, done, self._doubts))

    async def forget(self, before_ms: int, limit: int) -> int:
        past = await self._past_tables(before_ms, limit)
        for table in past:
            while await self._forget_part(table):
                pass
        return len(past)

    async def _forget_part(self, table: int) -> bool:
        return await self._writer.write(
            lambda cursor: journals.forget_part(cursor, table), apart=True
        )

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        """Also of a store that has not started. Raises CannotOpen on entering."""
        return audited(self._path)

    new_table = _change(journals.new_table)
    had_table = _few(journals.had_table)
    read = _page(journals.read)
    read_at = _page(journals.read_at)
    used_ids = _page(journals.used_ids)
    request = _few(journals.request)
    request_between = _page(journals.request_between)
    round_span = _few(journals.round_span)
    _past_tables = _page(journals.past_tables)

    claim = _change(nodes.claim)
    heads = _page(nodes.heads)
    due = _page(nodes.due)

    table = _few(lists.table)
    table_by_origin = _few(lists.table_by_origin)
    tables = _page(lists.tables)
    tables_of = _few(lists.tables_of)
    seats_of = _page(lists.seats_of)
    history = _page(lists.history)
    standings = _page(lists.standings)
    unrated_rounds = _page(lists.unrated_rounds)
    put_ratings = _change(lists.put_ratings)
    ratings_of = _page(lists.ratings_of)
    best_rated = _page(lists.best_rated)

    add_player = _change(people.add_player)
    make_member = _change(people.make_member)
    player = _few(people.find_player)
    player_named = _few(people.player_named)
    member = _few(people.member)
    add_token = _change(people.add_token)
    player_by_token = _few(people.player_by_token)
    drop_token = _change(people.drop_token)
    balance = _few(people.balance)
    refill = _change(ledger.refill)
    statement = _page(ledger.statement)

    fact = _few(facts.fact)
    put_fact = _change(facts.put_fact)
    facts = _page(facts.facts)
