"""A portal on bare sockets and threads, made from the description of its packets: no code of ours.

It answers registrations as it is told to and writes everything down. A result counts once, however
often it comes; if it comes with other scores, that is noticed.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server as WebSocketServer
from websockets.sync.server import ServerConnection, serve

from tests.doors.arena.game_server import Transport, ints, text
from tests.support.clients import HOST, READ_BYTES, crash_on_close
from tests.support.waiting import WAIT_SECONDS

TRANSPORTS: tuple[Transport, ...] = ("tcp", "ws")


class Packet(NamedTuple):
    """What a game server has sent: `kind` is register, yes, no, result, started or status."""

    kind: str
    values: tuple[Any, ...] = ()


def create(match: int, uid1: int, uid2: int, key: str) -> bytes:
    return ints(1, match, uid1, uid2) + text(key)


ACCEPT = ints(1)


def refuse(reason: str) -> bytes:
    return ints(0) + text(reason)


class _Short(Exception):
    pass


class _Bytes:
    """Numbers and texts, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def number(self) -> int:
        return int(struct.unpack("<i", self._take(4))[0])

    def text(self) -> str:
        return self._take(self.number()).decode()

    def _take(self, length: int) -> bytes:
        assert length >= 0
        taken = self._data[self.at : self.at + length]
        if len(taken) < length:
            raise _Short
        self.at += length
        return taken


def read(data: bytes, first: bool) -> tuple[Packet, int] | None:
    """The first packet of these bytes and its length; None: there is more to come."""
    try:
        source = _Bytes(data)
        return _read(source, first), source.at
    except _Short:
        return None


def _read(source: _Bytes, first: bool) -> Packet:
    number = source.number()
    if first:
        assert number == 1, f"{number} in place of a registration"
        ip, port, name = source.text(), source.number(), source.text()
        return Packet("register", (ip, port, name, source.text(), source.text()))
    if number == 1:
        return Packet("yes")
    if number == 0:
        return Packet("no", (source.text(),))
    if number == 2:
        return Packet("result", (source.number(), source.number(), source.number()))
    assert number == 3, f"no packet begins with {number}"
    second = source.number()
    if second >= 1000:
        assert source.number() == 1
        return Packet("started", (second,))
    assert second in (0, 1, 2)
    return Packet("status", (second, *((source.number(), source.number()) if second else ())))


class Wire(Protocol):
    def send(self, data: Any) -> None: ...
    def receive(self) -> bytes:
        """Nothing: the other has closed."""

    def close(self) -> None: ...
    def cut(self) -> None:
        """The end that a crash makes."""


class TcpWire:
    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self) -> bytes:
        return self._socket.recv(READ_BYTES)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def cut(self) -> None:
        _reset(self._socket)


class WsWire:
    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    def send(self, data: bytes | str) -> None:
        """A str is a text message, which no packet is."""
        try:
            self._connection.send(data)
        except ConnectionClosed:
            raise ConnectionResetError from None

    def receive(self) -> bytes:
        try:
            message = self._connection.recv()
        except ConnectionClosed:
            return b""
        assert isinstance(message, bytes), "a packet is a binary message"
        assert message
        return message

    def close(self) -> None:
        self._connection.close()

    def cut(self) -> None:
        _reset(self._connection.socket)


def _reset(connection: socket.socket) -> None:
    with suppress(OSError):
        crash_on_close(connection)
        connection.shutdown(socket.SHUT_RD)
    connection.close()


