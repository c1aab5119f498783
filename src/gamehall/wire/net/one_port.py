"""One port for pages, API and WebSockets: reads the head of a request and hands the connection on.

WebSocket upgrades go to picows, everything else to aiohttp. picows' `WSProtocol` is not public, so
it is used in this file only, its version is pinned, and a test notices when it changes.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import msgspec
from picows import WSAutoPingStrategy, WSUpgradeRequest
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from gamehall.wire.net.http_head import Head, Proxies, response
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.listening import Listening, listen, peer_address
from gamehall.wire.net.websocket import (
    Listener,
    PicowsTransport,
    WebSocketChannel,
    WebSocketDoor,
    shake_hands,
)

HEAD_BYTES_MAX = 16 * 1024
READ_BUFFER_BYTES = 2048
ANY_PATH = "*"
"""The path of a WebSocket door that has its port to itself."""

Http = asyncio.Future[Callable[[], asyncio.Protocol]]
"""aiohttp's `web.Server`, or anything else that makes a protocol for each connection, as soon as it
is loaded; cancelled if it never will be."""


class _QuietLogger(logging.LoggerAdapter[logging.Logger]):
    """Keeps picows from logging each connection; what its peer did wrong, the channel logs.

    It also saves memory: for a plain logger picows makes a child for each connection.
    """

    def info(self, msg: object, *args: Any, **kwargs: Any) -> None: ...

    def error(self, msg: object, *args: Any, **kwargs: Any) -> None: ...


_picows_logger = _QuietLogger(logging.getLogger("picows"), {})


class _Port(msgspec.Struct, frozen=True):
    """What the connections of one port have in common."""

    keeper: Doorkeeper
    doors: Mapping[str, WebSocketDoor]
    http: Http | None
    proxies: Proxies


class Front(asyncio.Protocol):
    """Reads the head of a connection's first request. Stays in between for HTTP only."""

    __slots__ = ("_address", "_admitted", "_head", "_http", "_port", "_transport")

    def __init__(self, port: _Port) -> None:
        self._port = port
        self._head: bytearray | None = bytearray()
        self._http: asyncio.Protocol | None = None
        self._transport: asyncio.Transport
        self._address = ""
        self._admitted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._address = peer_address(transport)
        self._port.keeper.heads.add(self)
        # Behind a proxy the head has to say first who it is.
        if not self._port.proxies.trusts(self._address):
            self._admit()

    def data_received(self, data: bytes) -> None:
        if self._http is not None:
            self._http.data_received(data)
            return
        head = self._head
        if head is None:
            return
        # The end of the head may have been cut.
        searched = max(0, len(head) - 3)
        head += data
        end = head.find(b"\r\n\r\n", searched)
        if max(end, len(head) if end < 0 else 0) > HEAD_BYTES_MAX:
            self._answer(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                "too_large",
                f"The head of a request has at most {HEAD_BYTES_MAX} bytes.",
            )
        elif end >= 0:
            self._port.keeper.heads.discard(self)
            self._head = None
            self._route(Head.parse(bytes(head[:end])), bytes(head))

    def eof_received(self) -> bool | None:
        return self._http.eof_received() if self._http is not None else False

    def pause_writing(self) -> None:
        if self._http is not None:
            self._http.pause_writing()

    def resume_writing(self) -> None:
        if self._http is not None:
            self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._port.keeper.heads.discard(self)
        self._release()
        if self._http is not None:
            self._http.connection_lost(exc)

    def time_out(self) -> None:
        """The head has not come in time."""
        self._answer(
            HTTPStatus.REQUEST_TIMEOUT, "too_slow", "The head of the request took too long."
        )

    def _route(self, head: Head, data: bytes) -> None:
        port = self._port
        if port.proxies.trusts(self._address):
            self._address = port.proxies.speak_for(self._address, head.forwarded_for)
            if not self._admit():
                return
        if not head.upgrades:
            self._serve_http(data)
            return
        door = port.doors.get(head.path) or port.doors.get(ANY_PATH)
        if door is None:
            self._answer(HTTPStatus.NOT_FOUND, "no_such_door", "There is no WebSocket here.")
        else:
            self._serve_websocket(door, data)

    def _serve_http(self, data: bytes) -> None:
        http = self._port.http
        if http is None:
            message = "This port speaks WebSocket only."
            self._answer(HTTPStatus.UPGRADE_REQUIRED, "websocket_only", message)
        elif http.done():
            self._hand_over(data, http)
        else:
            # What comes meanwhile waits in the system's buffers.
            self._transport.pause_reading()
            http.add_done_callback(partial(self._hand_over_late, data))

    def _hand_over_late(self, data: bytes, http: Http) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
            self._hand_over(data, http)

    def _hand_over(self, data: bytes, http: Http) -> None:
        if http.cancelled():
            self._transport.abort()
            return
        self._http = http.result()()
        self._http.connection_made(self._transport)
        self._http.data_received(data)

    def _serve_websocket(self, door: WebSocketDoor, data: bytes) -> None:
        transport, keeper, address = self._transport, self._port.keeper, self._address
        max_bytes = keeper.limits.message_bytes
        wire = PicowsTransport(keeper, transport, self._release)

        def accept(request: WSUpgradeRequest) -> Any:
            channel = WebSocketChannel(keeper, transport, address)
            listener = Listener(channel, wire, door, max_bytes)
            return shake_hands(request, door.origins, listener)

        protocol = picows_protocol(accept, max_bytes)
        protocol.connection_made(wire)
        transport.set_protocol(protocol)
        replay(protocol, transport, data)

    def _admit(self) -> bool:
        keeper = self._port.keeper
        reason = keeper.gate.admit(self._address)
        self._admitted = reason is None
        if reason is None:
            return True
        if keeper.crowded:
            keeper.heads.discard(self)
            self._head = None
            self._transport.abort()
        else:
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "too_many", reason)
        return False

    def _answer(self, status: HTTPStatus, code: str, message: str) -> None:
        """Refuses the request, and with it the connection."""
        self._port.keeper.heads.discard(self)
        self._head = None
        self._transport.write(response(status, code, message))
        self._port.keeper.see_off(self._transport, self._release)

    def _release(self) -> None:
        if self._admitted:
            self._admitted = False
            self._port.keeper.gate.release(self._address)


