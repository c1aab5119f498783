"""What is said of rooms, held back for a while after a game begins.

Clients exist that build their game in a thread after 100004, and lose all that comes before that
is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from gamehall.wire.net.shell import Channel
from gamehall.wire.practice.messages import Said

Frame = tuple[Said, bytes]


class Pause(msgspec.Struct, eq=False):
    """Holds messages of rooms back, in their order. Without a task: one timer at a time."""

    _channel: Channel
    _seconds: float
    _resume: Callable[[], None]
    """Called after a pause in which something was skipped."""
    _held: list[bytes] = []
    _held_bytes: int = 0
    _afterwards: list[Callable[[], None]] = []
    _skipped: bool = False
    _timer: asyncio.TimerHandle | None = None

    def offer(self, frames: list[Frame]) -> bool:
        """Sends them now or after the pause; False: they were skipped, as in `Channel.offer`. What
        begins or ends a game is never skipped because of a pause."""
        if not frames:
            return True
        begins = frames[0][0] is Said.STARTED
        ends = any(said is Said.ENDED for said, _ in frames)
        send = self._channel.send if ends else self._channel.offer
        data = [frame for _, frame in frames]
        if begins:
            # What was held back of the game before comes first, and the time begins anew.
            self.end()
        if begins and self._seconds > 0:
            if not send(data.pop(0)):
                return False
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self.end)
        if self._timer is not None:
            return self._hold(b"".join(data), needed=begins or ends)
        return send(b"".join(data))

    def _hold(self, data: bytes, *, needed: bool) -> bool:
        if not needed and self._held_bytes + len(data) > self._channel.behind_bytes:
            self._skipped = True
            return False
        if data:
            self._held.append(data)
            self._held_bytes += len(data)
        return True

    def then(self, call: Callable[[], None]) -> None:
        """Calls it once everything held is sent; never, if the connection is lost before that."""
        if self._timer is None:
            call()
        else:
            self._afterwards.append(call)

    def end(self) -> None:
        """Sends what has gathered."""
        self.stop()
        held, self._held, self._held_bytes = self._held, [], 0
        afterwards, self._afterwards = self._afterwards, []
        if not held or self._channel.send(b"".join(held)):
            for call in afterwards:
                call()
        if self._skipped:
            self._skipped = False
            self._resume()

    def stop(self) -> None:
        """The connection is gone, or the pause is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
