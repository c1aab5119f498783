"""Time that passes only when a test says so."""

from __future__ import annotations

from collections.abc import Callable


class FakeAlarm:
    def __init__(self, due_ms: int, callback: Callable[[], None]) -> None:
        self.due_ms = due_ms
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True
        self.callback = lambda: None  # As the loop's own: it holds nobody any more.


class FakeClock:
    """A clock that stands still until the test moves it."""

    def __init__(self, at_ms: int = 1_000_000) -> None:
        self._at_ms = self._began_ms = at_ms
        self._alarms: list[FakeAlarm] = []

    def now_ms(self) -> int:
        return self._at_ms

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> FakeAlarm:
        alarm = FakeAlarm(due_ms, callback)
        self._alarms.append(alarm)
        return alarm

    def correct(self, behind_ms: int) -> None:
        self._at_ms += behind_ms
        self._began_ms += behind_ms

    def seconds(self) -> float:
        """Monotonic: whatever the time of day is set to, it begins at 0 and never goes back."""
        return (self._at_ms - self._began_ms) / 1000

    def advance(self, ms: int) -> None:
        """Moves the time on; rings what is due on the way, in order, also what that arms."""
        until_ms = self._at_ms + ms
        while True:
            self._alarms = [alarm for alarm in self._alarms if not alarm.cancelled]
            alarm = min(self._alarms, key=lambda alarm: alarm.due_ms, default=None)
            if alarm is None or alarm.due_ms > until_ms:
                break
            self._alarms.remove(alarm)
            self._at_ms = max(self._at_ms, alarm.due_ms)
            alarm.callback()
        self._at_ms = until_ms
