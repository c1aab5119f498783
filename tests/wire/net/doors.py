"""Open doors on loopback with an echo behind them, and clients that are no more than sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from gamehall.limits import Limits
from gamehall.wire.net.codec import Garbled, LineCodec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.one_port import Http, serve_web
from gamehall.wire.net.shell import Channel, Conversation
from gamehall.wire.net.tcp import serve_tcp
from gamehall.wire.net.websocket import Origins, WebSocketDoor
from tests.support.waiting import WAIT_SECONDS

HOST = "127.0.0.1"
TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10


class Echo(Conversation):
    """Answers each message with itself, and keeps what has happened to it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.messages: list[bytes] = []
        self.events: list[str] = []

    def received(self, message: bytes) -> None:
        self.messages.append(message)
        if message == b"fail":
            raise RuntimeError("as the test asks for")
        self.say(message)

    def say(self, text: bytes) -> bool:
        return self.channel.send(self.channel.frame(text))

    def garbled(self, garbled: Garbled) -> None:
        self.events.append(garbled.code)
        self.say(b"error " + garbled.code.encode())

    def half_closed(self) -> None:
        self.events.append("half closed")

    def lost(self) -> None:
        self.events.append("lost")

    def drained(self) -> None:
        self.events.append("drained")

    def going_away(self, seconds: float) -> None:
        self.say(b"going away in %g" % seconds)


class Doors:
    """What a test may look at."""

    def __init__(self, keeper: Doorkeeper) -> None:
        self.keeper = keeper
        self.echoes: list[Echo] = []
        self.web_port = 0
        self.tcp_port = 0
        self.fail_to_begin = False

    def converse(self, channel: Channel) -> Echo:
        if self.fail_to_begin:
            raise RuntimeError("as the test asks for")
        echo = Echo(channel)
        self.echoes.append(echo)
        return echo

    async def echo(self, number: int = 0) -> Echo:
        """The server's side of the connection with this number, once it is there."""
        await until(lambda: len(self.echoes) > number)
        return self.echoes[number]

    async def connect(self, kind: str) -> Client:
        return await (connect_ws(self.web_port) if kind == "ws" else connect_tcp(self.tcp_port))


@asynccontextmanager
async def open_doors(
    limits: Limits | None = None,
    *,
    http: Http | None = None,
    origins: Origins | None = None,
    trusted_proxies: tuple[str, ...] = (),
    paths: tuple[str, ...] = ("/ws",),
    binary: bool = False,
    **seconds: float,
) -> AsyncIterator[Doors]:
    """Doors for one test, which fails if anything went wrong that nobody caught."""
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    limits = limits or Limits()
    doors = Doors(Doorkeeper(limits, **seconds))
    door = WebSocketDoor(doors.converse, origins, binary)
    web = await serve_web(
        doors.keeper, "native", HOST, 0, dict.fromkeys(paths, door), http, trusted_proxies
    )
    tcp = await serve_tcp(
        doors.keeper,
        "native-tcp",
        HOST,
        0,
        doors.converse,
        lambda: LineCodec(limits.message_bytes),
    )
    doors.web_port, doors.tcp_port = web.port, tcp.port
    try:
        yield doors
    finally:
        await web.close()
        await tcp.close()
        for echo in doors.echoes:
            echo.channel.abort()
        await doors.keeper.close()
    assert faults == []


async def until(condition: Callable[[], Any]) -> None:
    """Waits until it holds."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not condition():
            await asyncio.sleep(0.005)


class Client:
    """A socket that speaks lines, or WebSocket frames, byte by byte as the test says."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: str
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.kind = kind

    def send(self, *texts: bytes) -> None:
        """All of them in one write."""
        if self.kind == "ws":
            self.writer.write(b"".join(ws_frame(TEXT, text) for text in texts))
        else:
            self.writer.write(b"".join(text + b"\n" for text in texts))

    async def receive(self) -> bytes:
        """The next message."""
        async with asyncio.timeout(WAIT_SECONDS):
            if self.kind == "tcp":
                return (await self.reader.readuntil(b"\n"))[:-1]
            opcode, payload = await self.receive_frame()
            assert opcode == TEXT, (opcode, payload)
            return payload

    async def receive_frame(self) -> tuple[int, bytes]:
        async with asyncio.timeout(WAIT_SECONDS):
            first, length = await self.reader.readexactly(2)
            assert first & 0x80
            if length >= 126:
                wide = await self.reader.readexactly(2 if length == 126 else 8)
                length = int.from_bytes(wide, "big")
            return first & 0x0F, await self.reader.readexactly(length)

    async def receive_close(self) -> int:
        """The code with which the server closes, after which nothing may come."""
        opcode, payload = await self.receive_frame()
        assert opcode == CLOSE, (opcode, payload)
        await self.receive_end()
        return int.from_bytes(payload[:2], "big")

    async def receive_end(self) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            assert await self.reader.read() == b""

    async def receive_rest(self) -> bytes:
        """All that comes until the server closes."""
        async with asyncio.timeout(WAIT_SECONDS):
            return await self.reader.read()


def ws_frame(opcode: int, payload: bytes, fin: bool = True, reserved: int = 0) -> bytes:
    """A frame as clients send it; masked, with a mask that changes nothing but one bit."""
    first = (0x80 if fin else 0) | reserved << 4 | opcode
    mask = b"\x01\x00\x00\x00"
    masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
    return bytes((first,)) + _length(len(payload)) + mask + masked


def _length(length: int) -> bytes:
    if length < 126:
        return bytes((0x80 | length,))
    if length < 65536:
        return b"\xfe" + length.to_bytes(2, "big")
    return b"\xff" + length.to_bytes(8, "big")


UPGRADE = {
    "Host": "hall.example",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def request(path: str, headers: Mapping[str, str] = UPGRADE, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


async def connect_tcp(port: int, limit: int = 2**20) -> Client:
    reader, writer = await asyncio.open_connection(HOST, port, limit=limit)
    return Client(reader, writer, "tcp")


async def connect_ws(port: int, head: bytes = request("/ws"), limit: int = 2**20) -> Client:
    reader, writer = await asyncio.open_connection(HOST, port, limit=limit)
    writer.write(head)
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101 "), answer
    return Client(reader, writer, "ws")


async def ask(port: int, data: bytes) -> bytes:
    """All that the server answers to a request, until it closes."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(data)
    async with asyncio.timeout(WAIT_SECONDS):
        answer = await reader.read()
    writer.close()
    return answer
