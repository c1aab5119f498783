"""Time, as the hall sees it: injected, so that tests can make it pass."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol


class Alarm(Protocol):
    def cancel(self) -> object: ...


class Clock(Protocol):
    def now_ms(self) -> int:
        """Unix time in milliseconds."""

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> Alarm:
        """Calls back on the event loop when `due_ms` has come, at once if it has passed."""

    def correct(self, behind_ms: int) -> None:
        """Another clock, which counts, is that far ahead."""

    def seconds(self) -> float:
        """Seconds of a clock that nobody sets, and that runs on while the machine sleeps."""


now: Callable[[], float] = time.monotonic
"""Seconds of a clock that nobody sets. Where there is one, of one that runs on while the whole
machine sleeps."""
if sys.platform == "linux":
    now = partial(time.clock_gettime, time.CLOCK_BOOTTIME)


class SystemClock:
    """The machine's time at the start, and what has passed since by a clock that nobody sets: if
    the machine's own is set, no timer waits longer or rings early."""

    def __init__(self, wrong_by_ms: int = 0) -> None:
        """`wrong_by_ms`: for tests of machines whose clocks differ."""
        self._start_ms = time.time() * 1000 - now() * 1000 + wrong_by_ms

    def now_ms(self) -> int:
        return int(self._start_ms + now() * 1000)

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> Alarm:
        # At most a day ahead at once: the loop does not count while the machine sleeps.
        left_seconds = (due_ms - self._start_ms) / 1000 - now()
        return asyncio.get_running_loop().call_later(
            min(max(0.0, left_seconds), 86_400.0), callback
        )

    def correct(self, behind_ms: int) -> None:
        self._start_ms += behind_ms

    def seconds(self) -> float:
        return now()


@dataclass(slots=True, eq=False, repr=False)
class TableTime:
    """A table's own time: never behind its journal, and never standing still.

    It is the clock's. But where the journal's last row lies in the future, because the clock was
    set back since, it goes on from that row: what is due in ten seconds waits ten seconds, and not
    until the clock has caught up.
    """

    last_ms: int = 0
    """When anything was last asked for, or written."""
    ahead_ms: int = 0
    """Of the clock."""

    def at(self, now_ms: int) -> int:
        """The table's time when it is `now_ms` by the clock."""
        behind_ms = self.last_ms - self.ahead_ms - now_ms
        if behind_ms > 0:
            self.ahead_ms += behind_ms
        return now_ms + self.ahead_ms
