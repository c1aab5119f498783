"""Whether a file is ours, and how older ones become current."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from gamehall.store.sqlite.versions import FACTS_VERSION, MIGRATIONS
from gamehall.store.store import CannotOpen, check_newest, check_version

APPLICATION_ID = 0x47_48_41_4C
"""Tells our files from those of other programs."""


def check_current(connection: sqlite3.Connection, path: Path) -> None:
    """Raises CannotOpen unless the file is ours, and of the newest version."""
    version = _version(connection, path, len(MIGRATIONS))
    check_newest(str(path), version, len(MIGRATIONS))


def has_facts(connection: sqlite3.Connection, path: Path) -> bool:
    """Raises CannotOpen unless the file is ours, and of a version that we know."""
    return _version(connection, path, len(MIGRATIONS)) >= FACTS_VERSION


def migrate(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[Sequence[str]] = MIGRATIONS
) -> None:
    """Brings the file to the newest version, one transaction for each step."""
    version = _version(connection, path, len(migrations))
    for next_version, statements in enumerate(migrations[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {next_version}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    """0 for a new file. Raises CannotOpen for one of another program or of a later version."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    used = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application != APPLICATION_ID and (application or version or used):
        raise CannotOpen(f"{path} holds the data of another program. Name another file.")
    check_version(str(path), "file", version, newest)
    return version
