"""Facts by their keys, in the SQLite file."""

from __future__ import annotations

import sqlite3

from gamehall.store.facts import Fact
from gamehall.store.sqlite.queries import Reading, one


def fact(reading: Reading, key: str) -> bytes | None:
    found: bytes | None = one(reading, "SELECT value FROM facts WHERE key = ?", key)
    return found


def facts(connection: sqlite3.Connection, prefix: str, after: str, limit: int) -> list[Fact]:
    found = connection.execute(
        # Text that begins with the prefix lies between it and it with the last of all characters.
        "SELECT key, value FROM facts WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?",
        (prefix, prefix + "\U0010ffff", after, limit),
    ).fetchall()
    return [Fact(*row) for row in found]


def put_fact(cursor: sqlite3.Cursor, key: str, value: bytes, before: bytes | None) -> bool:
    there = fact(cursor, key)
    if there == value:
        return True  # Sent again, perhaps: it is as the caller wants it.
    if there != before:
        return False
    cursor.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, value))
    return True
