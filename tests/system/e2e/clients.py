"""A small client of the native door that shares no code with the hall: other people's libraries
and docs/protocols/native.md are all it knows."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from itertools import count
from secrets import token_hex
from types import TracebackType
from typing import Any, Protocol, Self

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_websocket

from tests.support.waiting import WAIT_SECONDS

Json = dict[str, Any]

LINE_BYTES_MAX = 2**20


class Lost(Exception):
    """The connection has ended. `code` is that of a WebSocket's close, 1006 if there was none."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(f"the connection has ended ({code})")
        self.code = code


class Refused(Exception):
    """The hall has answered with an error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Wire(Protocol):
    """One text a message, both ways. Each raises Lost."""

    async def send(self, text: str) -> None: ...
    async def receive(self) -> str: ...
    async def close(self) -> None: ...


class WebSocketWire:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, url: str) -> Self:
        return cls(await connect_websocket(url, max_size=LINE_BYTES_MAX, proxy=None))

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except websockets.ConnectionClosed:
            raise Lost(self._connection.close_code) from None

    async def receive(self) -> str:
        try:
            return await self._connection.recv(decode=True)
        except websockets.ConnectionClosed:
            raise Lost(self._connection.close_code) from None

    async def close(self) -> None:
        await self._connection.close()


class TcpWire:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, url: str) -> Self:
        host, _, port = url.removeprefix("tcp://").rpartition(":")
        return cls(*await asyncio.open_connection(host, int(port), limit=LINE_BYTES_MAX))

    async def send(self, text: str) -> None:
        try:
            self._writer.write(text.encode() + b"\n")
            await self._writer.drain()
        except OSError:
            raise Lost from None

    async def receive(self) -> str:
        try:
            line = await self._reader.readline()
        except OSError:
            raise Lost from None
        if not line.endswith(b"\n"):
            raise Lost
        return line.decode()

    async def close(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            return  # It was gone already.


class Client:
    """A connection that writes down every message that comes, in `heard`."""

    def __init__(self, wire: Wire) -> None:
        self.heard: list[Json] = []
        self.unasked: list[Json] = []
        """Answers without a question; a request is answered once."""
        self.lost: Lost | None = None
        self.player = 0
        self.token = ""
        self._wire = wire
        # The hall knows ids by player, and a player may have had connections before.
        self._ids = (f"{token_hex(4)}-{number}" for number in count(1))
        self._waiting: dict[str, deque[asyncio.Future[Json]]] = {}
        self._changed = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, url: str) -> Self:
        opener: Callable[[str], Any] = (
            TcpWire.open if url.startswith("tcp:") else WebSocketWire.open
        )
        try:
            return cls(await opener(url))
        except (OSError, websockets.InvalidHandshake, EOFError):
            raise Lost from None

    @classmethod
    async def enter(cls, url: str, **hello: str) -> Self:
        """A client that has said hello, with a `name` or a `token`."""
        client = await cls.connect(url)
        welcome = await client.ask("hello", **hello)
        client.player, client.token = welcome["player"]["id"], welcome["token"]
        return client

    async def _read(self) -> None:
        try:
            while True:
                message: Json = json.loads(await self._wire.receive())
                self.heard.append(message)
                if "requestId" in message:
                    self._take_answer(message)
                await self._notify()
        except Lost as lost:
            self.lost = lost
            for future in [future for queue in self._waiting.values() for future in queue]:
                if not future.done():
                    future.set_exception(lost)
                    future.exception()  # Whoever waits hears of it; not everyone waits.
            await self._notify()
            await self._wire.close()

    def _take_answer(self, message: Json) -> None:
        waiting = self._waiting.get(message["requestId"])
        if not waiting:
            self.unasked.append(message)
            return
        # A request that is sent again is answered again, in the same order.
        answered = waiting.popleft()
        if not answered.done():
            answered.set_result(message)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def post(self, action: str, payload: Json, id: str | None = None) -> asyncio.Future[Json]:
        """Sends a request; the future gives the message that answers it, or raises Lost."""
        if self.lost is not None:
            raise self.lost
        id = id or next(self._ids)
        answered: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(id, deque()).append(answered)
        try:
            await self._wire.send(
                json.dumps({"action": action, "requestId": id, "payload": payload})
            )
        except Lost as lost:
            self.lost = lost
            raise
        return answered

    async def ask(self, action: str, /, request_id: str | None = None, **payload: Any) -> Json:
        """The answer's payload. Raises Refused or Lost."""
        answered = await self.post(action, payload, request_id)
        async with asyncio.timeout(WAIT_SECONDS):
            answer = await answered
        return read_answer(answer)

    async def drop(self, table: int, column: int, request_id: str | None = None) -> Json:
        command = {"type": "drop", "column": column}
        return await self.ask("act", request_id, table=table, command=command)

    async def until(self, holds: Callable[[Json], bool], start: int = 0) -> Json:
        """The first message, of those from `start` on, for which it `holds`."""
        place = start
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            while True:
                for message in self.heard[place:]:
                    place += 1
                    if holds(message):
                        return message
                if self.lost is not None:
                    raise self.lost
                await self._changed.wait()

    async def notice(self, action: str, table: int | None = None, start: int = 0) -> Json:
        """The payload of the first such notice from `start` on."""

        def is_it(message: Json) -> bool:
            here = table is None or message.get("payload", {}).get("table") == table
            return message["action"] == action and "requestId" not in message and here

        payload: Json = (await self.until(is_it, start))["payload"]
        return payload

    def notices(self, action: str, table: int) -> list[Json]:
        """The payloads of all such notices so far."""
        return [
            message["payload"]
            for message in self.heard
            if message["action"] == action
            and message["payload"].get("table") == table
            and "requestId" not in message
        ]

    async def close(self) -> None:
        await self._wire.close()
        await self._reading

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


def read_answer(message: Json) -> Json:
    """The payload of an answer. Raises Refused if it is an error."""
    payload: Json = message["payload"]
    if message["action"] == "error":
        raise Refused(payload["code"], payload["message"])
    return payload
