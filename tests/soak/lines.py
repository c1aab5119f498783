"""The doors of a real hall, for the clients of the simulation: sockets in place of its lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from tests.doors.duel import packets
from tests.support.clients import HOST, SocketClient
from tests.support.framing import Frames, Lines
from tests.support.processes import HallProcess

PATHS = {"rfc": "/", "mario": "/websocket", "watch": "/", "practice": "/"}
"""Of the doors that speak WebSocket only."""


class Packets(Lines):
    """A message is a packet of the `duel` door, which says by itself how long it is."""

    def framed(self, data: bytes) -> bytes:
        return data

    def feed(self, data: bytes) -> list[bytes]:
        self.rest += data
        found = []
        while (first := packets.read(self.rest)) is not None:
            found.append(self.rest[: first[1]])
            self.rest = self.rest[first[1] :]
        return found


class SocketLine(SocketClient):
    """One connection. What is sent before it is open waits."""

    node = "hall"

    def __init__(
        self,
        port: int,
        framing: Lines | Frames,
        place: RealNode,
        hear: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        super().__init__(framing, ())
        self._place = place
        self._hear = hear
        self._on_end = ended
        self._unsent: list[bytes] = []
        self._is_ready = self._has_hung_up = False
        self._opening = asyncio.create_task(self._open(port))

    async def _open(self, port: int) -> None:
        try:
            await self.open(port)
        except (OSError, AssertionError):
            # Refused, or ended before the handshake was over.
            self._over()
            return
        self._is_ready = True
        for message in self._unsent:
            self.write(self._framing.framed(message))
        if self._has_hung_up:
            self._end()

    def send(self, message: bytes) -> None:
        if self._is_ready:
            self.write(self._framing.framed(message))
        else:
            self._unsent.append(message)

    def hang_up(self) -> None:
        """Politely, or as a machine that crashes: answers may be on their way."""
        self._has_hung_up = True
        if self._is_ready:
            self._end()

    def _end(self) -> None:
        how = self._place.rng.random()
        if how < 0.4:
            self.abort()
        elif how < 0.8:
            self._transport.close()
        else:
            self._framing.goodbye()
            self._flush()
            self._transport.close()

    def _over(self) -> None:
        if not self._has_hung_up:
            self._has_hung_up = True
            self._on_end()

    # From the hall

    def _take(self, message: bytes) -> None:
        if not self._has_hung_up:
            self._hear(message)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.fault is not None:
            self._place.faults.append(self.fault)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._over()


class RealNode:
    """A hall of one process, as its clients see it."""

    def __init__(self, hall: HallProcess, rng: Random) -> None:
        self.rng = rng
        self.faults: list[BaseException] = []
        """What clients could not understand."""
        self._hall = hall

    def connect(
        self, door: str, _: float, hear: Callable[[bytes], None], ended: Callable[[], None]
    ) -> SocketLine:
        name, framing = self._way(door)
        return SocketLine(self._hall.ports[name], framing, self, hear, ended)

    def _way(self, door: str) -> tuple[str, Lines | Frames]:
        """The open door by its name, and how it tells messages apart."""
        if door == "native":
            if self.rng.random() < 0.5:
                return "native-tcp", Lines()
            return door, Frames(self._hall.ws_url)
        if door in PATHS:
            return door, Frames(f"ws://{HOST}:{self._hall.ports[door]}{PATHS[door]}")
        return door, Packets() if door == "duel" else Lines()
