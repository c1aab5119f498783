"""Packets to one client, spaced out: for clients that take one read for one packet.

TCP is a stream: two packets that are written at once arrive in one read. With a gap between them
each arrives alone, as long as the client keeps reading.
"""

from __future__ import annotations

import asyncio
from collections import deque

import structlog

from gamehall.wire.net.shell import Channel

log = structlog.get_logger(__name__)

WAITING_MAX = 1024
"""Packets that wait for their gap. The longest that is owed at once is a game played so far."""


class Outbox:
    """Sends in order, with a gap after each packet. Without a task: one timer at a time."""

    __slots__ = ("_channel", "_gap_seconds", "_loop", "_pause", "_waiting", "ends")

    def __init__(self, channel: Channel, gap_seconds: float) -> None:
        self._channel = channel
        self._gap_seconds = gap_seconds
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[bytes] = deque()
        self._pause: asyncio.Handle | None = None
        """Runs from one packet to the end of the gap after it."""
        self.ends = False
        """Whether nothing is taken any more."""

    def hurry(self) -> None:
        """From now on there is no gap: the client parses by length."""
        self._gap_seconds = 0.0

    def send(self, packet: bytes) -> None:
        if self.ends:
            return
        if self._pause is None:
            self._put(packet)
        elif len(self._waiting) < WAITING_MAX:
            self._waiting.append(packet)
        else:
            log.info("slow_reader_dropped", address=self._channel.address)
            self._channel.abort()

    def send_last(self, packet: bytes) -> None:
        """The packet and nothing after it, at once: the shell closes."""
        self.stop()
        self._channel.send(packet)

    def finish(self) -> None:
        """Closes the connection when all is sent; nothing more is."""
        self.ends = True
        if self._pause is None:
            self._channel.close()

    def stop(self) -> None:
        """The connection is gone, or about to: what waits is dropped."""
        self.ends = True
        self._waiting.clear()
        if self._pause is not None:
            self._pause.cancel()

    def _put(self, packet: bytes) -> None:
        self._channel.send(packet)
        if self._gap_seconds > 0:
            # The keeper flushes in the next turn, and the loop writes at that turn's end. Only
            # then the gap begins: a loop that is held up in between must not shorten it.
            self._pause = self._loop.call_soon(self._flushed)

    def _flushed(self) -> None:
        self._pause = self._loop.call_soon(self._written)

    def _written(self) -> None:
        self._pause = self._loop.call_later(self._gap_seconds, self._go_on)

    def _go_on(self) -> None:
        self._pause = None
        while self._waiting and self._pause is None:
            self._put(self._waiting.popleft())
        if self.ends and self._pause is None:
            self._channel.close()
