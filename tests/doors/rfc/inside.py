"""A hall in the test's own process, with real sockets, whose rounds a test can end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gamehall.config import load
from gamehall.games.sicbo_events import CloseBetting
from gamehall.hall.beat.requests import Ask, Done
from gamehall.server import Server, start_server
from tests.doors.mario.clients import PASSWORD, MarioClient
from tests.doors.native.clients import Client, Door
from tests.doors.rfc.clients import RfcClient, Speaker

BY_HAND = ("sicbo.betting_seconds=3600", "sicbo.reveal_seconds=0.05", "sicbo.pause_seconds=0.05")
"""Betting closes when a test says so."""


@asynccontextmanager
async def hall_inside(data: Path, *settings: str) -> AsyncIterator[Server]:
    server = await start_server(
        load(None, {}, settings),
        data=data,
        host="127.0.0.1",
        port=0,
        doors={"rfc": 0, "mario": 0, "practice": 0, "native-tcp": 0},
    )
    try:
        yield server
    finally:
        await server.stop(0)


async def visit(server: Server, door: str, name: str = "someone") -> Speaker:
    """A player of that name, who follows the rounds."""
    address = dict(server.doors)[door]
    # A small buffer, so that who does not read is noticed soon.
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    host, _, port = address.rpartition(":")
    await asyncio.get_running_loop().sock_connect(sock, (host, int(port)))
    if door == "rfc":
        rfc = await RfcClient.connect(f"ws://{address}/", sock=sock)
        await rfc.log_in(name, PASSWORD)
        await rfc.subscribe()
        return rfc
    mario = await MarioClient.connect(f"ws://{address}/", sock=sock)
    await mario.log_in(name)
    return mario


class Inside:
    """Where such a hall is, for clients of the native door."""

    def __init__(self, server: Server) -> None:
        addresses = {name: address.rpartition(":")[2] for name, address in server.doors}
        self.ports = {name: int(port) for name, port in addresses.items()}

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.ports['native']}/ws"


async def visit_natively(server: Server, door: Door, name: str) -> tuple[Client, int]:
    """A guest who watches the hall's own table, and that table."""
    client = await Client.connect(Inside(server), door)
    await client.ask("hello", name=name)
    await client.ask("seek", game="sicbo")
    table: int = (await client.notice("table_view", game="sicbo"))["table"]
    return client, table


async def close_betting(server: Server) -> None:
    table = await server.hall.house_tables.table("sicbo")
    closed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    server.hall.rooms.tables.put(Ask(table, None, CloseBetting(), closed.set_result))
    assert isinstance(await closed, Done)


async def next_round(server: Server, client: Speaker) -> str:
    """Ends the round that runs; the id of the one that opens then."""
    opened = asyncio.create_task(client.new_round())
    await asyncio.sleep(0)  # It waits for what comes from now on.
    await close_betting(server)
    return await opened
