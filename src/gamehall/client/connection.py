"""A connection to a native door: whole messages in and out, over WebSocket or lines of TCP."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp

CONNECT_SECONDS = 10.0
CLOSE_SECONDS = 2.0
"""How long a goodbye may take before the connection is simply cut."""
MESSAGE_BYTES_MAX = 16 * 1024 * 1024
"""The longest message of a hall: it is held whole before it is understood."""
TCP_PORT = 8001


class ConnectionLost(Exception):
    """The hall cannot be reached, or no longer; the text says why."""


def is_address(url: str, *schemes: str) -> bool:
    """Whether a hall could be there."""
    try:
        parts = urlsplit(url)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def check_url(url: str) -> None:
    """Raises ValueError, with a sentence for whoever typed it, if this is no native door's URL."""
    if not is_address(url, "ws", "wss", "tcp"):
        raise ValueError(
            f"{url!r} is not the address of a hall. It looks like ws://127.0.0.1:8000/ws, "
            "wss://example.org/ws or tcp://127.0.0.1:8001."
        )


async def connect(url: str) -> Connection:
    """An open connection. Raises ConnectionLost."""
    check_url(url)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            return await (_connect_tcp(url) if url.startswith("tcp:") else _connect_ws(url))
    except TimeoutError:
        raise ConnectionLost(f"no answer within {CONNECT_SECONDS:g} seconds") from None
    except (OSError, ValueError, aiohttp.ClientError) as error:
        raise ConnectionLost(str(error) or type(error).__name__) from None


@dataclass(eq=False)
class WebSocketConnection:
    _session: aiohttp.ClientSession
    _socket: aiohttp.ClientWebSocketResponse

    async def send(self, message: str) -> None:
        try:
            await self._socket.send_str(message)
        except (OSError, aiohttp.ClientError) as error:
            raise ConnectionLost(str(error)) from None

    async def receive(self) -> str | bytes:
        message = await self._socket.receive()
        if message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
            return message.data  # type: ignore[no-any-return]  # aiohttp says only Any
        if message.type is aiohttp.WSMsgType.CLOSE and message.extra:
            raise ConnectionLost(f"closed by the hall: {message.extra}")
        raise ConnectionLost("the connection was closed")

    async def close(self) -> None:
        await self._socket.close()
        await self._session.close()


async def _connect_ws(url: str) -> WebSocketConnection:
    session = aiohttp.ClientSession()
    try:
        socket = await session.ws_connect(
            url,
            max_msg_size=MESSAGE_BYTES_MAX,
            timeout=aiohttp.ClientWSTimeout(ws_close=CLOSE_SECONDS),
        )
    except BaseException:
        await session.close()
        raise
    return WebSocketConnection(session, socket)


@dataclass(eq=False)
class TcpConnection:
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    async def send(self, message: str) -> None:
        try:
            self._writer.write(message.encode() + b"\n")
            await self._writer.drain()
        except OSError as error:
            raise ConnectionLost(str(error)) from None

    async def receive(self) -> str | bytes:
        try:
            line = await self._reader.readline()
        except (OSError, ValueError) as error:
            raise ConnectionLost(str(error)) from None
        if not line.endswith(b"\n"):
            raise ConnectionLost("the connection was closed")
        return line

    async def close(self) -> None:
        self._writer.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                with suppress(OSError):
                    await self._writer.wait_closed()
        except TimeoutError:
            self._writer.transport.abort()


async def _connect_tcp(url: str) -> TcpConnection:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(
        parts.hostname, parts.port or TCP_PORT, limit=MESSAGE_BYTES_MAX
    )
    return TcpConnection(reader, writer)


Connection = WebSocketConnection | TcpConnection
"""Every call but `close` raises ConnectionLost once the other side is gone."""
