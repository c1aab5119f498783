"""Doors over WebSocket: what picows parses becomes messages, what a channel sends becomes frames.

picows leaves to us the joining of fragments, the check of UTF-8, the pace of sending, pings, the
end of a connection and the header that Firefox sends. one_port.py makes the connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from http import HTTPStatus

import msgspec
import structlog
from multidict import CIMultiDict
from picows import (
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)

from gamehall.wire.net.codec import FrameJoiner, Garbled, too_large
from gamehall.wire.net.http_head import error_body
from gamehall.wire.net.keeper import IDLE_SWEEPS, Doorkeeper
from gamehall.wire.net.shell import Channel, Converse

log = structlog.get_logger(__name__)

Origins = Callable[[WSUpgradeRequest], bool]

TOO_LARGE = 1009

_ASK = b"\x89\x00"
_PING = WSMsgType.PING
_PONG = WSMsgType.PONG
_CLOSE = WSMsgType.CLOSE
_TEXT_HEADS = tuple(bytes((0x81, length)) for length in range(126))
_NO_HEADERS: CIMultiDict[str] = CIMultiDict()


class WebSocketDoor(msgspec.Struct, frozen=True):
    """How a path is served. `origins` says whose pages may connect; None: everyone's."""

    converse: Converse
    origins: Origins | None = None
    binary: bool = False
    """Whether it takes binary messages in place of text."""


def same_origin(allowed: Collection[str] = ()) -> Origins:
    """Takes pages of this very server and of `allowed` (`https://example.org`), and programs.

    A browser always says whose page connects; a program that says nothing has no one's cookies.
    """
    known = {origin.lower().rstrip("/") for origin in allowed}

    def is_known(request: WSUpgradeRequest) -> bool:
        origins = [origin.lower() for origin in request.headers.getall("Origin", [])]
        if len(origins) != 1:
            return not origins
        scheme, _, place = origins[0].partition("://")
        default_port = {"http": ":80", "https": ":443"}.get(scheme, "")
        here = request.headers.get("Host", "").lower().removesuffix(default_port)
        return origins[0] in known or place.removesuffix(default_port) == here != ""

    return is_known


@dataclass(slots=True, eq=False, repr=False)
class WebSocketChannel(Channel):
    """A WebSocket connection. Every byte it sends after the handshake goes through its queue."""

    kind = "ws"
    silent_sweeps: int = 0
    """How often the doorkeeper has come by since the last sign of life."""
    life: asyncio.Event | None = None
    """Where someone waits for a sign of life."""

    @staticmethod
    def frame(payload: bytes) -> bytes:
        length = len(payload)
        if length < 126:
            return _TEXT_HEADS[length] + payload
        if length < 65536:
            return b"\x81\x7e" + length.to_bytes(2, "big") + payload
        return b"\x81\x7f" + length.to_bytes(8, "big") + payload

    @staticmethod
    def packet(payload: bytes) -> bytes:
        return b"\x82" + WebSocketChannel.frame(payload)[1:]

    def swept(self) -> None:
        # Who is not read from cannot show any life.
        if self._closing or not self._transport.is_reading():
            return
        self.silent_sweeps += 1
        if self.silent_sweeps > IDLE_SWEEPS:
            log.info("silent_connection_dropped", address=self.address)
            self.abort()
        elif self.silent_sweeps == IDLE_SWEEPS // 2 + 1:
            self.send(_ASK)

    async def answers(self, seconds: float) -> bool:
        if self._closing or self._transport.is_closing():
            return False
        if not self._transport.is_reading():
            return True  # Who is not read from cannot show any life.
        life = self.life = asyncio.Event() if self.life is None else self.life
        self.send(_ASK)
        try:
            async with asyncio.timeout(seconds):
                await life.wait()
        except TimeoutError:
            pass
        finally:
            self.life = None
        return life.is_set() and not self._closing

    def pong(self, payload: bytes) -> None:
        """Answers a ping, which counts as a message: else nothing would bound them."""
        if self._pays(None):
            self.send(bytes((0x8A, len(payload))) + payload)

    def lose_framing(self, code: int) -> None:
        """The peer breaks the protocol. It is told once what came before has been handed on."""
        if self._closing:
            return
        self._transport.pause_reading()
        if code == TOO_LARGE:
            garbled = too_large(self._keeper.limits.message_bytes)
        else:
            garbled = Garbled("These are not WebSocket frames.", "bad_request", True, code)
        # picows looks one frame ahead: a sound message may still be on its way to the dialect.
        self._keeper.loop.call_soon(self.refuse, garbled)

    def _farewell(self, code: int, reason: str) -> bytes:
        said = reason.encode()[:123].decode(errors="ignore").encode()
        return bytes((0x88, 2 + len(said))) + code.to_bytes(2, "big") + said


