"""Packets of little-endian integers of 4 bytes, and of texts that follow their length. Pure: it
owns no socket.

A packet does not say how long it is. Its first number tells, to a reader that knows which packets
may come.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import ClassVar, Generic, TypeVar

from gamehall.errors import BadRequest
from gamehall.wire.net.codec import Garbled

T = TypeVar("T")

Kind = tuple[str, Callable[..., T]]
"""What follows a packet's first number, `i` a number and `s` a text, and what is made of it."""
Kinds = Mapping[int, Kind[T]]
"""The packets that may come, by their first number."""

INT = struct.Struct("<i")


def join(*fields: int | str | bytes) -> bytes:
    """A packet of these fields; texts and bytes follow their length.

    Raises:
        struct.error: a number does not fit into 4 bytes.
    """
    return b"".join([INT.pack(f) if isinstance(f, int) else _counted(f) for f in fields])


def _counted(field: str | bytes) -> bytes:
    data = field.encode() if isinstance(field, str) else field
    return INT.pack(len(data)) + data


class Unreadable(Exception):
    """No packet can begin like this, whatever follows."""


class PacketReader(Generic[T]):
    """Whole packets of one side of one link, in their order.

    One that cannot be read is `Garbled`, and the last: nothing that follows it means anything.
    """

    first: Kinds[T]
    """What may come at the beginning."""
    then: Mapping[type, Kinds[T]] = {}
    """What may come after a packet of this type, where that changes."""
    fatal: ClassVar[bool] = True
    """Whether the shell closes after a `Garbled`."""

    __slots__ = ("_kinds", "_lost", "_max_bytes", "_unread")

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` is how long a packet may be; 0: as long as it likes."""
        self._kinds = self.first
        self._max_bytes = max_bytes
        self._unread = bytearray()
        self._lost = False

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        """As `read`, but each packet as its bytes: so a door's stream is cut."""
        return [p if isinstance(p, Garbled) else raw for p, raw in self._cut(data)]

    def read(self, data: bytes) -> list[T | Garbled]:
        """The packets that these bytes of a stream complete, however it is cut."""
        return [packet for packet, _ in self._cut(data)]

    def message(self, message: bytes) -> T | Garbled | None:
        """The packet that a whole WebSocket message is. None: it is blank, or a `Garbled` came."""
        if self._lost or not message:
            return None
        if 0 < self._max_bytes < len(message):
            return self._lose("A packet cannot be as long as this.")
        found = self.read(message)
        if len(found) != 1 or self._unread:
            return self._lose("A message is one packet, no more and no less.")
        return found[0]

    def _cut(self, data: bytes) -> list[tuple[T | Garbled, bytes]]:
        if self._lost:
            return []
        self._unread += data
        found: list[tuple[T | Garbled, bytes]] = []
        start = 0
        try:
            while (cut := self._packet(start)) is not None:
                packet, end = cut
                found.append((packet, bytes(self._unread[start:end])))
                start = end
                self._kinds = self.then.get(type(packet), self._kinds)
        except Unreadable as error:
            return [*found, (self._lose(str(error)), b"")]
        del self._unread[:start]
        return found

    def _packet(self, start: int) -> tuple[T, int] | None:
        """The packet that begins there, and where it ends; None: it is not all there yet.

        All lengths are looked at before any text is, so that the answer does not depend on what
        has come so far.
        """
        unread, there = self._unread, len(self._unread)
        end = start + 4
        if there < end:
            return None
        kind = self._kind(INT.unpack_from(unread, start)[0], start)
        if kind is None:
            return None
        form, make = kind
        fields: list[int | slice] = []
        for field in form:
            end += 4
            if there < end:
                return None
            (value,) = INT.unpack_from(unread, end - 4)
            if field == "i":
                fields.append(value)
                continue
            if value < 0 or 0 < self._max_bytes < end - start + value:
                raise Unreadable("A text cannot have this length.")
            fields.append(slice(end, end + value))
            end += value
        if there < end:
            return None
        return make(*[f if isinstance(f, int) else self._text(f) for f in fields]), end

    def _kind(self, number: int, start: int) -> Kind[T] | None:
        """Of the packet that begins there, with this number; None: it takes more to tell. Raises
        Unreadable."""
        kind = self._kinds.get(number)
        if kind is None:
            raise Unreadable("There is no packet of this type.")
        return kind

    def _text(self, where: slice) -> str:
        try:
            return self._unread[where].decode()
        except UnicodeDecodeError:
            raise Unreadable("This text is not valid UTF-8.") from None

    def _lose(self, reason: str) -> Garbled:
        self._lost = True
        self._unread = bytearray()
        return Garbled(reason, BadRequest.code, self.fatal)
