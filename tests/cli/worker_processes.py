"""Which process is behind a connection, where several share a port: the system knows."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import LINE_BYTES_MAX, Client, TcpWire

SERVER_PORT, CLIENT_PORT, INODE = 1, 2, 9
"""Columns of /proc/net/tcp, of the server's end of a connection."""


class At(NamedTuple):
    client: Client
    worker: int
    """The process that it speaks to."""


def workers_of(hall: HallProcess) -> list[int]:
    """The processes that the hall's parent has started and that have not ended."""
    return [
        int(pid) for pid in Path(f"/proc/{hall.pid}/task/{hall.pid}/children").read_text().split()
    ]


def is_running(pid: int) -> bool:
    with suppress(OSError):
        # One that nobody has asked for its exit code is still listed, as a zombie.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def connect(hall: HallProcess) -> At:
    """A connection to the native TCP door, at whichever worker it came to."""
    port = hall.ports["native-tcp"]
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LINE_BYTES_MAX)
    mine: int = writer.get_extra_info("sockname")[1]
    async with asyncio.timeout(WAIT_SECONDS):
        while (worker := _holder(hall, port, mine)) is None:
            await asyncio.sleep(0.01)
    return At(Client(TcpWire(reader, writer)), worker)


async def connect_at(hall: HallProcess, worker: int) -> Client:
    """A connection to this very worker."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            client, at = await connect(hall)
            if at == worker:
                return client
            await client.close()


def _holder(hall: HallProcess, server_port: int, client_port: int) -> int | None:
    """The worker that has taken the connection."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        row = line.split()
        ports = [int(row[end].rpartition(":")[2], 16) for end in (SERVER_PORT, CLIENT_PORT)]
        if ports == [server_port, client_port]:
            return next((pid for pid in workers_of(hall) if _has(pid, row[INODE])), None)
    return None


def _has(pid: int, inode: str) -> bool:
    with suppress(OSError):  # The process or its file may be gone by now: it is asked again.
        files = Path(f"/proc/{pid}/fd").iterdir()
        return any(os.readlink(file) == f"socket:[{inode}]" for file in files)
    return False
