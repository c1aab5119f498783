"""What waits in the writer's queue."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import gamehall.errors as errors
from gamehall.store.appends import NotWritten, Unknown
from gamehall.store.writing import Work


class SqliteWork(Work, Protocol):
    """Something to write. `write` raises HallError only before it has written anything."""

    @property
    def apart(self) -> bool:
        """It takes long: in a transaction of its own, off the loop's thread."""

    def write(self, cursor: sqlite3.Cursor) -> Any: ...


@dataclass(eq=False)
class Change:
    """Work that a caller awaits."""

    rows = 1
    bytes = 1000
    write: Callable[[sqlite3.Cursor], Any]
    _done: asyncio.Future[Any]
    apart: bool

    def answer(self, answer: Any) -> None:
        if self._done.done():
            return  # The caller has gone.
        if isinstance(answer, NotWritten | Unknown):
            self._done.set_exception(errors.Unavailable())
        elif isinstance(answer, errors.HallError):
            self._done.set_exception(answer)
        else:
            self._done.set_result(answer)
