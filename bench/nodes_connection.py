"""One connection to a node, at which one thing after the other is asked."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

C = TypeVar("C", bound="Connection")

ASK_SECONDS = 20.0


def message(action: str, **payload: object) -> bytes:
    return msgspec.json.encode({"action": action, "payload": payload})


class Connection(WSListener):
    """Asks one thing after the other; counts notices of moves, and forgets the others."""

    def __init__(self) -> None:
        self.transport: WSTransport
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()
        self.token = ""
        self.moves_seen = 0

    async def ask(self, action: str, **payload: object) -> dict[str, object]:
        self.transport.send(WSMsgType.TEXT, message(action, **payload))
        async with asyncio.timeout(ASK_SECONDS):
            while True:
                answer = msgspec.json.decode(await self._answers.get())
                if answer["action"] == action:
                    return dict(answer["payload"])
                if answer["action"] == "error":
                    raise SystemExit(f"{action} was answered {answer}")

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.take(frame.get_payload_as_bytes())

    def take(self, data: bytes) -> None:
        if data.startswith(b'{"action":"table_events"'):
            if b'"type":"dropped"' in data:
                self.moves_seen += 1
        elif not data.startswith((b'{"action":"table_', b'{"action":"watching"')):
            self._answers.put_nowait(data)


async def connected(connection: C, url: str, token: str | None = None) -> C:
    await ws_connect(lambda: connection, url)
    said = {} if token is None else {"token": token}
    connection.token = str((await connection.ask("hello", **said))["token"])
    return connection
