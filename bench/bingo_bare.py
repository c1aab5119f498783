"""A bare TCP server that tells everyone each line that anyone sends, and stamps when it begins.

    python bench/bingo_bare.py STAMPS

One transport of uvloop for each connection, one write for each; the stamps are those of
broadcast_servers.py.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import cast

import uvloop

from broadcast_servers import stamper

everyone: set[asyncio.Transport] = set()


class Bare(asyncio.Protocol):
    def __init__(self, stamp: Callable[[], None]) -> None:
        self._stamp = stamp
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        everyone.add(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        everyone.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._stamp()
        for one in everyone:
            one.write(data)


async def serve(stamp: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Bare(stamp), "127.0.0.1", 0, backlog=1000)
    host, port = server.sockets[0].getsockname()
    sys.stderr.write(f"door bare {host}:{port}\nready\n")
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve(stamper(sys.argv[1])))