class Link:
    """A game server's link. `log` has every packet that came, in order."""

    def __init__(self, portal: Portal, wire: Wire) -> None:
        self.log: list[Packet] = []
        self.ended = False
        self.accepted = False
        self._portal = portal
        self._wire = wire
        self._answers_taken = 0

    def run(self) -> None:
        """Reads until the link ends; for a thread of its own."""
        unread = b""
        with suppress(OSError):
            while data := self._wire.receive():
                unread += data
                while (found := read(unread, first=not self.log)) is not None:
                    packet, length = found
                    if isinstance(self._wire, WsWire):
                        assert length == len(data), f"not one packet a message: {data!r}"
                    unread = unread[length:]
                    self._heard(packet)
        self._wire.close()
        self._ends()

    def _heard(self, packet: Packet) -> None:
        with self._portal.changed:
            self.log.append(packet)
            if packet.kind == "result":
                match, *scores = packet.values
                self._portal.results.setdefault(match, []).append(tuple(scores))
            self._portal.changed.notify_all()
        if packet.kind == "register":
            with suppress(OSError):
                self._portal.on_register(self)

    # To the game server

    def send(self, data: bytes | str) -> None:
        self._wire.send(data)

    def accept(self) -> None:
        self.send(ACCEPT)
        with self._portal.changed:
            self.accepted = True
            self._portal.changed.notify_all()

    def close(self) -> None:
        self._wire.close()

    def cut(self) -> None:
        self._wire.cut()
        self._ends()

    def _ends(self) -> None:
        with self._portal.changed:
            self.ended = True
            self._portal.changed.notify_all()

    # From the game server

    @property
    def registration(self) -> tuple[Any, ...]:
        return self.log[0].values

    def create(self, match: int, uid1: int, uid2: int, key: str) -> str | None:
        """Why the match was not made; None: it was."""
        self.send(create(match, uid1, uid2, key))
        answer = self.answer("yes", "no")
        if answer.kind == "no":
            assert answer.values[0], "an error has a text"
        return str(answer.values[0]) if answer.values else None

    def status(self, match: int) -> tuple[Any, ...] | None:
        """How the match stands; None: the game server does not know it."""
        self.send(ints(3, match))
        answer = self.answer("status", "no")
        return None if answer.kind == "no" else answer.values

    def answer(self, *kinds: str) -> Packet:
        """The next answer, which is of one of these kinds. Raises OSError if the link ends."""

        def find() -> Packet | None:
            answers = [packet for packet in self.log if packet.kind in ("yes", "no", "status")]
            if len(answers) > self._answers_taken:
                return answers[self._answers_taken]
            if self.ended:
                raise ConnectionResetError
            return None

        found: Packet = self._portal.until(find, f"one of {kinds}")
        self._answers_taken += 1
        assert found.kind in kinds, found
        return found

    def told(self, kind: str, *values: Any) -> bool:
        return any(p.kind == kind and p.values[: len(values)] == values for p in self.log)

    def waits_for(self, kind: str, *values: Any) -> None:
        """Until such a packet has come."""
        self._portal.until(lambda: self.told(kind, *values) or None, f"{kind} {values}")

    def waits_for_end(self) -> None:
        self._portal.until(lambda: self.ended or None, "the end of the link")


class Portal:
    """Listens on a free port, and on the same one again after `stop` and `start`."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.port = 0
        self.links: list[Link] = []
        self.results: dict[int, list[tuple[int, ...]]] = {}
        """By match, as often as they came."""
        self.changed = threading.Condition()
        self.on_register: Callable[[Link], None] = Link.accept
        self._socket: socket.socket | None = None
        self._server: WebSocketServer | None = None

    @property
    def url(self) -> str:
        return f"{self.transport}://{HOST}:{self.port}"

    def start(self) -> None:
        listening = socket.create_server((HOST, self.port), reuse_port=False)
        self.port = listening.getsockname()[1]
        self._socket = listening
        if self.transport == "tcp":
            _in_thread(lambda: self._accept(listening))
        else:
            self._server = serve(self._serve, sock=listening, max_size=None, compression=None)
            _in_thread(self._server.serve_forever)

    def stop(self) -> None:
        """As a crash: nothing is said to anyone."""
        assert self._socket is not None
        if self._server is not None:
            self._server.shutdown()
            self._server = None
        with suppress(OSError):
            # Wakes the thread that waits for connections.
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for link in self.links:
            link.cut()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                link = self._link(TcpWire(connection))
                _in_thread(link.run)

    def _serve(self, connection: ServerConnection) -> None:
        self._link(WsWire(connection)).run()

    def _link(self, wire: Wire) -> Link:
        link = Link(self, wire)
        with self.changed:
            self.links.append(link)
            self.changed.notify_all()
        return link

    # What tests wait for

    def until(self, find: Callable[[], Any], what: str) -> Any:
        """What `find` gives, once it is something."""
        deadline = time.monotonic() + WAIT_SECONDS
        with self.changed:
            while (found := find()) is None:
                left = deadline - time.monotonic()
                logs = [link.log[-5:] for link in self.links[-3:]]
                assert left > 0, f"in vain: {what}; {logs} came last"
                self.changed.wait(min(left, 0.5))
        return found

    def server(self, game: str, after: Link | None = None) -> Link:
        """The link on which this game is registered; `after`: a later one than that."""

        def find() -> Link | None:
            start = 0 if after is None else self.links.index(after) + 1
            for link in reversed(self.links[start:]):
                if link.accepted and not link.ended and link.registration[2] == game:
                    return link
            return None

        found: Link = self.until(find, f"a server for {game}")
        return found

    def result(self, match: int) -> tuple[int, ...]:
        """The scores of a match, which never come otherwise."""
        scores = self.until(lambda: self.results.get(match), f"the result of {match}")
        assert len(set(scores)) == 1, f"match {match} ended with {scores}"
        counted: tuple[int, ...] = scores[0]
        return counted


def _in_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()
