"""What the parts of the port ask of a database, whichever it is.

Their SQL is PostgreSQL's. What SQLite alone needs stands in a comment (`tables /* INDEXED BY
tables_open */`), and sqlite/database.py has the few words that it says differently.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar, get_args, get_origin

import msgspec

T = TypeVar("T")

Row = tuple[Any, ...]


class AlreadyThere(Exception):
    """Another transaction was faster to write what must be unique."""


class Transaction(Protocol):
    """In SQLite a change raises HallError only before it has written anything."""

    async def row(self, sql: str, *values: Any) -> Row | None:
        """The first row."""

    async def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row; None if there is none."""

    async def execute(self, sql: str, *values: Any) -> int:
        """How many rows it concerned. Raises AlreadyThere."""

    async def insert(self, sql: str, *values: Any) -> int | None:
        """The id of the row that it has inserted; None if it has inserted none."""

    async def execute_many(self, sql: str, rows: Sequence[Row]) -> None:
        """Executes it for each of the rows."""


class Database(Protocol):
    """Raises errors.Unavailable when it cannot answer.

    A row is read as a `kind`: a struct or a tuple, whose fields are the row's columns in their
    order, or the one column's type. Columns for tuples are JSON.
    """

    async def few(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        """Finds a few rows by their key."""

    async def page(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        """Reads a page of rows."""

    async def change(
        self, work: Callable[[Transaction], Awaitable[T]], *, apart: bool = False
    ) -> T:
        """What the work returns, when all that it did is durable. What it raises, it has not
        done. `apart`: it takes long."""

    def key(self, text: str) -> Any:
        """How the database keeps text that clients may have written themselves."""

    def text(self, key: Any) -> str:
        """The text again."""


class Part:
    """A part of the port, written once for all databases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _one(self, kind: type[T], sql: str, *values: Any) -> T | None:
        """Finds the one row, if there is one."""
        return next(iter(await self._database.few(kind, sql, *values)), None)


def made(kind: Any, rows: Iterable[Iterable[Any]]) -> list[Any]:
    """Rows as a `kind`."""
    make, readers = _maker(kind)
    if not readers:
        return [make(*row) for row in rows]
    found = []
    for row in rows:
        values = [*row]
        for place, read in readers:
            values[place] = read(values[place])
        found.append(make(*values))
    return found


@cache
def column_types(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) is tuple:
        return get_args(kind)
    if issubclass(kind, msgspec.Struct):
        return tuple(field.type for field in msgspec.structs.fields(kind))
    return (kind,)


@cache
def _maker(kind: Any) -> tuple[Callable[..., Any], list[tuple[int, Callable[[Any], Any]]]]:
    """Makes a `kind` of its columns, and what reads some of these before."""
    found = [(place, _reader(type)) for place, type in enumerate(column_types(kind))]
    readers = [(place, read) for place, read in found if read is not None]
    if get_origin(kind) is tuple:
        return lambda *values: values, readers
    return kind if issubclass(kind, msgspec.Struct) else lambda value: value, readers


def _reader(type: Any) -> Callable[[Any], Any] | None:
    if type is bool:
        return bool  # SQLite has numbers in place of truth values.
    return msgspec.json.Decoder(type).decode if get_origin(type) is tuple else None
