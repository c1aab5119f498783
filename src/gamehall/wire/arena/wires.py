"""Links to a portal, over TCP or WebSocket: packets in and out, and nothing of what they mean."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

import aiohttp

from gamehall.errors import BadRequest
from gamehall.limits import Limits
from gamehall.wire.arena.codec import FromPortal, Packet, encode
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.tcp import keep_alive

CONNECT_SECONDS = 10.0
SEND_SECONDS = 30.0
"""A portal that takes nothing for so long is given up."""
LINGER_SECONDS = 1.0
"""How long a portal has to hang up, so that the last packet reaches it."""
READ_BYTES = 65536

LOST = (OSError, TimeoutError, aiohttp.ClientError)
"""What opening a wire or sending raises when the portal is out of reach."""


@dataclass(eq=False)
class TcpWire:
    """An open link to a portal; so is a `WebSocketWire`."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _packets: FromPortal
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    async def open(cls, url: str, limits: Limits) -> TcpWire:
        where = urlsplit(url)
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
        keep_alive(cast(asyncio.Transport, writer.transport), limits.idle_seconds)
        return cls(reader, writer, FromPortal(limits.message_bytes))

    async def send(self, packet: Packet) -> None:
        async with self._sending, asyncio.timeout(SEND_SECONDS):
            if self._writer.is_closing():
                raise ConnectionResetError
            self._writer.write(encode(packet))
            await self._writer.drain()

    async def receive(self) -> list[Packet | Garbled]:
        """The packets that come next; none: the link has ended."""
        while data := await self._reader.read(READ_BYTES):
            packets = self._packets.read(data)
            if packets:
                return packets
        return []

    async def close(self) -> None:
        """Ends the link, once what was sent is gone."""
        with suppress(*LOST):
            async with asyncio.timeout(LINGER_SECONDS):
                if not self._writer.is_closing():
                    self._writer.write_eof()
                # Closed with something unread, it would be reset, and the last packet lost.
                while await self._reader.read(READ_BYTES):
                    pass
        self._writer.close()

    @property
    def local_address(self) -> str:
        """This machine's, as the link goes."""
        return str(self._writer.get_extra_info("sockname")[0])


@dataclass(eq=False)
class WebSocketWire:
    _session: aiohttp.ClientSession
    _socket: aiohttp.ClientWebSocketResponse
    _packets: FromPortal

    @classmethod
    async def open(cls, url: str, limits: Limits) -> WebSocketWire:
        session = aiohttp.ClientSession()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                socket = await session.ws_connect(
                    url,
                    max_msg_size=limits.message_bytes,
                    # A question that is not answered within half of it ends the link.
                    heartbeat=limits.idle_seconds / 1.5 or None,
                    timeout=aiohttp.ClientWSTimeout(ws_close=LINGER_SECONDS),
                )
        except BaseException:
            await session.close()
            raise
        return cls(session, socket, FromPortal(limits.message_bytes))

    async def send(self, packet: Packet) -> None:
        async with asyncio.timeout(SEND_SECONDS):
            await self._socket.send_bytes(encode(packet))

    async def receive(self) -> list[Packet | Garbled]:
        while True:
            message = await self._socket.receive()
            if message.type is aiohttp.WSMsgType.TEXT:
                reason = "Packets are binary messages, not text."
                return [Garbled(reason, BadRequest.code, fatal=True)]
            if message.type is not aiohttp.WSMsgType.BINARY:
                return []
            packet = self._packets.message(message.data)
            if packet is not None:
                return [packet]

    async def close(self) -> None:
        with suppress(*LOST):
            await self._socket.close()
        await self._session.close()

    @property
    def local_address(self) -> str:
        return str(self._socket.get_extra_info("sockname")[0])


Wire = TcpWire | WebSocketWire


async def open_wire(url: str, limits: Limits) -> Wire:
    """A new link to the portal there. Raises one of LOST."""
    kind = TcpWire if urlsplit(url).scheme == "tcp" else WebSocketWire
    return await kind.open(url, limits)
