"""A proxy before Redis whose connections fall silent and stay open, as over a broken network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class SilentProxy:
    """Passes everything on, until it is told otherwise."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._connections: list[_Connection] = []
        self.port = 0

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def silence(self, *, listening: bool) -> None:
        """The connections that listen, or the others, pass nothing on any more; new ones do."""
        for connection in self._connections:
            if connection.listens == listening:
                connection.is_silent = True

    def end(self) -> None:
        for connection in self._connections:
            for writer in connection.writers:
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        connection = _Connection(writer, far_writer)
        self._connections.append(connection)
        async with asyncio.TaskGroup() as both:
            both.create_task(connection.pass_on(reader, far_writer))
            both.create_task(connection.pass_on(far_reader, writer))


class _Connection:
    def __init__(self, *writers: asyncio.StreamWriter) -> None:
        self.writers = writers
        self.listens = False
        self.is_silent = False

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(2**16):
                self.listens = self.listens or b"SUBSCRIBE" in piece
                if not self.is_silent:
                    writer.write(piece)
                    await writer.drain()
        if not self.is_silent:
            writer.close()


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[SilentProxy]:
    proxy = SilentProxy(port)
    server = await proxy.start()
    try:
        yield proxy
    finally:
        server.close()
        proxy.end()
