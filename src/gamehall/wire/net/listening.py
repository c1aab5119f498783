"""Open ports."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable

# Thousands of clients come back at once after a restart.
BACKLOG = 4096


class PortTaken(Exception):
    """A door cannot open, since another program has its port."""

    def __init__(self, name: str, host: str, port: int) -> None:
        super().__init__(f"The door {name} cannot open: port {port} on {host} is taken.")
        self.name = name


class Listening:
    """An open port. `close` takes no more connections; those that are there stay."""

    def __init__(self, name: str, host: str, server: asyncio.Server) -> None:
        self.name = name
        self.host = host
        self.port: int = server.sockets[0].getsockname()[1]
        """The real one, also where 0 was asked for."""
        self._server = server

    async def close(self) -> None:
        self._server.close()
        # The loop closes the socket in its next turn.
        await asyncio.sleep(0)


async def listen(
    factory: Callable[[], asyncio.Protocol],
    name: str,
    host: str,
    port: int,
    *,
    shared: bool = False,
    at_once: bool = True,
) -> Listening:
    """The open port of the door `name`; 0 is any free one. A `shared` one can be open in several
    processes, each of which gets some of the connections. Not `at_once`: it is ours, and not open.

    Raises:
        PortTaken: someone else listens there.
    """
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(
            factory, host, port, backlog=BACKLOG, reuse_port=shared or None, start_serving=at_once
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(name, host, port) from None
        raise
    return Listening(name, host, server)


async def reserve(name: str, host: str, port: int) -> Listening:
    """A port for processes that will share it: it has its number, and is not open here.

    Not on uvloop, which finds out that a port is taken only when it opens it.

    Raises:
        PortTaken: someone else listens there.
    """
    # Alone first: a hall whose processes share the port would share it with this one too.
    alone = await listen(asyncio.Protocol, name, host, port, at_once=False)
    await alone.close()
    return await listen(asyncio.Protocol, name, host, alone.port, shared=True, at_once=False)


def peer_address(transport: asyncio.BaseTransport) -> str:
    """The IP address at the other end; nothing if it is gone already."""
    peer = transport.get_extra_info("peername")
    # A socket for both families gives IPv4 addresses in the form of IPv6.
    return str(peer[0]).removeprefix("::ffff:") if peer else ""
