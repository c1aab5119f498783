"""The doors of a node in this process: real sockets, each on a port of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from gamehall.hall.hall import Hall
from gamehall.limits import Limits
from gamehall.wire.bingo.caller import CallerLink
from gamehall.wire.bingo.duel import DuelLink
from gamehall.wire.bingo.duel_codec import DuelCodec
from gamehall.wire.bingo.watch import WatchDoor, WatchLink
from gamehall.wire.four.dialect import FourLink
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.net.codec import Codec, LineCodec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.one_port import ANY_PATH, serve_web
from gamehall.wire.net.shell import Converse
from gamehall.wire.net.tcp import serve_tcp
from gamehall.wire.net.websocket import WebSocketDoor
from gamehall.wire.practice.dialect import PracticeLink
from gamehall.wire.sicbo.dialect import Croupier
from gamehall.wire.sicbo.mario import MarioLink
from gamehall.wire.sicbo.rfc import RfcLink
from gamehall.wire.sicbo.zone_link import RoomCroupier
from tests.hall.halls import TestHall
from tests.support.processes import HallProcess

MESSAGE_BYTES = 65536
HOST = "127.0.0.1"


class OpenDoors(HallProcess):
    """What clients need to know of a hall."""

    def __init__(self, ports: dict[str, int]) -> None:
        self.ports = ports

    @property
    def ws_url(self) -> str:
        return f"ws://{HOST}:{self.ports['native']}/"


@asynccontextmanager
async def open_doors(node: TestHall, *names: str) -> AsyncIterator[OpenDoors]:
    """These doors of the node."""
    hall, keeper = node.hall, Doorkeeper(Limits())
    sockets, streams = _sockets(hall), _streams(hall)
    ports: dict[str, int] = {}
    async with AsyncExitStack() as stack:
        stack.push_async_callback(keeper.close)
        for name in names:
            if name in sockets:
                door = {ANY_PATH: WebSocketDoor(sockets[name]())}
                listening = await serve_web(keeper, name, HOST, 0, doors=door)
            else:
                converse, codec = streams[name]
                listening = await serve_tcp(
                    keeper, name, HOST, 0, converse, partial(codec, MESSAGE_BYTES)
                )
            stack.push_async_callback(listening.close)
            ports[name] = listening.port
        yield OpenDoors(ports)


def _sockets(hall: Hall) -> dict[str, Callable[[], Converse]]:
    return {
        "native": lambda: partial(NativeLink, hall),
        "rfc": lambda: partial(RfcLink, Croupier(hall)),
        "mario": lambda: partial(MarioLink, RoomCroupier(hall)),
        "watch": lambda: partial(WatchLink, WatchDoor(hall)),
        "practice": lambda: partial(PracticeLink, hall, begin_ms=0),
    }


def _streams(hall: Hall) -> dict[str, tuple[Converse, Callable[[int], Codec]]]:
    return {
        "native-tcp": (partial(NativeLink, hall), LineCodec),
        "caller": (partial(CallerLink, hall), LineCodec),
        "four": (partial(FourLink, hall), LineCodec),
        "duel": (partial(DuelLink, hall, gap_ms=0, close_seconds=0), DuelCodec),
    }
