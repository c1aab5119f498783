"""A client of the `practice` door that shares no code with the hall: a bare socket, frames by the
`websockets` package, JSON, and what the door's description says. It fails at the first message that
has another form."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self, cast

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from tests.doors.practice import shapes
from tests.doors.practice.shapes import check_message

WAIT_SECONDS = 20.0
Json = dict[str, Any]
NOTHING: Any = object()
"""No such key at all, which is less than null."""


class Practice(asyncio.Protocol):
    """One connection. `messages` has all that came; `take` goes through them one by one, so that
    a test says of each what it is.

    `deaf` is one that answers no ping, as a client whose machine is gone.
    """

    def __init__(self, url: str) -> None:
        self.id: Any = None
        """As whom it is logged in."""
        self.ids: set[Any] = set()
        """Those that it has had or sent: of no other it may ever hear."""
        self.name = ""
        self.messages: list[Json] = []
        self.texts: list[str] = []
        self.ended = False
        self.fault: BaseException | None = None
        self.deaf = False
        self.pings = 0
        self._taken = 0
        self._protocol = ClientProtocol(parse_uri(url), max_size=None)
        self._transport: asyncio.Transport
        self._shut = False
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    @classmethod
    async def connect(
        cls, port: int, path: str = "/", *, address: str = "127.0.0.1", buffer_bytes: int = 0
    ) -> Self:
        """`address`: whence it comes; `buffer_bytes`: what the kernel keeps for one who does not
        read."""
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((address, 0))
        if buffer_bytes:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, ("127.0.0.1", port))
        url = f"ws://127.0.0.1:{port}{path}"
        _, client = await loop.create_connection(lambda: cls(url), sock=sock)
        await client.until(lambda: client._protocol.state is OPEN)
        return client

    # To the hall

    def send(self, code: Any, info: Any = None, *, id: Any = None, **more: Any) -> None:
        """A message as clients send it; without an `id`, the own one, if there is one."""
        if id is None:
            id = "" if self.id is None else self.id
        if isinstance(id, str | int):
            self.ids.add(id)
        message = {"code": code, "id": id, "info": info, "timestamp": time.time(), **more}
        self.say({name: value for name, value in message.items() if value is not NOTHING})

    def say(self, message: Any) -> None:
        """One message: text as it is, anything else as JSON."""
        text = message if isinstance(message, str) else json.dumps(message)
        self.write(self.frame(Opcode.TEXT, text.encode()))

    def frame(self, opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
        return Frame(opcode, data, fin).serialize(mask=True)

    def write(self, data: bytes) -> None:
        """Bytes as they are."""
        self._transport.write(data)

    def log_in(self, name: Any = NOTHING, id: Any = "") -> None:
        self.send(shapes.LOGIN, {} if name is NOTHING else {"name": name}, id=id)

    def seek(self, game: str) -> None:
        self.send(shapes.SEEK, {"game_id": game})

    def act(self, room: int, action: Any, **fields: Any) -> None:
        self.send(shapes.ACT, {"room": room, "action": action, **fields})

    def stop_reading(self) -> None:
        self._transport.pause_reading()

    def read_on(self) -> None:
        self._transport.resume_reading()

    def shut(self) -> None:
        """Sends no more, but reads: the hall's pings are not answered either."""
        self._shut = True
        self._transport.write_eof()

    def cut(self) -> None:
        """Ends without a goodbye, once all is sent."""
        self._transport.close()

    async def close(self) -> None:
        """In the order of things: what was sent before arrives, and the hall says goodbye."""
        if not self.ended:
            self._protocol.send_close(1000)
            self._flush()
        await self.end()

    async def reset(self) -> None:
        """As a client that is killed."""
        sock = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()
        await self.end()

    # From the hall

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        self._flush()
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                try:
                    self._hear(event)
                except Exception as error:  # noqa: BLE001 (told to whoever waits)
                    error.add_note(f"in {bytes(event.data)!r}")
                    self.fault = self.fault or error
        if self._protocol.handshake_exc is not None:
            self.fault = self._protocol.handshake_exc
        self._look()

    def _flush(self) -> None:
        data = b"".join(self._protocol.data_to_send())
        if data and not self.deaf and not self._shut:
            self._transport.write(data)

    def _hear(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.PING, Opcode.PONG, Opcode.CLOSE):
            self.pings += frame.opcode is Opcode.PING
            return
        assert (frame.opcode, frame.fin) == (Opcode.TEXT, True)
        text = bytes(frame.data).decode()
        message = json.loads(text)
        check_message(message)
        if message["code"] == shapes.LOGGED_IN:
            self.id, self.name = message["id"], message["info"]["name"]
            self.ids.add(self.id)
        elif self.id is not None:
            assert message["id"] == self.id, "somebody else's"
            assert type(message["id"]) is type(self.id)
            if message["code"] == shapes.TOLD and message["info"]["code"] == "logged_out":
                self.id = None
        self.texts.append(text)
        self.messages.append(message)

    def eof_received(self) -> bool:
        self._protocol.receive_eof()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self._look()

    @property
    def close_code(self) -> int | None:
        """The code with which the hall has closed."""
        received = self._protocol.close_rcvd
        return None if received is None else received.code

    # Waiting

    async def until(self, holds: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
        """Returns when it holds, which is asked whenever something has come."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((lambda: holds() or self.ended, waiting))
        self._look()
        try:
            async with asyncio.timeout(seconds):
                await waiting
        except TimeoutError:
            raise AssertionError(f"it never came; the last: {self.messages[-6:]}") from None
        assert holds(), f"it has ended; the last: {self.messages[-6:]}"

    def _look(self) -> None:
        for entry in list(self._waiting):
            holds, waiting = entry
            if self.fault is not None or holds():
                self._waiting.remove(entry)
                with suppress(asyncio.InvalidStateError):
                    if self.fault is not None:
                        waiting.set_exception(self.fault)
                    else:
                        waiting.set_result(None)

    async def end(self) -> None:
        """Returns when the connection has ended."""
        await self.until(lambda: self.ended)

    @property
    def left_over(self) -> list[Json]:
        """What nobody has taken yet."""
        return self.messages[self._taken :]

    async def next(self) -> Json:
        """The next message, whatever it is."""
        await self.until(lambda: len(self.messages) > self._taken)
        self._taken += 1
        return self.messages[self._taken - 1]

    async def take(self, code: int, **fields: Any) -> Any:
        """The info of the next message, which has this code and these fields."""
        message = await self.next()
        assert message["code"] == code, f"{message} in place of {code}"
        info = message["info"]
        assert {name: info[name] for name in fields} == fields, message
        return info

    async def room(self, action: Any, **fields: Any) -> Json:
        """What the next message says, which is the room's."""
        told: Json = await self.take(shapes.ROOM, action=action, **fields)
        return told

    async def error(self) -> str:
        """The code of the next message, which is an error."""
        code: str = (await self.take(shapes.TOLD))["code"]
        return code

    async def quiet(self) -> None:
        """Nothing is left to be said to this client, and it is still answered."""
        self.send(0, {})
        assert await self.error() == ("not_logged_in" if self.id is None else "unknown_action")

    async def leave(self) -> None:
        """Logs out, whatever else it is told before, and goes."""
        self.send(shapes.LOGOUT)
        await self.until(lambda: self.id is None)
        await self.close()
