"""The two servers of bench/broadcast.py, both of which write down when they begin to tell.

    python bench/broadcast_servers.py hall STAMPS serve …     a hall; each commit's end is stamped
    python bench/broadcast_servers.py bare STAMPS             picows, and a loop over them all

A stamp is the system's monotonic clock in nanoseconds, 8 bytes, at the end of the file STAMPS. The
bare server tells everyone what anyone sends to it.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import struct
import sys
import time
from collections.abc import Callable

import uvloop
from picows import (
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    ws_create_server,
)

STAMP = struct.Struct("<q")


def stamper(path: str) -> Callable[[], None]:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    return lambda: _write(file)


def _write(file: int) -> None:
    os.write(file, STAMP.pack(time.monotonic_ns()))


def serve_hall(stamp: Callable[[], None]) -> None:
    """From the end of its commit on a hall may tell what was written."""
    from gamehall.__main__ import main
    from gamehall.store.sqlite import writer as sqlite_writer

    commit = sqlite_writer.commit

    def commit_and_stamp(connection: sqlite3.Connection) -> None:
        commit(connection)
        stamp()

    setattr(sqlite_writer, "commit", commit_and_stamp)  # noqa: B010 (mypy forbids the assignment)
    main()


class Bare(WSListener):
    everyone: set[WSTransport] = set()  # noqa: RUF012 (one server a process)

    def __init__(self, stamp: Callable[[], None]) -> None:
        self._stamp = stamp

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.everyone.add(transport)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.everyone.discard(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        message = frame.get_payload_as_bytes()
        self._stamp()
        for one in self.everyone:
            one.send(WSMsgType.TEXT, message)


async def serve_bare(stamp: Callable[[], None]) -> None:
    def listener(_: WSUpgradeRequest) -> WSListener:
        return Bare(stamp)

    server = await ws_create_server(listener, "127.0.0.1", 0, backlog=1000)
    host, port = server.sockets[0].getsockname()
    sys.stderr.write(f"door native {host}:{port}\nready\n")
    await asyncio.Event().wait()


if __name__ == "__main__":
    which, stamps = sys.argv.pop(1), stamper(sys.argv.pop(1))
    if which == "hall":
        serve_hall(stamps)
    else:
        uvloop.run(serve_bare(stamps))
