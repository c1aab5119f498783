"""Time, as the hall sees it: injected, so that tests can make it pass."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
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


class SystemClock:
    def __init__(self, wrong_by_ms: int = 0) -> None:
        """`wrong_by_ms`: for tests of machines whose clocks differ."""
        self._ahead_ms = wrong_by_ms

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead_ms

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> Alarm:
        # At most a day ahead at once: a longer wait is looked at again, in case the clock was set.
        left_ms = due_ms - self._ahead_ms - time.time_ns() / 1e6
        return asyncio.get_running_loop().call_later(
            min(max(0.0, left_ms / 1000), 86_400.0), callback
        )

    def correct(self, behind_ms: int) -> None:
        self._ahead_ms += behind_ms
