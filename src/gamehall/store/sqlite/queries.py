"""How a query of the SQLite file is asked: as one statement that returns one row."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

Reading = sqlite3.Connection | sqlite3.Cursor


def one(reading: Reading, query: str, *values: Any) -> Any:
    """The first column of the one row; None if there is none."""
    found = reading.execute(query, values).fetchone()
    return None if found is None else found[0]


def page(reading: Reading, decode: Callable[[str], T], query: str, *values: Any) -> T:
    """What the one row's JSON says."""
    return decode(one(reading, query, *values))


def json_list(numbers: Sequence[int]) -> str:
    """Numbers, as `json_each` takes them."""
    return msgspec.json.encode([*numbers]).decode()


def counter(reading: Reading, name: str) -> int:
    return int(one(reading, "SELECT value FROM counters WHERE name = ?", name))


def count(cursor: sqlite3.Cursor, name: str) -> int:
    """The next number of a counter, which never goes back."""
    cursor.execute("UPDATE counters SET value = value + 1 WHERE name = ?", (name,))
    return counter(cursor, name)
