"""The SQLite file: locked, opened for the writer and for readers, emptied of its log, closed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import structlog

from gamehall.store.file_lock import FileLock, InUse, NotWritable
from gamehall.store.sqlite.schema import check_current, has_facts, migrate
from gamehall.store.store import CannotOpen

log = structlog.get_logger(__name__)

Mode = Literal["rwc", "rw", "ro"]

AUTOCHECKPOINT_PAGES = 4000
"""16 MB of log before it is copied into the file, which takes two more syncs."""
EMPTY_WAIT_MS = 100
"""How long the hall's own readers, which are quick, are waited for when the log is emptied."""


def lock_file(path: Path) -> FileLock:
    """Keeps other halls from the file, wherever their data folders are. Raises CannotOpen."""
    # By its real name, as SQLite names the log beside it.
    real = path.resolve()
    try:
        if real.is_file() and real.stat().st_nlink > 1:
            # Under another name it has another lock, and another log.
            raise CannotOpen(
                f"{path} has other names (hard links), under which another hall could write to it. "
                "Delete them, or name a copy of the file."
            )
        return FileLock(real.with_name(f"{real.name}-in-use"))
    except InUse:
        raise CannotOpen(
            f"{path} is in use by another hall. Stop it, or name another file with store.url."
        ) from None
    except (NotWritable, OSError):
        raise CannotOpen(_out_of_reach(path)) from None


def has_content(path: Path) -> bool:
    """Whether there is a file with something in it. Raises CannotOpen where that cannot be seen."""
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        raise CannotOpen(_out_of_reach(path)) from None


def open_writer(path: Path, *, create: bool) -> sqlite3.Connection:
    """A connection for the one writer, to a file of the current version.

    All that the file shows is on the disk when this returns, even what a process left behind that
    was killed before its commit was synced, or whose commit failed. Those commits are shown only
    when the log is read anew, by the first who opens the file. So who reads now either sees
    them too, and they are copied into the file and synced; or has been reading since before, and
    they are not shown, and the next commit is written over them. Other commits were synced before
    anybody could see them. Nobody has to stop reading for this.

    Raises:
        CannotOpen: it is no file of ours, or it cannot be read and written.
    """
    return _opened(path, _prepare_writer, mode="rwc" if create else "rw", wait_seconds=2)


def open_reader(path: Path, *, wait_seconds: float) -> sqlite3.Connection:
    """A connection that cannot write. Raises CannotOpen."""
    return _opened(path, _prepare_reader, mode="rw", wait_seconds=wait_seconds)


def open_audit(path: Path) -> sqlite3.Connection:
    """A connection in a transaction: whatever others write, it sees the file as it is now.

    Not a byte of the file or of its log is changed, not even by the log's recovery. Raises
    CannotOpen.
    """
    return _opened(path, _prepare_audit, mode="ro", wait_seconds=10)


def read_fact(path: Path, key: str) -> bytes | None:
    """A fact of a file that nobody has opened yet; None if it is older than facts are. As for an
    audit, not a byte is changed. Raises CannotOpen."""
    found: list[bytes] = []

    def look(connection: sqlite3.Connection, path: Path) -> None:
        if has_facts(connection, path):
            rows = connection.execute("SELECT value FROM facts WHERE key = ?", (key,))
            found.extend(value for (value,) in rows)

    close(_opened(path, look, mode="ro", wait_seconds=2))
    return found[0] if found else None


def connect(path: Path, *, mode: Mode, wait_seconds: float) -> sqlite3.Connection:
    """Only in the mode `rwc` is a file made where there is none."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=wait_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


def empty_log(connection: sqlite3.Connection) -> None:
    """Copies the write-ahead log into the file and empties it. Where somebody reads an older state,
    all is copied that this reader sees; the rest stays in the log."""
    connection.execute(f"PRAGMA busy_timeout = {EMPTY_WAIT_MS}")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        # Everything else runs on the event loop's thread, which must not wait for a lock.
        connection.execute("PRAGMA busy_timeout = 0")


def close(connection: sqlite3.Connection) -> None:
    """Closes it whatever state it is in; a transaction that is open is rolled back."""
    try:
        connection.close()
    except sqlite3.Error as error:
        log.error("close_failed", error=str(error))


def _opened(
    path: Path,
    prepare: Callable[[sqlite3.Connection, Path], None],
    *,
    mode: Mode,
    wait_seconds: float,
) -> sqlite3.Connection:
    try:
        connection = connect(path, mode=mode, wait_seconds=wait_seconds)
        try:
            prepare(connection, path)
        except BaseException:
            close(connection)
            raise
    except sqlite3.Error as error:
        raise CannotOpen(_reason(path, error)) from error
    return connection


def _prepare_reader(connection: sqlite3.Connection, _: Path) -> None:
    connection.execute("PRAGMA query_only = 1")
    # The first read maps the log's index; later the disk may be too full for that.
    connection.execute("SELECT count(*) FROM counters").fetchone()


def _prepare_audit(connection: sqlite3.Connection, path: Path) -> None:
    check_current(connection, path)
    connection.execute("BEGIN")
    # A transaction sees what is there when it first reads.
    connection.execute("SELECT count(*) FROM counters").fetchone()


def _prepare_writer(connection: sqlite3.Connection, path: Path) -> None:
    # The version is judged before anything is changed, so that a foreign file stays as it was.
    migrate(connection, path)
    # SQLite opens a file for reading that it cannot write to, and does not say so.
    if not os.access(path, os.W_OK):
        raise CannotOpen(f"{path} is read-only for this user. Allow it to write to the file.")
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise CannotOpen(f"{path} lies where SQLite cannot keep a write-ahead log. Move it.")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {AUTOCHECKPOINT_PAGES}")
    # 16 MB: the pages that moves at some thousand open tables touch.
    connection.execute("PRAGMA cache_size = -16000")
    empty_log(connection)


def _reason(path: Path, error: sqlite3.Error) -> str:
    code = error.sqlite_errorcode & 0xFF if hasattr(error, "sqlite_errorcode") else None
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a database. Name another file."
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return _out_of_reach(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} is locked by another program."
    if code == sqlite3.SQLITE_CORRUPT:
        return (
            f"{path} is damaged, or {path}-wal is not its log. If you have just put back a backup, "
            f"move {path}-wal and {path}-shm away: they are of the file before. If not, put back a "
            "backup."
        )
    return f"{path} cannot be opened: {error}."


def _out_of_reach(path: Path) -> str:
    return f"{path} cannot be opened: does its folder exist, and may this user write there?"
