"""The SQLite file as the parts of the port ask it: read beside the writer, changed by it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec

from gamehall.store.database import Row, Transaction, column_types, made
from gamehall.store.sqlite.append import json_list
from gamehall.store.sqlite.reader import Reader
from gamehall.store.sqlite.writer import Writer

T = TypeVar("T")

_WORDS = (
    # A comment has what is meant for SQLite alone.
    (r"/\* (.*?) \*/", r"\1"),
    (r"= ANY\((\$\d+)::bigint\[\]\)", r"IN (SELECT value FROM json_each(\1))"),
    # As its indexes have it.
    (r"NOT (private|rated|voided)", r"\1 = 0"),
    (r"::bigint| FOR UPDATE( OF \w+)?", ""),
    (r"nextval\('transfer_ids'\)", "NULL"),
    (r"closed_at_ms", "changed_at_ms"),
    (r"\$(\d+)", r"?\1"),
)
"""How SQLite says what PostgreSQL says otherwise."""


@cache
def in_sqlite(sql: str) -> str:
    for theirs, ours in _WORDS:
        sql = re.sub(theirs, ours, sql)
    return sql


class SqliteDatabase:
    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def few(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        return made(kind, self._reader.few(lambda c: c.execute(in_sqlite(sql), values).fetchall()))

    async def page(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        asked = [json_list(value) if isinstance(value, list) else value for value in values]
        return await self._reader.page(lambda c: _page(c, kind, sql, asked))

    async def change(
        self, work: Callable[[Transaction], Awaitable[T]], *, apart: bool = False
    ) -> T:
        return await self._writer.write(
            lambda cursor: done_at_once(work(Statements(cursor))), apart=apart
        )

    def key(self, text: str) -> str:
        return text

    def text(self, key: str) -> str:
        return key


class Statements:
    """The writer's transaction. It never waits."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor

    async def row(self, sql: str, *values: Any) -> Row | None:
        found: Row | None = self._cursor.execute(in_sqlite(sql), values).fetchone()
        return found

    async def value(self, sql: str, *values: Any) -> Any:
        found = await self.row(sql, *values)
        return None if found is None else found[0]

    async def execute(self, sql: str, *values: Any) -> int:
        return self._cursor.execute(in_sqlite(sql), values).rowcount

    async def insert(self, sql: str, *values: Any) -> int | None:
        return self._cursor.lastrowid if await self.execute(sql, *values) else None

    async def execute_many(self, sql: str, rows: Sequence[Row]) -> None:
        self._cursor.executemany(in_sqlite(sql), rows)


def done_at_once(work: Awaitable[T]) -> T:
    """What the work returns, which waits for nothing, as Statements do not."""
    try:
        next(work.__await__())
    except StopIteration as done:
        result: T = done.value
        return result
    raise RuntimeError("what is done at once must not wait")


def _page(connection: sqlite3.Connection, kind: Any, sql: str, values: Sequence[Any]) -> list[Any]:
    query, blobs = _as_json(kind, sql)
    rows = msgspec.json.decode(connection.execute(query, values).fetchone()[0])
    for row in rows:
        for place in blobs:
            row[place] = bytes.fromhex(row[place])
    return made(kind, rows)


@cache
def _as_json(kind: Any, sql: str) -> tuple[str, list[int]]:
    """The query of a whole page as one row (reader.py says why), and which columns are in hex."""
    types = column_types(kind)
    blobs = [place for place, of in enumerate(types) if of is bytes or bytes in get_args(of)]
    names = [f"c{place}" for place in range(len(types))]
    values = [f"hex({name})" if place in blobs else name for place, name in enumerate(names)]
    query = f"""WITH page ({", ".join(names)}) AS ({in_sqlite(sql)})
        SELECT json_group_array(json_array({", ".join(values)})) FROM page"""
    return query, blobs
