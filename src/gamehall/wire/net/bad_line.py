"""A bad line on request, for development only: it shows the author of a client how that copes.

TCP loses no message silently: what gets lost takes the connection with it, as when a train enters a
tunnel. So a lost message is one that is not delivered, and the connection is cut.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Protocol, cast

import structlog

from gamehall.wire.net.shell import Channel, Conversation, Converse

log = structlog.get_logger(__name__)

WAITING_MAX = 10_000
"""Messages of one connection on their way, in one direction; with more of them it is cut."""


class Faults(Protocol):
    """How bad it is: `config.DevSettings`."""

    @property
    def latency_ms(self) -> float: ...
    @property
    def loss(self) -> float: ...
    @property
    def drop_seconds(self) -> float: ...


def on_a_bad_line(converse: Converse, faults: Faults, rng: Random) -> Converse:
    """The same dialect, every connection with these faults."""

    def begin(channel: Channel) -> Conversation:
        line = _Line(channel, faults, rng)
        # Each has all that is used of what it stands for.
        return cast(Conversation, _FarEnd(line, converse(cast(Channel, line))))

    return begin


class _Way:
    """One direction: things happen in order, each after the latency, or never."""

    def __init__(self, cut: Callable[[], None], faults: Faults, rng: Random) -> None:
        self._cut = cut
        self._latency_seconds = faults.latency_ms / 1000
        self._loss = faults.loss
        self._rng = rng
        self._waiting: deque[Callable[[], Any]] = deque()
        self._loop = asyncio.get_running_loop()

    def put(self, deliver: Callable[[], Any]) -> None:
        if len(self._waiting) >= WAITING_MAX:
            self._cut()
            return
        self._waiting.append(deliver)
        # Whichever of these rings first takes the oldest, so that the order is kept.
        self._loop.call_later(self._latency_seconds, self._next)

    def end(self) -> None:
        self._waiting.clear()

    def _next(self) -> None:
        if not self._waiting:
            return
        deliver = self._waiting.popleft()
        if self._rng.random() < self._loss:
            log.info("message_lost_on_request")
            self._cut()
        else:
            deliver()


class _Line:
    """A channel whose messages take their time. What it does not change is the real one's."""

    def __init__(self, channel: Channel, faults: Faults, rng: Random) -> None:
        self._channel = channel
        self._out = _Way(self.abort, faults, rng)
        self.inward = _Way(self.abort, faults, rng)
        self._drop: asyncio.TimerHandle | None = None
        if faults.drop_seconds:
            seconds = faults.drop_seconds * rng.uniform(0.5, 1.5)
            self._drop = asyncio.get_running_loop().call_later(seconds, self._dropped)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._channel, name)

    def send(self, frame: bytes) -> bool:
        self._out.put(lambda: self._channel.send(frame))
        return True

    def offer(self, frame: bytes) -> bool:
        # Sent, since by the time that it could be skipped nobody waits for the answer any more.
        return self.send(frame)

    def close(self, code: int = 1000, reason: str = "") -> None:
        self._out.put(lambda: self._channel.close(code, reason))

    def abort(self) -> None:
        self.end()
        self._channel.abort()

    def end(self) -> None:
        self._out.end()
        self.inward.end()
        if self._drop is not None:
            self._drop.cancel()

    def _dropped(self) -> None:
        log.info("connection_dropped_on_request", address=self._channel.address)
        self.abort()


class _FarEnd:
    """A conversation to which messages come late. What it does not change is the real one's."""

    def __init__(self, line: _Line, conversation: Conversation) -> None:
        self._line = line
        self._conversation = conversation

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conversation, name)

    def received(self, message: bytes) -> None:
        self._line.inward.put(lambda: self._receive(message))

    def _receive(self, message: bytes) -> None:
        try:
            self._conversation.received(message)
        except Exception:
            log.exception("conversation_fault")
            self._line.close(1011, "Something went wrong here.")

    def half_closed(self) -> None:
        self._line.inward.put(self._conversation.half_closed)

    def lost(self) -> None:
        self._line.end()
        self._conversation.lost()
