"""The write-ahead log, kept short although readers may keep it from starting over.

SQLite copies the log into the file within a commit, whenever it has grown by 16 MB, and starts it
over. While somebody reads an older state (the doctor, a backup), it can do neither, and the log
grows. What has gathered by the time the reader leaves would take long to copy. So a long log is
copied beside the writer, whose commits go on; they copy nothing meanwhile, and the writer only has
to do the rest and to cut it off.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gamehall.store.sqlite.file import AUTOCHECKPOINT_PAGES, close, connect

LOG_BYTES_MAX = 64_000_000
"""From here on the log is long."""
LOOK_SECONDS = 1.0


@dataclass(eq=False)
class LongLog:
    """Looks after the log of a file from time to time, whether anybody writes or not."""

    _path: Path
    _copied: Callable[[], None]
    """Called when the writer should cut a long log off."""
    _failed: Callable[[Exception], None]
    """Called when it could not be copied; being read is no failure."""

    def __post_init__(self) -> None:
        # Beside the file itself, where a link leads to it.
        self._log_path = f"{self._path.resolve()}-wal"
        self._timer: asyncio.TimerHandle | None = None
        self._copying: asyncio.Future[bool] | None = None
        self.is_long = False
        self._is_held = False

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._look()

    async def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._copying is not None:
            await asyncio.wait([self._copying])

    def hold(self, connection: sqlite3.Connection) -> None:
        """Makes the writer's commits copy a short log, and leave a long one alone."""
        if self._is_held != self.is_long:
            self._is_held = self.is_long
            pages = 0 if self.is_long else AUTOCHECKPOINT_PAGES
            connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")

    def reopened(self) -> None:
        """The writer has a new connection, on which nothing is held yet."""
        self._is_held = False

    def _look(self) -> None:
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)
        try:
            self.is_long = os.stat(self._log_path).st_size > LOG_BYTES_MAX
        except FileNotFoundError:
            self.is_long = False
        if self.is_long and self._copying is None:
            self._copying = self._loop.run_in_executor(None, _copy, self._path)
            self._copying.add_done_callback(self._tried)

    def _tried(self, copying: asyncio.Future[bool]) -> None:
        self._copying = None
        error = copying.exception()
        if isinstance(error, Exception):
            self._failed(error)
        elif copying.result():
            self._copied()


def _copy(path: Path) -> bool:
    """Copies as much of the log into the file as readers allow. True if that is all of it. Nobody
    waits for this meanwhile."""
    connection = connect(path, mode="rw", wait_seconds=0)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        busy, pages, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return not busy and pages == copied
    finally:
        close(connection)
