"""A game server as the description of the arena wants it, over both transports: no code of ours.

It keeps matches and answers a portal by itself. What it answers can be changed, and its link cut,
at any step.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.clients import HOST, crash_on_close
from tests.support.waiting import WAIT_SECONDS

Transport = Literal["ws", "tcp"]
NOT_STARTED, RUNNING, OVER = 0, 1, 2


def ints(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def text(string: str | bytes) -> bytes:
    data = string if isinstance(string, bytes) else string.encode()
    return ints(len(data)) + data


def registration(
    name: str = "Bingo",
    ip: str = "203.0.113.7",
    port: int = 27004,
    rule: str = "Five lines win.\nNobody waits.",
    author: str = "Ngân",
) -> bytes:
    return ints(1) + text(ip) + ints(port) + text(name) + text(rule) + text(author)


class Created(NamedTuple):
    """The portal wants a match."""

    match: int
    uid1: int
    uid2: int
    key: str


class Asked(NamedTuple):
    """The portal wants to know how a match stands."""

    match: int


class Refused(NamedTuple):
    error: str


class Ended(Exception):
    """The portal has closed the link."""


class Wire:
    """Bytes to and from a portal's door: over WebSocket one packet is one message."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter
        self._socket: ClientConnection
        self._message = b""

    async def open(self, port: int) -> None:
        if self.transport == "tcp":
            self._reader, self._writer = await asyncio.open_connection(HOST, port)
        else:
            url = f"ws://{HOST}:{port}/any/path"
            self._socket = await connect(url, compression=None, ping_interval=None)

    async def send(self, *packets: bytes) -> None:
        """All of them at once, as far as the transport can."""
        with suppress(ConnectionClosed, ConnectionError):
            if self.transport == "tcp":
                self._writer.write(b"".join(packets))
                await self._writer.drain()
            else:
                for packet in packets:
                    await self._socket.send(packet)

    async def number(self) -> int:
        (number,) = struct.unpack("<i", await self._read(4))
        return int(number)

    async def text(self) -> str:
        return (await self._read(await self.number())).decode()

    async def _read(self, length: int) -> bytes:
        try:
            if self.transport == "tcp":
                return await self._reader.readexactly(length)
            if not self._message:
                message = await self._socket.recv()
                assert isinstance(message, bytes), f"the portal sends text: {message!r}"
                self._message = message
        except (asyncio.IncompleteReadError, ConnectionClosed, ConnectionError):
            raise Ended from None
        assert len(self._message) >= length, "a message that is less than a packet"
        read, self._message = self._message[:length], self._message[length:]
        return read

    def packet_read(self) -> None:
        assert not self._message, "a message that is more than a packet"

    async def close(self) -> None:
        if self.transport == "tcp":
            self._writer.close()
        else:
            await self._socket.close()

    def cut(self) -> None:
        """As when the machine crashes: without a word."""
        writer = self._writer if self.transport == "tcp" else self._socket.transport
        crash_on_close(writer.get_extra_info("socket"))
        (writer.transport if isinstance(writer, asyncio.StreamWriter) else writer).abort()


class Played:
    """A match as the game server has it."""

    def __init__(self, created: Created) -> None:
        self.created = created
        self.status = NOT_STARTED
        self.scores = (0, 0)


