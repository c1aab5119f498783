"""What a connection is to a dialect, over TCP or WebSocket.

A shell (websocket.py, tcp.py) reads bytes, has a codec cut them into messages and hands those to
the dialect's `Conversation`, one per connection. The dialect answers through the `Channel`. All
waiting, limiting, closing and dropping is done here, so that a dialect only translates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Literal

import structlog

from gamehall.wire.net.codec import Garbled

if TYPE_CHECKING:
    import asyncio

    from gamehall.wire.net.keeper import Doorkeeper

log = structlog.get_logger(__name__)

Kind = Literal["ws", "tcp"]

REFUSED_WINDOW_SECONDS = 10.0
"""A client with more than `messages_burst` refused messages within this time is closed."""


class Conversation:
    """What a dialect implements, for each connection. By itself it takes no notice of anything."""

    __slots__ = ()

    def received(self, message: bytes) -> None:
        """One complete message has come."""

    def garbled(self, garbled: Garbled) -> None:
        """Answer it in the dialect's form. The shell closes afterwards if it is fatal."""

    def half_closed(self) -> None:
        """The peer sends no more, and still reads the answers to what it has sent."""

    def lost(self) -> None:
        """The connection is gone. Called exactly once, and nothing after it."""

    def drained(self) -> None:
        """The peer has read all it was owed, after `Channel.offer` had skipped something."""

    def going_away(self, seconds: float) -> None:
        """A planned stop: tell the peer. The shell closes later."""


Converse = Callable[["Channel"], Conversation]
"""How a dialect begins a conversation. It may already send."""


NOBODY = Conversation()
"""Takes the part of the dialect before a conversation begins and after it has ended."""


