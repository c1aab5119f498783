"""The doors of a node in this process: real sockets, each on a port of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from gamehall.hall.hall import Hall
from gamehall.wire.caller import CallerLink
from gamehall.wire.codec import Codec, LineCodec
from gamehall.wire.duel import DuelDoor, DuelLink
from gamehall.wire.duel_codec import DuelCodec
from gamehall.wire.four import FourLink
from gamehall.wire.keeper import Doorkeeper
from gamehall.wire.limits import Limits
from gamehall.wire.mario import MarioLink
from gamehall.wire.native import NativeLink
from gamehall.wire.one_port import ANY_PATH, serve_web
from gamehall.wire.practice import PracticeLink
from gamehall.wire.practice_door import PracticeDoor
from gamehall.wire.rfc import RfcLink
from gamehall.wire.rooms import RoomCroupier
from gamehall.wire.shell import Converse
from gamehall.wire.sicbo import Croupier
from gamehall.wire.tcp import serve_tcp
from gamehall.wire.watch import WatchDoor, WatchLink
from gamehall.wire.websocket import WebSocketDoor
from gamehall.wire.zones import zones_of
from tests.nodes.node_halls import NodeHall
from tests.processes import HallProcess

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
async def open_doors(node: NodeHall, *names: str) -> AsyncIterator[OpenDoors]:
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
    def mario() -> Converse:
        croupier, zones = RoomCroupier(hall), zones_of(hall.games.values())
        return lambda channel: MarioLink(croupier, zones, channel)

    def practice() -> Converse:
        door = PracticeDoor(hall, begin_ms=0)
        return lambda channel: PracticeLink(door, channel)

    return {
        "native": lambda: partial(NativeLink, hall),
        "rfc": lambda: partial(RfcLink, Croupier(hall)),
        "mario": mario,
        "watch": lambda: partial(WatchLink, WatchDoor(hall)),
        "practice": practice,
    }


def _streams(hall: Hall) -> dict[str, tuple[Converse, Callable[[int], Codec]]]:
    duel = DuelDoor(hall, gap_ms=0, close_seconds=0)
    return {
        "native-tcp": (partial(NativeLink, hall), LineCodec),
        "caller": (partial(CallerLink, hall), LineCodec),
        "four": (partial(FourLink, hall), LineCodec),
        "duel": (lambda channel: DuelLink(duel, channel), DuelCodec),
    }