class PicowsTransport(msgspec.Struct, eq=False):
    """The transport that picows is given, in place of the real one.

    By itself picows writes to the socket at once when the transport's buffer is empty
    (`_fast_write`), which would overtake what waits in the channel's queue for the end of the
    turn: its close frame would come before the last answers. Since the buffer never seems empty
    here, picows calls `write`. During the handshake that is the response. Later on, since we send
    pongs ourselves, it is only ever the close frame with which it answers broken framing, and
    the channel says that in its own order. So nothing can be reordered.
    """

    _keeper: Doorkeeper
    _transport: asyncio.Transport
    _ended: Callable[[], None]
    channel: WebSocketChannel | None = None

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self._transport.get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        return 1

    def write(self, data: bytes) -> None:
        if self.channel is None:
            self._transport.write(data)
        else:
            self.channel.lose_framing(int.from_bytes(data[2:4], "big"))

    def close(self) -> None:
        """The end of a handshake that failed. Later ends are the channel's."""
        if self.channel is None:
            self._keeper.see_off(self._transport, self._ended)


class Listener(WSListener):
    """What picows calls for one connection."""

    __slots__ = ("_channel", "_converse", "_joiner", "_wire")

    def __init__(
        self,
        channel: WebSocketChannel,
        wire: PicowsTransport,
        door: WebSocketDoor,
        max_bytes: int,
    ) -> None:
        self._channel = channel
        self._wire = wire
        self._converse = door.converse
        self._joiner = FrameJoiner(max_bytes, door.binary)

    def on_ws_connected(self, transport: WSTransport) -> None:
        # picows keeps both for as long as the connection lasts, though nobody needs them.
        transport.request.headers = _NO_HEADERS
        transport.response.headers = _NO_HEADERS
        self._wire.channel = self._channel
        self._channel.open(self._converse)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        channel = self._channel
        channel.silent_sweeps = 0
        if channel.life is not None:
            channel.life.set()
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            channel.refuse(Garbled("No extension was agreed on.", "bad_request", True, 1002))
        elif kind is _PING:
            channel.pong(frame.get_payload_as_bytes())
        elif kind is _CLOSE:
            channel.hang_up()
        elif kind is not _PONG:
            # The enumeration is one of integers, though its stub does not say so.
            opcode: int = kind  # type: ignore[assignment]
            message = self._joiner.feed(opcode, frame.fin, frame.get_payload_as_bytes())
            if message is not None:
                channel.deliver(message)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._channel.ended()

    def pause_writing(self) -> None:
        self._channel.fell_behind()

    def resume_writing(self) -> None:
        self._channel.caught_up()


def shake_hands(
    request: WSUpgradeRequest, origins: Origins | None, listener: Listener
) -> Listener | WSUpgradeResponseWithListener:
    """The listener, or the refusal of a foreign page. Called before picows judges the request."""
    if origins is not None and not origins(request):
        body = error_body("foreign_origin", "Pages of other sites may not connect here.")
        refusal = WSUpgradeResponse.create_error_response(
            HTTPStatus.FORBIDDEN, body, {"Content-Type": "application/json"}
        )
        return WSUpgradeResponseWithListener(refusal, None)
    # Firefox sends `keep-alive, Upgrade`, which is right, but picows compares the whole header.
    said = ",".join(request.headers.getall("Connection", []))
    if "upgrade" in (token.strip().lower() for token in said.split(",")):
        request.headers["Connection"] = "Upgrade"
    return listener
