"""What the clients of all doors have in common: a connection, and waiting for what comes over it.

They share no code with the hall. What is said over a connection is in each door's own file.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Sequence
from typing import Any, Self, cast

from tests.support.framing import Frames, Lines
from tests.support.waiting import LAST, WAIT_SECONDS, Listener

HOST = "127.0.0.1"
READ_BYTES = 65536


def crash_on_close(sock: socket.socket) -> None:
    """When it is closed, the other side sees what a crash of this machine makes it see."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class SocketClient(Listener, asyncio.Protocol):
    """One connection. A door's client says in `_take` what a message is to it."""

    def __init__(self, framing: Lines | Frames, log: Sequence[Any]) -> None:
        super().__init__(log)
        self.deaf = False
        """Answers no ping and no goodbye, as a client whose machine is gone."""
        self._framing = framing
        self._transport: asyncio.Transport
        self._shut = False
        self._may_write = True

    async def open(self, port: int, address: str = HOST, buffer_bytes: int = 0) -> Self:
        """`address`: whence it comes; `buffer_bytes`: what the kernel keeps for one who does not
        read."""
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((address, 0))
        if buffer_bytes:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, (HOST, port))
        await loop.create_connection(lambda: self, sock=sock)
        await self.until(lambda: self._framing.is_open, "the handshake")
        return self

    def _take(self, message: bytes) -> None:
        raise NotImplementedError

    # To the hall

    def write(self, data: bytes) -> None:
        """Bytes as they are."""
        self._transport.write(data)

    async def drain(self) -> None:
        await self.until(lambda: self._may_write, "room for what is written")

    def stop_reading(self) -> None:
        """From now on nothing is taken from the kernel."""
        self._transport.pause_reading()

    def read_on(self) -> None:
        self._transport.resume_reading()

    def shut(self) -> None:
        """Sends no more, but reads: the hall's pings are not answered either."""
        self._shut = True
        self._transport.write_eof()

    def abort(self) -> None:
        """The end that a crash of the client's machine makes."""
        crash_on_close(self._transport.get_extra_info("socket"))
        self._transport.abort()

    async def close(self) -> None:
        """In the order of things: what was sent before arrives."""
        self._transport.close()
        await self.end()

    def _flush(self) -> None:
        data = self._framing.unsent()
        if data and not self.deaf and not self._shut:
            self._transport.write(data)

    # From the hall: called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._flush()

    def data_received(self, data: bytes) -> None:
        message = data
        try:
            for message in self._framing.feed(data):
                self._take(message)
        except Exception as error:  # noqa: BLE001 (told to the test that waits)
            error.add_note(f"in {message!r}")
            self.fault = self.fault or error
        self._flush()
        self.look()

    def eof_received(self) -> None:
        self._framing.feed_end()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self.look()

    def pause_writing(self) -> None:
        self._may_write = False

    def resume_writing(self) -> None:
        self._may_write = True
        self.look()


class OrderedClient(SocketClient):
    """`messages` has all that came; they are taken one by one, so that a test says of each what it
    is."""

    def __init__(self, framing: Lines | Frames) -> None:
        self.messages: list[dict[str, Any]] = []
        self._taken = 0
        super().__init__(framing, self.messages)

    @property
    def left_over(self) -> list[dict[str, Any]]:
        """What nobody has taken yet."""
        return self.messages[self._taken :]

    async def next(self) -> dict[str, Any]:
        """The next message, whatever it is."""
        await self.until(lambda: len(self.messages) > self._taken, "the next message")
        self._taken += 1
        return self.messages[self._taken - 1]

    async def reset(self) -> None:
        """As a client that is killed."""
        self.abort()
        await self.end()


class BlockingClient:
    """One connection for a test that is no coroutine: it reads when it is told to."""

    def __init__(self, port: int, log: Sequence[Any], address: str = HOST) -> None:
        """`address` is where it comes from."""
        self._heard = log
        self._socket = socket.create_connection((HOST, port), WAIT_SECONDS, (address, 0))

    def write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self) -> bytes:
        """What one `recv` gives; nothing: the hall has closed."""
        try:
            return self._socket.recv(READ_BYTES)
        except TimeoutError:
            raise AssertionError(f"nothing comes; the last: {self._heard[-LAST:]}") from None

    def close(self) -> None:
        self._socket.close()

    def shut_down(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        """The end that a crash of the client's machine makes."""
        crash_on_close(self._socket)
        self._socket.close()
