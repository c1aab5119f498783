"""What all connections of a process share: the limits, one flush a turn, one sweep, the end."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

import structlog

from gamehall.limits import Gate, Limits
from gamehall.wire.net.codec import Garbled

log = structlog.get_logger(__name__)

if TYPE_CHECKING:
    from gamehall.wire.net.one_port import Front
    from gamehall.wire.net.shell import Channel
    from gamehall.wire.net.tcp import TcpChannel

T = TypeVar("T")

SWEEP_SECONDS = 1.0
IDLE_SWEEPS = 4
"""How often a connection is looked at within `limits.idle_seconds`."""
PARTINGS_MAX = 1000
"""How many that were turned away may take their time to read why."""


class Deadlines(Generic[T]):
    """Things that have the same time each, from when they are added. 0 seconds: for ever."""

    __slots__ = ("_due", "_expire", "seconds")

    def __init__(self, seconds: float, expire: Callable[[T], None]) -> None:
        self.seconds = seconds
        self._expire = expire
        # In the order of their deadlines, since all have the same time.
        self._due: dict[T, float] = {}

    def __len__(self) -> int:
        return len(self._due)

    def add(self, thing: T) -> None:
        if self.seconds > 0:
            self._due[thing] = monotonic() + self.seconds

    def discard(self, thing: T) -> None:
        self._due.pop(thing, None)

    def sweep(self, now: float) -> None:
        """Takes out those whose time is over by then, and lets each of them expire."""
        while self._due:
            thing, due = next(iter(self._due.items()))
            if due > now:
                return
            del self._due[thing]
            self._expire(thing)


class Parting(asyncio.Protocol):
    """A connection that has been told goodbye: reads on, so that the peer gets to read that.

    To close a socket that holds unread input resets the connection, and a reset may destroy what
    was sent last. So only our side is shut down, and the peer's input is thrown away until it
    closes too or the time is over.
    """

    __slots__ = ("_ended", "_partings", "transport")

    def __init__(
        self,
        transport: asyncio.Transport,
        partings: Deadlines[Parting],
        ended: Callable[[], None],
    ) -> None:
        self.transport = transport
        self._partings = partings
        self._ended = ended
        partings.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._partings.discard(self)
        self._ended()


class Doorkeeper:
    """Keeps order among all connections. One for all doors, made inside a running loop."""

    def __init__(
        self,
        limits: Limits,
        *,
        head_seconds: float = 10.0,
        close_seconds: float = 5.0,
        half_close_seconds: float = 2.0,
    ) -> None:
        self.limits = limits
        self.gate = Gate(limits)
        self.unsent_bytes = limits.unsent_bytes or sys.maxsize
        self.behind_bytes = self.unsent_bytes // 2
        limited = limits.messages_per_second > 0 and limits.messages_burst > 0
        self.message_seconds = 1 / limits.messages_per_second if limited else 0.0
        # Half a message more, since the sum of many floats is not exact.
        burst = limits.messages_burst + 0.5
        self.burst_seconds = burst * self.message_seconds if limited else math.inf

        self.heads: Deadlines[Front] = Deadlines(head_seconds, lambda front: front.time_out())
        self.unnamed: Deadlines[Channel] = Deadlines(limits.hello_seconds, self._tire)
        self.half_closed: Deadlines[TcpChannel] = Deadlines(
            half_close_seconds, lambda channel: channel.close()
        )
        self._partings: Deadlines[Parting] = Deadlines(
            close_seconds, lambda parting: parting.transport.abort()
        )
        self.stopping = False
        """Whether everyone has been told that the hall stops."""
        self._channels: set[Channel] = set()
        self._empty = asyncio.Event()
        self._empty.set()
        self._dirty: list[Channel] = []
        self.loop = asyncio.get_running_loop()
        self._sweeper = self.loop.create_task(self._sweep())

    # For channels and shells.

    @property
    def crowded(self) -> bool:
        """Whether there is no room even for saying no: cut off instead."""
        return len(self._partings) >= PARTINGS_MAX

    def enter(self, channel: Channel) -> None:
        """A connection that the gate has admitted."""
        self._channels.add(channel)
        self._empty.clear()
        self.unnamed.add(channel)

    def leave(self, channel: Channel) -> None:
        if channel not in self._channels:
            return
        self._channels.remove(channel)
        self.gate.release(channel.address)
        self.unnamed.discard(channel)
        if not self._channels:
            self._empty.set()

    def flush_soon(self, channel: Channel) -> None:
        """Flushes the channel at the end of this turn of the loop, together with all others."""
        if not self._dirty:
            self.loop.call_soon(self._flush)
        self._dirty.append(channel)

    def see_off(
        self, transport: asyncio.Transport, ended: Callable[[], None], peer_done: bool = False
    ) -> None:
        """Ends a connection after what it was told last; `ended` is called when it is gone."""
        transport.set_protocol(Parting(transport, self._partings, ended))
        if transport.is_closing():
            return
        if peer_done:
            transport.close()
        else:
            try:
                transport.write_eof()
            except OSError:
                transport.abort()  # The peer has reset it, which the loop has not seen yet.
            else:
                transport.resume_reading()

    # For the operator.

    def announce(self, seconds: float) -> None:
        """Tells every connection that the hall will stop."""
        self.stopping = True
        for channel in list(self._channels):
            channel.announce(seconds)

    async def close(self, code: int = 1001, reason: str = "The hall is stopping.") -> None:
        """Closes every connection, and returns when they are gone: after `close_seconds` at most.

        Doors have to stop listening first.
        """
        for channel in list(self._channels):
            channel.close(code, reason)
        await self._empty.wait()
        for strangers in (self.heads, self._partings):
            strangers.sweep(math.inf)
        self._sweeper.cancel()
        with suppress(asyncio.CancelledError):
            await self._sweeper

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, []
        for channel in dirty:
            try:
                channel.flush()
            except Exception:
                log.exception("flush_fault", address=channel.address)
                channel.abort()

    def _tire(self, channel: Channel) -> None:
        reason = f"Nobody has said hello within {self.limits.hello_seconds:g} seconds."
        channel.refuse(Garbled(reason, "not_logged_in", True, 1008))

    async def _sweep(self) -> None:
        all_deadlines = (self.heads, self.unnamed, self.half_closed, self._partings)
        idle_seconds = self.limits.idle_seconds / IDLE_SWEEPS
        spans = [idle_seconds, *(deadlines.seconds / 4 for deadlines in all_deadlines)]
        pause_seconds = min(SWEEP_SECONDS, *(span for span in spans if span > 0))
        idle_due = monotonic() + idle_seconds if idle_seconds > 0 else math.inf
        while True:
            await asyncio.sleep(pause_seconds)
            now = monotonic()
            try:
                for deadlines in all_deadlines:
                    deadlines.sweep(now)
                if idle_due <= now:
                    idle_due = now + idle_seconds
                    for channel in list(self._channels):
                        channel.swept()
            except Exception:
                # Without the sweep, no limit of time would hold any more.
                log.exception("sweep_fault")