async def serve_web(
    keeper: Doorkeeper,
    name: str,
    host: str,
    port: int,
    doors: Mapping[str, WebSocketDoor],
    http: Http | None = None,
    trusted_proxies: Sequence[str] = (),
    *,
    shared: bool = False,
) -> Listening:
    """The open port, with WebSocket doors by path (`ANY_PATH`: all others) and the rest to `http`;
    see `listen` for `shared`.

    Raises:
        PortTaken: someone else listens there.
    """
    settings = _Port(keeper, doors, http, Proxies(trusted_proxies))
    return await listen(lambda: Front(settings), name, host, port, shared=shared)


def picows_protocol(accept: Callable[[WSUpgradeRequest], Any], max_bytes: int) -> Any:
    """picows' side of a connection, as its `ws_create_server` would make it."""
    return WSProtocol(
        None,  # host and port: a client's
        None,  # path: a client's
        False,  # is_client_side
        accept,
        _picows_logger,
        True,  # disconnect_on_exception
        None,  # websocket_handshake_timeout: the head is here already
        False,  # enable_auto_ping: one sweep for all instead of a task for each
        0,
        0,
        WSAutoPingStrategy.PING_WHEN_IDLE,
        False,  # enable_auto_pong: in the channel's order
        max_bytes or sys.maxsize,
        None,  # extra_headers: a client's
        READ_BUFFER_BYTES,
    )


def replay(protocol: asyncio.BufferedProtocol, transport: asyncio.Transport, data: bytes) -> None:
    """Gives a protocol what was read before it came, for as long as it is in charge."""
    while data and transport.get_protocol() is protocol:
        space = memoryview(protocol.get_buffer(len(data)))
        part = data[: len(space)]
        space[: len(part)] = part
        protocol.buffer_updated(len(part))
        data = data[len(part) :]
