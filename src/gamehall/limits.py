"""The limits of every connection, as settings: each bounds what a stranger can make the hall hold.

0 switches a limit off.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
# A year: TOML knows `inf`, which no timer takes.
Seconds = Annotated[float, Meta(ge=0, le=366 * 24 * 3600)]


class Limits(msgspec.Struct, frozen=True):
    message_bytes: Count = 65536
    """The longest message: it is held whole before it is understood."""
    messages_per_second: Annotated[float, Meta(ge=0, le=1e9)] = 50
    """Of one connection, in the long run."""
    messages_burst: Count = 200
    """How many may come at once before the rate counts."""
    connections_per_address: Count = 256
    """A school behind one address fits; a flood from one machine does not."""
    connections: Count = 20000
    """Of the whole hall: memory and file descriptors."""
    unsent_bytes: Count = 1048576
    """What waits for a slow reader before it is dropped."""
    hello_seconds: Seconds = 120
    """To name oneself; people type their names."""
    idle_seconds: Seconds = 120
    """Without a sign of life, before a connection counts as gone."""


class Gate(msgspec.Struct, eq=False):
    """Counts who is inside. Ask `admit` for each connection, and `release` what it let in."""

    _limits: Limits
    _inside: int = 0
    _by_address: dict[str, int] = {}

    def __len__(self) -> int:
        return self._inside

    def admit(self, address: str) -> str | None:
        """None and one more inside, or the reason why not."""
        limits = self._limits
        from_there = self._by_address.get(address, 0)
        if 0 < limits.connections <= self._inside:
            return "The hall is full. Come back in a while."
        if 0 < limits.connections_per_address <= from_there:
            return "There are too many connections from your address. Close one first."
        self._inside += 1
        self._by_address[address] = from_there + 1
        return None

    def release(self, address: str) -> None:
        self._inside -= 1
        left = self._by_address[address] - 1
        if left:
            self._by_address[address] = left
        else:
            del self._by_address[address]
