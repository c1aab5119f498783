"""A client of one of the doors, who never gives up.

When its connection ends it opens another one, at any node. It writes down all that it sends and
hears. What it says is its door's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import ClassVar, Protocol

from gamehall.simulation.checker.transcripts import Line as Noted
from gamehall.simulation.checker.transcripts import Transcript, What

AGAIN_SECONDS = 0.2
"""Before a lost connection is opened again, and before something is tried again."""
PATIENCE_SECONDS = 12.0
"""After so long without an answer it tries another connection."""


class Machine(Protocol):
    """What a client runs on: its time and its chance."""

    @property
    def rng(self) -> Random: ...

    def call_later(self, delay: float, callback: Callable[..., object], *args: object) -> object:
        """Calls back after so many seconds."""


class Line(Protocol):
    """A connection, as its client has it."""

    def send(self, message: bytes) -> None: ...

    def hang_up(self) -> None: ...


class Node(Protocol):
    """Where clients connect to: a simulated node, or a real one."""

    @property
    def name(self) -> str: ...

    @property
    def ready(self) -> bool: ...

    def connect(
        self, door: str, *, hear: Callable[[bytes], None], ended: Callable[[], None]
    ) -> Line:
        """A connection to that door. Each message that comes is given to `hear`; `ended` is called
        when the hall, or what lies between, has ended it."""
        ...


class Client:
    door: ClassVar[str]
    """Its name, among those of a node."""

    def __init__(self, machine: Machine, name: str, nodes: Mapping[str, Node]) -> None:
        self.name = name
        self.transcript = Transcript(name)
        self._machine = machine
        self._nodes = nodes
        self._connections = -1
        """The number of its last one."""
        self._line: Line | None = None
        self._node = ""
        """The name of the node that it was last connected to."""
        self.sought: set[str] = set()
        """Games that it waits for."""
        self._again_seconds = AGAIN_SECONDS
        """How long after the end of its connection it comes back."""
        self.known_as = ""
        """What the hall calls it, at doors without accounts and tokens."""

    def come(self, pick: float) -> None:
        """Opens a connection to one of the nodes that are up."""
        if self._line is not None:
            return
        nodes = [node for node in self._nodes.values() if node.ready]
        if not nodes:
            self._machine.call_later(AGAIN_SECONDS, self.come, pick)
            return
        node = nodes[int(pick * len(nodes))]
        self._connections += 1
        number = self._connections
        self._note("opened")
        self._node = node.name
        self._line = node.connect(
            self.door,
            hear=lambda frame: self._heard(number, frame),
            ended=lambda: self._ended(number),
        )
        self._begin()

    def hang_up(self) -> None:
        """Comes back later, at any node."""
        if self._line is not None:
            self._line.hang_up()
            self._ended(self._connections)

    def _ended(self, number: int) -> None:
        if number != self._connections or self._line is None:
            return
        self._note("ended")
        self._line = None
        self._end()
        pick = self._machine.rng.random()
        self._machine.call_later(self._again_seconds, self.come, pick)

    def _say(self, text: str) -> None:
        """One message, if it is connected."""
        if self._line is not None:
            self._note("sent", text)
            self._line.send(self._encoded(text))

    def _heard(self, number: int, frame: bytes) -> None:
        for text in self._decoded(frame):
            if number == self._connections and self._line is not None:
                self._note("heard", text)
                self._hear(text)

    def _note(self, what: What, text: str = "") -> None:
        self.transcript.lines.append(Noted(self._connections, 0, what, text))

    def _soon(self, seconds: float, act: Callable[[], None]) -> None:
        """Does it then, if this connection lasts so long."""
        number = self._connections

        def then() -> None:
            if number == self._connections and self._line is not None:
                act()

        self._machine.call_later(seconds, then)

    def _expect_word(self) -> None:
        """Hangs up if nothing comes for long."""
        heard = len(self.transcript.lines)

        def judge() -> None:
            if all(line.what != "heard" for line in self.transcript.lines[heard:]):
                self.hang_up()

        self._soon(PATIENCE_SECONDS, judge)

    # What each door's client does its own way

    def _encoded(self, text: str) -> bytes:
        """A message as it goes over the wire."""
        return text.encode()

    def _decoded(self, frame: bytes) -> list[str]:
        """The messages that have come, as they are written down."""
        return frame.decode().splitlines()

    @property
    def here(self) -> bool:
        """Whether it is connected, and the hall has let it in."""
        raise NotImplementedError

    @property
    def has_place(self) -> bool:
        """Whether the hall keeps something for it while it is away."""
        return False

    def expect_more(self) -> None:
        """From now on it waits for something to happen wherever things happen by themselves."""

    @property
    def heard_more(self) -> bool:
        """Whether that has happened."""
        return True

    def _begin(self) -> None:
        """It is connected, and says its first words."""

    def _end(self) -> None:
        """It is not connected any more."""

    def _hear(self, text: str) -> None:
        """One message has come."""

    def do(self, deed: str, pick: float) -> None:
        """What a story has it do, where that makes sense."""
        raise NotImplementedError
