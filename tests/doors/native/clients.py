"""Clients of the native door that share no code with the hall: bare sockets, and for WebSocket the
protocol of the `websockets` package. What is answered and what comes unasked are kept apart."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeVar

from websockets.client import ClientProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

Json = dict[str, Any]
Door = Literal["ws", "tcp"]
T = TypeVar("T")

WAIT_SECONDS = 30.0
READ_BYTES = 65536
NOTICES = {
    "table_view", "table_events", "table_over", "seated", "player_dropped", "player_back",
    "player_left", "challenged", "challenge_refused", "challenge_expired", "challenge_withdrawn",
    "lobby", "said", "watching", "glance", "going_away",
}  # fmt: skip


class Place(Protocol):
    """Where a hall is: a process of its own, or within the test's."""

    @property
    def ports(self) -> dict[str, int]: ...
    @property
    def ws_url(self) -> str: ...


class Client:
    """One connection. `log` has every message that came, in order.

    Each answer and each notice is taken once; the end of the test looks for answers left over.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        protocol: ClientProtocol | None,
    ) -> None:
        self.log: list[Json] = []
        self.answers: list[Json] = []
        self.notices: list[Json] = []
        self.ended = False
        self.secrets: set[str] = set()
        """Tokens, passwords and keys that went over this connection: no log may have them."""
        self.welcome: Json = {}
        self._reader = reader
        self._writer = writer
        self._protocol = protocol
        self._rest = b""
        self._shut = False
        self._requests = 0
        self._changed = asyncio.Event()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def connect(cls, hall: Place, door: Door, *, buffer_bytes: int = 0) -> Client:
        """`buffer_bytes`: how much the kernel keeps for a client that does not read."""
        sock = socket.socket()
        sock.setblocking(False)
        if buffer_bytes:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        port = hall.ports["native" if door == "ws" else "native-tcp"]
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        reader, writer = await asyncio.open_connection(sock=sock, limit=buffer_bytes or READ_BYTES)
        if door == "tcp":
            return cls(reader, writer, None)
        protocol = ClientProtocol(parse_uri(hall.ws_url), max_size=None)
        protocol.send_request(protocol.connect())
        for data in protocol.data_to_send():
            writer.write(data)
        while protocol.state is not OPEN:
            async with asyncio.timeout(WAIT_SECONDS):
                data = await reader.read(1)
            assert data, "no handshake"
            protocol.receive_data(data)
            protocol.events_received()
            assert protocol.handshake_exc is None, protocol.handshake_exc
        return cls(reader, writer, protocol)

    @property
    def door(self) -> Door:
        return "tcp" if self._protocol is None else "ws"

    # To the hall

    def send(self, action: str, payload: Any = None, request_id: Any = None) -> None:
        message: Json = {"action": action}
        if request_id is not None:
            message["requestId"] = request_id
        if payload is not None:
            message["payload"] = payload
            self._note_secrets(payload)
        self.send_text(json.dumps(message))

    def send_text(self, message: str | bytes) -> None:
        """One message, whatever it says."""
        self.write(self.framed(message))

    def framed(self, message: str | bytes) -> bytes:
        """The bytes that one message is on the wire."""
        data = message.encode() if isinstance(message, str) else message
        return data + b"\n" if self._protocol is None else self.frame(Opcode.TEXT, data)

    def frame(self, opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
        return Frame(opcode, data, fin).serialize(mask=True)

    def write(self, data: bytes) -> None:
        """Bytes as they are."""
        self._writer.write(data)

    async def drain(self) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await self._writer.drain()

    # From the hall

    async def ask(self, action: str, **payload: Any) -> Json:
        """The payload of the answer, which must not be a refusal."""
        answer = await self.request(action, payload)
        assert answer["action"] == ("pong" if action == "ping" else action), answer
        found: Json = answer["payload"]
        self._note_secrets(found)
        return found

    async def refused(self, action: str, **payload: Any) -> str:
        """The code with which it is refused."""
        answer = await self.request(action, payload)
        assert answer["action"] == "error", answer
        error = answer["payload"]
        assert set(error) == {"code", "message", "requestId"}
        assert error["requestId"] == answer["requestId"]
        assert error["message"]
        code: str = error["code"]
        return code

    async def request(self, action: str, payload: Any, request_id: str | None = None) -> Json:
        """The whole answer."""
        if request_id is None:
            self._requests += 1
            request_id = f"r{self._requests}"
        self.send(action, payload, request_id)
        return await self.answer(request_id)

    async def answer(self, request_id: str | None = None) -> Json:
        """The answer to that request; without one, the next answer whatever it is to."""

        def find() -> Json | None:
            for answer in self.answers:
                if request_id is None or answer.get("requestId") == request_id:
                    self.answers.remove(answer)
                    return answer
            return None

        return await self.until(find, f"the answer to {request_id}")

    async def error(self) -> str:
        """The code of the next answer, which must be a refusal of what has no request id."""
        answer = await self.answer()
        assert answer["action"] == "error", answer
        assert set(answer["payload"]) == {"code", "message"}, answer
        code: str = answer["payload"]["code"]
        return code

    async def still_answers(self) -> None:
        """The next thing that is answered is a ping: nothing else was left to say."""
        self.send("ping", request_id="still there")
        assert (await self.answer())["action"] == "pong"

    async def notice(self, action: str, **fields: Any) -> Json:
        """The payload of the first notice of that kind that was not taken yet."""

        def find() -> Json | None:
            for notice in self.notices:
                payload: Json = notice["payload"]
                if notice["action"] == action and fields.items() <= payload.items():
                    self.notices.remove(notice)
                    return payload
            return None

        return await self.until(find, f"the notice {action} {fields}")

    async def until(self, find: Callable[[], T | None], what: str) -> T:
        """What `find` finds; it is asked after each message."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while True:
                    self._changed.clear()
                    found = find()
                    if found is not None:
                        return found
                    assert not self.ended, f"closed before {what} came; last {self.log[-5:]}"
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{what} never came; last {self.log[-5:]}") from None

    async def closed(self) -> int | None:
        """Waits for the hall's end of the connection; over WebSocket, the code it closes with."""
        await self.until(lambda: self.ended or None, "the end")
        if self._protocol is None or self._protocol.close_rcvd is None:
            return None
        return self._protocol.close_rcvd.code

    def heard(self, action: str) -> list[Json]:
        """The payloads of all messages of that action so far."""
        return [message["payload"] for message in self.log if message["action"] == action]

    async def _listen(self) -> None:
        try:
            while not self.ended:
                await self._may_read.wait()
                data = await self._reader.read(READ_BYTES)
                for message in self._messages(data):
                    self._take(json.loads(message))
                self.ended = not data
        except ConnectionError:
            pass
        finally:
            self.ended = True
            self._writer.close()
            self._changed.set()

    def _messages(self, data: bytes) -> list[bytes]:
        if self._protocol is None:
            *lines, self._rest = (self._rest + data).split(b"\n")
            return lines
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        assert self._protocol.parser_exc is None or not data, self._protocol.parser_exc
        frames = [event for event in self._protocol.events_received() if isinstance(event, Frame)]
        if not self._shut:
            self._writer.write(b"".join(self._protocol.data_to_send()))
        assert all(frame.fin for frame in frames)
        return [bytes(frame.data) for frame in frames if frame.opcode is Opcode.TEXT]

    def _take(self, message: Json) -> None:
        assert set(message) <= {"action", "requestId", "payload"}, message
        self.log.append(message)
        if message["action"] in NOTICES:
            assert "requestId" not in message
            self.notices.append(message)
        else:
            self.answers.append(message)
        self._changed.set()

    def _note_secrets(self, payload: Any) -> None:
        if isinstance(payload, dict):
            for name in ("token", "password", "key"):
                value = payload.get(name)
                if isinstance(value, str) and len(value) > 5:
                    self.secrets.add(value)

    # Coming and going

    async def hello(self, name: str | None = None, token: str | None = None) -> Self:
        given = {"name": name, "token": token}
        self.welcome = await self.ask("hello", **{k: v for k, v in given.items() if v is not None})
        return self

    @property
    def id(self) -> int:
        id: int = self.welcome["player"]["id"]
        return id

    @property
    def name(self) -> str:
        name: str = self.welcome["player"]["name"]
        return name

    @property
    def token(self) -> str:
        token: str = self.welcome["token"]
        return token

    def stop_reading(self) -> None:
        """From now on nothing is taken from the kernel, nor much by the stream's own buffer."""
        self._may_read.clear()

    def go_on_reading(self) -> None:
        self._may_read.set()

    def shut_down(self) -> None:
        """Sends no more, but reads on."""
        self._shut = True
        self._writer.write_eof()

    def reset(self) -> None:
        """The end that a crash of the client's machine makes."""
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def close(self) -> None:
        if self._protocol is not None and self._protocol.state is OPEN and not self.ended:
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)
            self._writer.write(b"".join(self._protocol.data_to_send()))
        self._listening.cancel()
        with suppress(asyncio.CancelledError):
            await self._listening
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