class GameServer:
    """Matches outlive links. `log` has everything that came from the portal, over all links."""

    def __init__(self, transport: Transport, port: int, /, **offer: Any) -> None:
        """`port` is the portal's."""
        self.transport: Transport = transport
        self.port = port
        self.offer = offer
        self.log: list[Created | Asked | Refused] = []
        self.matches: dict[int, Played] = {}
        self.answers_creates = True
        self.answers_statuses = True
        self.refuses: str | None = None
        self.before_answer: Callable[[Created | Asked], Awaitable[None]] | None = None
        """Called with each question, before it is answered."""
        self.wire: Wire
        self._task: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()
        """Whether the portal has closed the link."""

    # Coming and going

    async def connect(self) -> None:
        """A link on which nothing was said yet."""
        await self.leave()
        self.ended = asyncio.Event()
        self.wire = Wire(self.transport)
        await self.wire.open(self.port)

    async def register(self) -> str | None:
        """None, or why the portal refuses. From then on it is answered."""
        await self.connect()
        await self.wire.send(registration(**self.offer))
        refused = await self.read_answer()
        if refused is None:
            self._task = asyncio.create_task(self._serve(self.wire))
        return refused

    async def read_answer(self) -> str | None:
        async with asyncio.timeout(WAIT_SECONDS):
            number = await self.wire.number()
            assert number in (0, 1), number
            refused = None if number == 1 else await self.wire.text()
            self.wire.packet_read()
            return refused

    async def come(self) -> GameServer:
        """Registered: tries until the portal takes it, as after a restart."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                with suppress(OSError, Ended):
                    if await self.register() is None:
                        return self
                await asyncio.sleep(0.05)

    async def read_end(self) -> list[str]:
        """The errors that the portal says before it closes."""
        async with asyncio.timeout(WAIT_SECONDS):
            await self.ended.wait()
        return [said.error for said in self.log if isinstance(said, Refused)]

    async def leave(self) -> None:
        await self._stop_serving()
        if hasattr(self, "wire"):
            await self.wire.close()

    async def cut(self) -> None:
        await self._stop_serving()
        self.wire.cut()

    async def _stop_serving(self) -> None:
        if self._task is not None:
            task, self._task = self._task, None
            if task.done():
                task.result()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    # What the portal wants

    async def _serve(self, wire: Wire) -> None:
        questions: asyncio.Queue[Created | Asked] = asyncio.Queue()
        answering = asyncio.create_task(self._answer(wire, questions))
        try:
            # Reads on while it thinks: so it sees whether the portal waits for the answer.
            while not answering.done():
                packet = await self._packet(wire)
                self.log.append(packet)
                if not isinstance(packet, Refused):
                    questions.put_nowait(packet)
        except Ended:
            self.ended.set()
            await wire.close()
        finally:
            if answering.done():
                answering.result()
            answering.cancel()

    async def _answer(self, wire: Wire, questions: asyncio.Queue[Created | Asked]) -> None:
        while True:
            question = await questions.get()
            if self.before_answer is not None:
                await self.before_answer(question)
            if isinstance(question, Created):
                await self._answer_create(wire, question)
            else:
                await self._answer_status(wire, question.match)

    async def _packet(self, wire: Wire) -> Created | Asked | Refused:
        kind = await wire.number()
        packet: Created | Asked | Refused
        if kind == 1:
            match, uid1, uid2 = [await wire.number() for _ in range(3)]
            packet = Created(match, uid1, uid2, await wire.text())
        elif kind == 3:
            packet = Asked(await wire.number())
        else:
            assert kind == 0, f"a packet of kind {kind}"
            packet = Refused(await wire.text())
        wire.packet_read()
        return packet

    async def _answer_create(self, wire: Wire, created: Created) -> None:
        if self.refuses is not None:
            await wire.send(ints(0) + text(self.refuses))
            return
        known = self.matches.setdefault(created.match, Played(created))
        if self.answers_creates:
            same = known.created == created
            await wire.send(ints(1) if same else ints(0) + text("Another match has this number."))

    async def _answer_status(self, wire: Wire, match: int) -> None:
        if self.answers_statuses:
            await wire.send(self.status_packet(match))

    def status_packet(self, match: int) -> bytes:
        known = self.matches.get(match)
        if known is None:
            return ints(0) + text("I have no such match.")
        scores = known.scores if known.status != NOT_STARTED else ()
        return ints(3, known.status, *scores)

    # What the portal is told

    async def start(self, match: int, score1: int = 0, score2: int = 0) -> None:
        self.plays(match, score1, score2)
        await self.wire.send(ints(3, match, 1))

    async def finish(self, match: int, score1: int, score2: int) -> None:
        self.has_played(match, score1, score2)
        await self.wire.send(ints(2, match, score1, score2))

    def plays(self, match: int, score1: int, score2: int) -> None:
        """Without a word to the portal."""
        self.matches[match].status = RUNNING
        self.matches[match].scores = (score1, score2)

    def has_played(self, match: int, score1: int, score2: int) -> None:
        """Without a word to the portal."""
        self.matches[match].status = OVER
        self.matches[match].scores = (score1, score2)

    # What has come

    def creates(self) -> list[Created]:
        return [said for said in self.log if isinstance(said, Created)]

    def asked(self, match: int | None = None) -> int:
        """How often the portal has asked how a match stands."""
        return sum(isinstance(said, Asked) and match in (None, said.match) for said in self.log)
