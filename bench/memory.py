"""Memory for each idle native connection: the server's growth from 1,000 to 5,000 of them.

    python bench/memory.py

Every connection has said hello, so it is a player, and then says nothing. Only memory that is the
process's own counts. The limits that this load would hit are switched off (see servers.py).
"""

from __future__ import annotations

import argparse
import asyncio

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from broadcast import FILES_MORE, allow_many_files
from servers import Started, hall


class Idle(WSListener):
    """A client that says hello and is then silent."""

    def __init__(self) -> None:
        self.welcomed = asyncio.get_running_loop().create_future()

    def on_ws_connected(self, transport: WSTransport) -> None:
        transport.send(WSMsgType.TEXT, b'{"action":"hello"}')

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT and not self.welcomed.done():
            self.welcomed.set_result(None)


async def connect(server: Started, count: int) -> list[WSTransport]:
    """Connects, fifty at a time, and returns when all are known to the hall."""
    transports = []
    for start in range(0, count, 50):
        number = min(50, count - start)
        pairs = await asyncio.gather(*(ws_connect(Idle, server.url) for _ in range(number)))
        for transport, listener in pairs:
            assert isinstance(listener, Idle)
            await listener.welcomed
            transports.append(transport)
    return transports


async def settled(server: Started) -> int:
    """The memory, once the server has had a moment to finish what the last client caused."""
    await asyncio.sleep(2)
    return server.memory_bytes()


async def measure(server: Started, few: int, many: int) -> float:
    """The bytes of a connection."""
    kept = await connect(server, few)
    before = await settled(server)
    kept += await connect(server, many - few)
    after = await settled(server)
    print(f"{few} connections: {before / 1e6:.1f} MB   {many}: {after / 1e6:.1f} MB")
    return (after - before) / (many - few)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--many", type=int, default=5000)
    arguments = parser.parse_args()
    allow_many_files(arguments.many + FILES_MORE)
    with hall() as server:
        each = uvloop.run(measure(server, arguments.few, arguments.many))
    print(f"for each connection: {each / 1000:.1f} KB (at most 20)")


if __name__ == "__main__":
    main()
