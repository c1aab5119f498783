"""A lock on a file's name: one process at a time, on every system."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path


class InUse(Exception):
    """Another one has it."""


class NotWritable(Exception):
    """The lock's file cannot be made or written there. The text says why, as the system does."""


class FileLock:
    """Held until `close`. It ends with the process, however that ends: what is left is a file that
    nobody holds. Raises InUse or NotWritable."""

    def __init__(self, path: Path) -> None:
        # SQLite takes no lock at all on a file that it cannot write to, and does not say so.
        if not os.access(path if os.path.exists(path) else path.parent, os.W_OK):
            raise NotWritable("it is read-only for this user")
        try:
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        except sqlite3.Error as error:
            raise NotWritable(str(error)) from error
        try:
            # Nothing is written, so there is nothing to keep in a file of its own.
            self._connection.execute("PRAGMA journal_mode = MEMORY")
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            self._connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise InUse from None
            raise NotWritable(str(error)) from error

    def close(self) -> None:
        self._connection.close()
