"""A client's connection to a door of a node, message by message."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from gamehall.simulation.world import Machine
from gamehall.wire.net.shell import Channel, Conversation, Converse, Kind


class SimulatedChannel(Channel):
    """What the door sends reaches `hear`, in order and after a while."""

    kind: ClassVar[Kind] = "ws"

    def __init__(self, line: Line, address: str) -> None:
        self.address = address
        self.peer_done = False
        self.hung_up = False
        self._line = line
        self._closing = False

    __slots__ = ("_line",)

    @staticmethod
    def frame(payload: bytes) -> bytes:
        return payload + b"\n"

    @staticmethod
    def packet(payload: bytes) -> bytes:
        return payload

    def send(self, frame: bytes) -> bool:
        if self._closing:
            return False
        self._line.to_client(frame)
        return True

    @property
    def behind_bytes(self) -> int:
        return 1 << 20

    def offer(self, frame: bytes) -> bool:
        return self.send(frame)

    def close(self, code: int = 1000, reason: str = "") -> None:
        if not self._closing:
            self._closing = True
            self._line.hall_ends()

    def abort(self) -> None:
        self.close()

    def hello_done(self) -> None: ...

    def allow_burst(self, messages: int) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...


class Line:
    """Both directions of one connection. `hear` and `ended` are called on the client's side."""

    def __init__(
        self,
        machine: Machine,
        converse: Converse,
        *,
        address: str,
        hear: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        """`machine`: the node's."""
        self.world = machine.world
        self._machine = machine
        self.closed = False
        self._hear = hear
        self._ended = ended
        self._there = self._back = 0.0
        self._channel = SimulatedChannel(self, address)
        self._conversation: Conversation | None = None
        self._converse = converse
        self._travel(self._open)

    def _open(self) -> None:
        self._conversation = self._converse(self._channel)

    def send(self, message: bytes) -> None:
        """From the client."""
        if not self.closed:
            self._travel(lambda: self._received(message))

    def _received(self, message: bytes) -> None:
        if self._conversation is not None and not self._channel._closing:
            self._conversation.received(message)

    def hang_up(self) -> None:
        """By the client."""
        if not self.closed:
            self.closed = True
            self._travel(self._lost)

    def _lost(self) -> None:
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            self._channel.hung_up = not self._channel._closing
            self._channel._closing = True
            conversation.lost()

    def _travel(self, what: Callable[[], None]) -> None:
        machine = self._machine
        self._there = max(self._there, self.world.seconds + self._delay())
        self.world.after(self._there - self.world.seconds, lambda: machine.soon(what))

    def to_client(self, frame: bytes) -> None:
        self._back = max(self._back, self.world.seconds + self._delay())
        self.world.after(self._back - self.world.seconds, lambda: self._heard(frame))

    def _heard(self, frame: bytes) -> None:
        if not self.closed:
            self._hear(frame)

    def hall_ends(self) -> None:
        self._back = max(self._back, self.world.seconds + self._delay())
        self.world.after(self._back - self.world.seconds, self.cut)
        self._machine.soon(self._lost)

    def cut(self) -> None:
        """Nothing passes any more, and the client sees it."""
        if not self.closed:
            self.closed = True
            self._ended()

    def _delay(self) -> float:
        return self.world.rng.uniform(0.0002, 0.003)