@dataclass(slots=True, eq=False, repr=False)
class Channel:
    """A connection, as its dialect sees it. Nothing here waits, and after a close nothing is sent.

    What is sent in one turn of the loop leaves in one write, in order.
    """

    kind: ClassVar[Kind]
    _keeper: Doorkeeper
    _transport: asyncio.Transport
    address: str
    """The peer's IP address; behind a trusted proxy, that of the proxy's client."""
    peer_done: bool = False
    """Whether the peer has shut its side down: it sends no more, but still reads."""
    hung_up: bool = False
    """Whether it was the peer that has ended the connection, not the hall."""
    _conversation: Conversation = NOBODY
    _queue: list[bytes] = field(default_factory=list)
    _queued_bytes: int = 0
    _behind: bool = False
    _skipped: bool = False
    _closing: bool = False
    _burst_seconds: float = 0.0
    _paid_until: float = 0.0
    _refused: int = 0
    _refused_since: float = 0.0

    def __post_init__(self) -> None:
        self._burst_seconds = self._keeper.burst_seconds

    # For the dialect.

    @staticmethod
    def frame(payload: bytes) -> bytes:
        """The payload as it goes over the wire: the same for all channels of a kind."""
        raise NotImplementedError

    @staticmethod
    def packet(payload: bytes) -> bytes:
        """As `frame`, for dialects of binary packets."""
        raise NotImplementedError

    def send(self, frame: bytes) -> bool:
        """Queues what `frame` gave; False if the connection is closing.

        A peer that leaves too much unread is dropped: what it is owed cannot be skipped.
        """
        if self._closing:
            return False
        queue = self._queue
        if not queue:
            self._keeper.flush_soon(self)
        queue.append(frame)
        self._queued_bytes += len(frame)
        if self._behind or self._queued_bytes > self._keeper.unsent_bytes:
            return self._bear()
        return True

    @property
    def behind_bytes(self) -> int:
        """How much may be unsent before `offer` skips."""
        return self._keeper.behind_bytes

    def offer(self, frame: bytes) -> bool:
        """Like `send`, but False and not sent if the peer is behind; `drained` follows then."""
        queued_bytes = self._queued_bytes
        if self._behind or self._closing or queued_bytes > self._keeper.behind_bytes:
            if not self._closing and self._unsent_bytes() > self._keeper.behind_bytes:
                self._skipped = True
                return False
            return self.send(frame)
        # As `send`, without a call: one message may go to thousands.
        if not self._queue:
            self._keeper.flush_soon(self)
        self._queue.append(frame)
        self._queued_bytes = queued_bytes + len(frame)
        return self._queued_bytes <= self._keeper.unsent_bytes or self._bear()

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Sends what is queued and closes; a peer that does not take it in time is cut off."""
        if self._closing:
            return
        self._closing = True
        self._queue.append(self._farewell(code, reason))
        self._transport.write(b"".join(self._queue))
        self._queue.clear()
        self._keeper.see_off(self._transport, self.ended, self.peer_done)

    def abort(self) -> None:
        """Cuts the connection off; what is queued is not sent."""
        self._closing = True
        self._queue.clear()
        self._transport.abort()

    def hello_done(self) -> None:
        """The client has named itself, or need not: `limits.hello_seconds` no longer applies."""
        self._keeper.unnamed.discard(self)

    def allow_burst(self, messages: int) -> None:
        """So many may come at once before the rate counts, if that is more than for others."""
        seconds = messages * self._keeper.message_seconds
        self._burst_seconds = max(self._burst_seconds, seconds)

    async def answers(self, seconds: float) -> bool:
        """Whether the peer shows a sign of life within that time. Where none can be asked for, the
        kernel sees to it that a connection has one."""
        return not self._closing

    def pause(self) -> None:
        """Reads no more for now. What has been read already may still be `received`."""
        if not self._closing:
            self._transport.pause_reading()

    def resume(self) -> None:
        """Goes on reading."""
        if not self._closing:
            self._transport.resume_reading()

    # For the shells.

    def open(self, converse: Converse) -> None:
        """Begins the conversation of a connection that the gate has admitted."""
        # So the transport says when anything stays unsent, and when all of it is gone again.
        self._transport.set_write_buffer_limits(high=0)
        self._keeper.enter(self)
        self._begin(converse)

    def turn_away(self, converse: Converse, reason: str) -> None:
        """Answers a connection that the gate has not admitted, in the dialect's form."""
        self._begin(converse)
        self.refuse(Garbled(reason, "too_many", True, 1013))

    def deliver(self, message: bytes | Garbled) -> None:
        """Hands on what the codec has found, if the rate allows it."""
        if self._closing:
            return
        if isinstance(message, Garbled):
            if self._pays(None):
                self.refuse(message)
            return
        if not self._pays(message):
            return
        try:
            self._conversation.received(message)
        except Exception:
            log.exception("conversation_fault", address=self.address)
            self._fail()

    def refuse(self, garbled: Garbled) -> None:
        """Lets the dialect answer it, and closes if it is fatal."""
        if self._closing:
            return
        self._tell(lambda: self._conversation.garbled(garbled))
        if garbled.fatal:
            log.info("connection_refused", address=self.address, reason=garbled.reason)
            self.close(garbled.close_code, garbled.reason)

    def flush(self) -> None:
        """Writes what was queued since the last time."""
        queue = self._queue
        if queue:
            data = queue[0] if len(queue) == 1 else b"".join(queue)
            queue.clear()
            self._queued_bytes = 0
            self._transport.write(data)
        if self._skipped and not self._behind:
            self.caught_up()

    def fell_behind(self) -> None:
        """The transport holds something that the peer has not taken."""
        self._behind = True

    def caught_up(self) -> None:
        """The transport holds nothing any more."""
        self._behind = False
        if self._skipped and not self._closing:
            self._skipped = False
            self._tell(lambda: self._conversation.drained())

    def announce(self, seconds: float) -> None:
        """Lets the dialect say that the hall will stop."""
        if not self._closing:
            self._tell(lambda: self._conversation.going_away(seconds))

    def swept(self) -> None:
        """A quarter of `limits.idle_seconds` has gone by. The shell looks for signs of life."""

    def half_close(self) -> None:
        """The peer has shut its side down."""
        self.peer_done = True
        self._note_who_ends()
        self._tell(lambda: self._conversation.half_closed())

    def hang_up(self) -> None:
        """The peer has said that it ends the connection."""
        self._note_who_ends()
        self.close()

    def _note_who_ends(self) -> None:
        # Who goes when the hall stops has been asked to.
        if not self._closing and not self._keeper.stopping:
            self.hung_up = True

    def ended(self, exc: Exception | None = None) -> None:
        """The transport is gone; `exc` is what the kernel said of it, if anything."""
        # A peer that is out of reach has not hung up: the kernel gave it up (ETIMEDOUT and such).
        if exc is None or isinstance(exc, ConnectionError):
            self._note_who_ends()
        self._closing = True
        self._queue.clear()
        self._keeper.leave(self)
        self._tell(lambda: self._conversation.lost())
        # Each holds the other; without this they would wait for the garbage collector.
        self._conversation = NOBODY

    def _begin(self, converse: Converse) -> None:
        def begin() -> None:
            self._conversation = converse(self)

        self._tell(begin)

    def _tell(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:
            log.exception("conversation_fault", address=self.address)
            self._fail()

    def _fail(self) -> None:
        self.close(1011, "Something went wrong here.")

    def _farewell(self, code: int, reason: str) -> bytes:
        return b""

    def _unsent_bytes(self) -> int:
        return self._queued_bytes + self._transport.get_write_buffer_size()

    def _bear(self) -> bool:
        unsent_bytes = self._unsent_bytes()
        if unsent_bytes <= self._keeper.unsent_bytes:
            return True
        log.info("slow_reader_dropped", address=self.address, unsent_bytes=unsent_bytes)
        self.abort()
        return False

    def _pays(self, message: bytes | None) -> bool:
        """Whether the rate allows one more message; if not, it has been refused."""
        # A bucket of tokens, kept as the time at which it is full again.
        keeper = self._keeper
        now = monotonic()
        paid_until = self._paid_until
        if paid_until < now:
            paid_until = now
        paid_until += keeper.message_seconds
        if paid_until - now <= self._burst_seconds:
            self._paid_until = paid_until
            return True
        if now - self._refused_since > REFUSED_WINDOW_SECONDS:
            self._refused_since = now
            self._refused = 0
        self._refused += 1
        fatal = self._refused > keeper.limits.messages_burst
        reason = "Too many messages at once. Wait a moment and send it again."
        self.refuse(Garbled(reason, "rate_limited", fatal, 1008, message))
        return False
