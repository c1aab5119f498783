"""A native door over real TCP whose every answer the test writes itself."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self

import msgspec

from tests.support.processes import own_port
from tests.support.waiting import WAIT_SECONDS

Json = dict[str, Any]


class Peer:
    """One connection of a client, as the hall sees it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, action: str | None = None) -> Json:
        """The client's next message, which must be of this action."""
        async with asyncio.timeout(WAIT_SECONDS):
            line = await self._reader.readline()
        assert line, "the client has closed the connection"
        message: Json = msgspec.json.decode(line)
        assert action in (None, message["action"]), message
        return message

    def send_raw(self, data: bytes) -> None:
        self._writer.write(data)

    def send(self, action: str, payload: Json, id: str | None = None) -> None:
        message = {"action": action, "payload": payload} | ({} if id is None else {"requestId": id})
        self.send_raw(msgspec.json.encode(message) + b"\n")

    def answer(self, request: Json, payload: Json) -> None:
        self.send(request["action"], payload, request["requestId"])

    def refuse(self, request: Json, code: str) -> None:
        id = request["requestId"]
        self.send("error", {"code": code, "message": f"No: {code}.", "requestId": id}, id)

    def refuse_unnamed(self, code: str) -> None:
        self.send("error", {"code": code, "message": f"No: {code}."})

    async def welcome(self, *tables: int) -> Json:
        """Answers `hello`, which must come first; the hello's payload."""
        hello = await self.read("hello")
        welcome = {
            "player": {"id": 7, "name": "Ann", "guest": True, "balance": 0},
            "token": "the token",
            "server": {"version": "0", "protocol": 1},
            "tables": [{"table": table, "seat": 0} for table in tables],
        }
        self.answer(hello, welcome)
        payload: Json = hello["payload"]
        return payload

    def events(self, table: int, seq: int, after: int, *kinds: str) -> None:
        told = [{"type": kind} for kind in kinds or (f"event {seq}",)]
        self.send("table_events", {"table": table, "seq": seq, "after": after, "events": told})

    def view(self, table: int, seq: int) -> None:
        self.send("table_view", {"table": table, "seq": seq})

    def cut(self) -> None:
        """Ends the connection without a word, as a crash does."""
        self._writer.transport.abort()


class FakeHall:
    def __init__(self) -> None:
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()
        self._server: asyncio.Server
        self.url = ""

    async def __aenter__(self) -> Self:
        # Clients of other tests, whose hall has gone, may try ports that are given by chance.
        port = own_port()
        self._server = await asyncio.start_server(self._came, "127.0.0.1", port)
        self.url = f"tcp://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop_listening()

    def stop_listening(self) -> None:
        self._server.close()

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._peers.put_nowait(Peer(reader, writer))

    async def peer(self) -> Peer:
        """The next connection."""
        async with asyncio.timeout(WAIT_SECONDS):
            return await self._peers.get()
