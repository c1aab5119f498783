"""Clients of the `duel` door on bare sockets: one that parses by length, and one as those that
exist, which takes whatever one `recv` gives for one packet."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.doors.duel import packets as p
from tests.doors.duel.packets import Board, Packet
from tests.support.clients import HOST, BlockingClient
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

PATIENT = ("duel.gap_ms=1", "table.drop_seconds=60")
"""Most clients here parse by length, and come back in their own time."""
PAUSE_SECONDS = 0.1
"""Between two tries."""


class Client(BlockingClient):
    """Parses by length; `log` has every packet that came."""

    def __init__(self, port: int, address: str = HOST) -> None:
        self.log: list[Packet] = []
        self.board: Board = []
        self._unread = b""
        super().__init__(port, self.log, address)

    # To the hall

    def hello(self, text: str) -> None:
        self.write(p.hello(text))

    def pick(self, number: int) -> None:
        self.write(p.pick(number))

    def ask_turn(self) -> None:
        self.write(p.ints(p.TURN))

    # From the hall

    def read(self) -> Packet:
        """The next packet."""
        while (found := p.read(self._unread)) is None:
            data = self.receive()
            assert data, f"closed; {self._unread!r} and {self.log[-5:]} came before"
            self._unread += data
        packet, length = found
        self._unread = self._unread[length:]
        return self._noted(packet)

    def _noted(self, packet: Packet) -> Packet:
        self.log.append(packet)
        if packet.kind == p.BOARD:
            self.board = packet.value
        return packet

    def read_all(self) -> bytes:
        """All bytes that come until the hall closes."""
        while data := self.receive():
            self._unread += data
        read, self._unread = self._unread, b""
        return read

    def take(self, *kinds: int) -> Any:
        """The value of the last of these packets, which come next in this order."""
        for kind in kinds:
            packet = self.read()
            assert packet.kind == kind, f"{packet} in place of {kind}; {self.log[-5:]}"
        return packet.value

    def is_my_turn(self) -> bool:
        self.ask_turn()
        packet = self.read()
        assert packet.kind in (p.YOURS, p.NOT_YOURS), packet
        return packet.kind == p.YOURS

    def ended(self) -> None:
        """The hall closes, and nothing comes before."""
        assert self._unread == b""
        assert self.receive() == b""


class RecvClient(Client):
    """As the clients that exist: `recv`, and what came is a packet."""

    def read(self) -> Packet:
        data = self.receive()
        found = p.read(data)
        assert found is not None, f"less than a packet: {data!r}"
        packet, length = found
        assert length == len(data), f"more than a packet: {data!r}"
        return self._noted(packet)


class Duelists:
    """Everyone whom a test brings to the door of a hall. At the end its log is read."""

    _matches = 0

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self._clients: list[Client] = []
        self._log_start = len(hall.stderr)

    @classmethod
    def new_match(cls) -> int:
        """The number of a match that nobody has played."""
        cls._matches += 1
        return cls._matches

    def client(self, kind: type[Client] = Client, address: str = HOST) -> Client:
        client = kind(self.hall.ports["duel"], address)
        self._clients.append(client)
        return client

    def says(self, text: str, address: str = HOST) -> Client:
        """Someone who has said hello."""
        client = self.client(address=address)
        client.hello(text)
        return client

    def enters(self, text: str, uid: int, address: str = HOST) -> Client:
        """Someone who has said hello and is accepted as that player."""
        client = self.says(text, address)
        assert client.take(p.ACCEPTED) == str(uid)
        return client

    def comes_back(self, text: str, uid: int, board: Board, picked: list[int]) -> Client:
        """Someone who is in the match again, with the same board, and knows what was picked."""
        client = self.enters(text, uid)
        assert client.take(p.BOARD) == board
        assert [client.take(p.PICKED) for _ in picked] == picked
        return client

    def until_accepted(self, text: str) -> Client:
        """Who tries again and again, until there is a place."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            client = self.says(text)
            if client.read().kind == p.ACCEPTED:
                return client
            client.ended()
            client.close()
            time.sleep(PAUSE_SECONDS)
        raise AssertionError("there is never a place")

    def pair(self) -> tuple[Client, Client, str]:
        """Two who play a match with each other, and what they say to be let in."""
        text = f"7:8:{self.new_match()}:the key:fast"
        first, second = self.enters(text, 7), self.enters(text, 8)
        first.take(p.BOARD)
        second.take(p.BOARD)
        return first, second, text

    def refused(self, text: str) -> None:
        client = self.says(text)
        client.take(p.REFUSED)
        client.ended()

    def leave(self) -> None:
        for client in self._clients:
            with suppress(OSError):
                client.close()
        self.check_log()

    def check_log(self) -> None:
        text = "\n".join(self.hall.stderr[self._log_start :])
        assert "Traceback" not in text, text
        assert '"level": "error"' not in text, text
        assert "the key" not in text, text


@contextmanager
def open_hall(data: Any, *settings: str) -> Iterator[HallProcess]:
    doors = ("duel", "watch", "native-tcp")
    with HallProcess(data, settings=(*PATIENT, *settings), doors=doors) as hall:
        yield hall
