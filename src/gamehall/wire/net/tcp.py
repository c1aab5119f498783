"""Doors over plain TCP."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Callable
from time import monotonic
from typing import cast

from gamehall.wire.net.codec import Codec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.listening import Listening, listen, peer_address
from gamehall.wire.net.shell import Channel, Converse


class TcpChannel(Channel):
    """A TCP connection: lines are framed by their ends, packets tell their length themselves."""

    __slots__ = ()

    kind = "tcp"

    @staticmethod
    def frame(payload: bytes) -> bytes:
        return payload + b"\n"

    @staticmethod
    def packet(payload: bytes) -> bytes:
        return payload


class TcpConnection(asyncio.Protocol):
    """What the loop calls for one connection."""

    __slots__ = ("_channel", "_codec", "_converse", "_heard_at", "_keeper")

    def __init__(self, keeper: Doorkeeper, converse: Converse, codec: Callable[[], Codec]) -> None:
        self._keeper = keeper
        self._converse = converse
        self._codec = codec()
        self._channel: TcpChannel
        self._heard_at = -math.inf

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        wire = cast(asyncio.Transport, transport)
        keeper = self._keeper
        address = peer_address(wire)
        self._channel = TcpChannel(keeper, wire, address)
        reason = keeper.gate.admit(address)
        if reason is None:
            keep_alive(wire, keeper.limits.idle_seconds)
            self._channel.open(self._converse)
        elif keeper.crowded:
            wire.abort()
        else:
            self._channel.turn_away(self._converse, reason)

    def data_received(self, data: bytes) -> None:
        self._heard_at = monotonic()
        deliver = self._channel.deliver
        for message in self._codec.feed(data):
            deliver(message)

    def eof_received(self) -> bool:
        """The peer sends no more; what it has sent before is still answered."""
        channel = self._channel
        channel.half_close()
        half_closed = self._keeper.half_closed
        if monotonic() - self._heard_at < half_closed.seconds:
            half_closed.add(channel)
        else:
            # Nothing can be under way any more, so this is a client that has simply gone.
            channel.close()
        return True

    def pause_writing(self) -> None:
        self._channel.fell_behind()

    def resume_writing(self) -> None:
        self._channel.caught_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._keeper.half_closed.discard(self._channel)
        self._channel.ended(exc)


async def serve_tcp(
    keeper: Doorkeeper,
    name: str,
    host: str,
    port: int,
    converse: Converse,
    codec: Callable[[], Codec],
    *,
    shared: bool = False,
) -> Listening:
    """The open door. `codec` makes one for each connection; see `listen` for `shared`.

    Raises:
        PortTaken: someone else listens there.
    """
    return await listen(
        lambda: TcpConnection(keeper, converse, codec), name, host, port, shared=shared
    )


def keep_alive(transport: asyncio.Transport, idle_seconds: float) -> None:
    """Makes the kernel find out within `idle_seconds` that the peer is gone, where it can."""
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if idle_seconds <= 0:
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # Silence for half of the time, then four questions in the other half.
    for option, value in (
        ("TCP_KEEPIDLE", idle_seconds / 2),
        ("TCP_KEEPINTVL", idle_seconds / 8),
        ("TCP_KEEPCNT", 4),
        ("TCP_USER_TIMEOUT", idle_seconds * 1000),
    ):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), max(1, int(value)))
