"""What waits to be sent: bounded in bytes and in time, and joined so that many cost little."""

from __future__ import annotations

from collections import deque

import msgspec

BYTES_MAX = 64 * 2**20
"""What may wait. More is lost: it would only be memory, and late."""
WAIT_SECONDS_MAX = 1.0
"""What waits longer is lost: whoever asked has given up, or reads the journal."""
JOIN_SECONDS = 0.1
"""Messages that lie further apart are not joined, so that a young one is not lost with an old."""
JOIN_BYTES = 64 * 2**10
"""More is not joined, so that the receiver's other work waits for a short time only."""
TAKE_BYTES = 2**20
"""Of which no more is on its way at a time."""
MESSAGE_OVERHEAD = 64
"""Bytes that a message takes here beyond its own; also of an empty one."""


class Parcel(msgspec.Struct, eq=False):
    """Messages that go together, in one PUBLISH."""

    to: str | None
    """A node's name; None for all."""
    number: int
    """Grows from parcel to parcel of this node, whoever they are for."""
    at: float
    """When its first message came, by the loop's clock."""
    messages: list[bytes] = []
    size: int = 0


class Outbox:
    """Keeps the order of everything that the same receiver gets, be it for one or for all."""

    def __init__(self) -> None:
        self._parcels: deque[Parcel] = deque()
        self._open: dict[str | None, Parcel] = {}
        self._number = 0
        self._size = 0
        self.lost = 0
        """Messages so far."""

    def __len__(self) -> int:
        return len(self._parcels)

    def put(self, to: str | None, message: bytes, now: float) -> None:
        size = len(message) + MESSAGE_OVERHEAD
        if self._size + size > BYTES_MAX:
            self.drop_old(now)
            if self._size + size > BYTES_MAX:
                self.lost += 1
                return
        parcel = self._open.get(to)
        if parcel is None or parcel.size + size > JOIN_BYTES or now - parcel.at > JOIN_SECONDS:
            parcel = self._begin(to, now)
        parcel.messages.append(message)
        parcel.size += size
        self._size += size

    def take(self, now: float) -> list[Parcel]:
        """The oldest, as many as may be on their way; none if nothing waits."""
        self.drop_old(now)
        taken: list[Parcel] = []
        size = 0
        while self._parcels and (not taken or size + self._parcels[0].size <= TAKE_BYTES):
            parcel = self._remove_first()
            taken.append(parcel)
            size += parcel.size
        return taken

    def drop_old(self, now: float) -> None:
        """Loses what has waited too long."""
        while self._parcels and now - self._parcels[0].at > WAIT_SECONDS_MAX:
            self.lost += len(self._remove_first().messages)

    def _begin(self, to: str | None, now: float) -> Parcel:
        # What comes later must not be joined to what went before a message that goes to the same
        # receiver by the other way.
        if to is None:
            self._open.clear()
        else:
            self._open.pop(None, None)
        self._number += 1
        parcel = self._open[to] = Parcel(to, self._number, now)
        self._parcels.append(parcel)
        return parcel

    def _remove_first(self) -> Parcel:
        parcel = self._parcels.popleft()
        self._size -= parcel.size
        if self._open.get(parcel.to) is parcel:
            del self._open[parcel.to]
        return parcel
