"""From bytes to messages: pure objects, one per connection, that own no socket.

A message that cannot be read is a value, `Garbled`, at its place among the others. So what came
before it survives, and the result never depends on how the stream was cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec

TEXT = 0x1
BINARY = 0x2
CONTINUATION = 0x0

_WRONG_KIND = {
    False: "This door takes text messages, not binary.",
    True: "This door takes binary messages, not text.",
}


class Garbled(msgspec.Struct, frozen=True):
    """What came in place of a message. A fatal one is the last: after it the framing is lost."""

    reason: str
    code: str
    fatal: bool
    close_code: int = 1002
    """What a WebSocket says when it closes because of it."""
    message: bytes | None = None
    """What was sent, where it could be read and is refused unread: a dialect may answer in kind."""


class Codec(Protocol):
    """How a byte stream is cut into messages."""

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        """The messages that `data` completes, in order. Nothing follows a fatal `Garbled`."""


def _not_text(fatal: bool) -> Garbled:
    return Garbled("This message is not valid UTF-8.", "bad_request", fatal, 1007)


def too_large(max_bytes: int) -> Garbled:
    """The refusal of a message longer than `max_bytes`."""
    reason = f"This message is larger than the {max_bytes} bytes that are accepted."
    return Garbled(reason, "too_large", True, 1009)


def _is_utf8(message: bytes) -> bool:
    # Most messages are ASCII, and to see that is much cheaper than to decode.
    if message.isascii():
        return True
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


@dataclass(slots=True, eq=False, repr=False)
class LineCodec:
    """Lines of UTF-8, without their end (`\\n` or `\\r\\n`); blank ones are left out."""

    _max_bytes: int
    _unfinished: bytearray | None = None
    _lost: bool = False

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        if self._lost:
            return []
        lines = data.split(b"\n")
        rest = lines.pop()
        if lines and self._unfinished is not None:
            lines[0] = bytes(self._unfinished + lines[0])
            self._unfinished = None
        found: list[bytes | Garbled] = []
        for line in lines:
            message = self._message(line)
            if message is not None:
                found.append(message)
                if self._lost:
                    return found
        if rest and self._keep(rest):
            found.append(self._lose())
        return found

    def _message(self, line: bytes) -> bytes | Garbled | None:
        if line.endswith(b"\r"):
            line = line[:-1]
        if 0 < self._max_bytes < len(line):
            return self._lose()
        if not line or line.isspace():
            return None
        return line if _is_utf8(line) else _not_text(fatal=False)

    def _keep(self, rest: bytes) -> bool:
        """Whether the unfinished line is too long already, however it may end."""
        if self._unfinished is None:
            self._unfinished = bytearray()
        # Grown in place: a line that comes byte by byte still costs no more than its length.
        self._unfinished += rest
        # A carriage return in the last place may belong to the line's end.
        length = len(self._unfinished) - self._unfinished.endswith(b"\r")
        return 0 < self._max_bytes < length

    def _lose(self) -> Garbled:
        self._lost = True
        self._unfinished = None
        return too_large(self._max_bytes)


@dataclass(slots=True, eq=False, repr=False)
class FrameJoiner:
    """Whole messages from the data frames of a WebSocket; blank ones are left out.

    A dialect is of text or of `binary` messages, and the others are refused.
    """

    _max_bytes: int
    _binary: bool = False
    _opcode: int = CONTINUATION
    _joined: bytearray | None = None
    _empty: int = 0
    _lost: bool = False

    def feed(self, opcode: int, fin: bool, payload: bytes) -> bytes | Garbled | None:
        """The message that this frame completes. None after a fatal `Garbled`."""
        if self._lost:
            return None
        if self._joined is None:
            if opcode == CONTINUATION:
                return self._lose(_misplaced("A fragment came without its beginning."))
            if 0 < self._max_bytes < len(payload):
                return self._lose(too_large(self._max_bytes))
            if fin:
                return self._message(opcode, payload)
            self._opcode = opcode
            self._joined = bytearray(payload)
            self._empty = 0
            return None
        if opcode != CONTINUATION:
            return self._lose(_misplaced("A message began inside another one."))
        self._joined += payload
        # An empty fragment with more to come counts as a byte; else they could go on for ever.
        self._empty += not payload and not fin
        if 0 < self._max_bytes < len(self._joined) + self._empty:
            return self._lose(too_large(self._max_bytes))
        if not fin:
            return None
        whole, self._joined = bytes(self._joined), None
        return self._message(self._opcode, whole)

    def _message(self, opcode: int, payload: bytes) -> bytes | Garbled | None:
        if (opcode == BINARY) != self._binary:
            return Garbled(_WRONG_KIND[self._binary], "bad_request", False)
        if self._binary:
            return payload or None
        if not payload or payload.isspace():
            return None
        return payload if _is_utf8(payload) else self._lose(_not_text(fatal=True))

    def _lose(self, garbled: Garbled) -> Garbled:
        self._lost = True
        self._joined = None
        return garbled


def _misplaced(reason: str) -> Garbled:
    return Garbled(reason, "bad_request", True, 1002)
