"""A proxy before PostgreSQL that cuts connections at a chosen moment, as networks do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Literal

Side = Literal["client", "server"]
Cut = Callable[[Side, bytes], bool]
"""Whether to cut the connection here, in place of passing this on from that side."""

COMMIT = b"COMMIT\x00"


class CuttingProxy:
    """Passes everything on, until it is told otherwise."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port = 0
        self.open = True
        """Whether new connections are let in."""
        self.cut: Cut | None = None
        """Asked for each piece, until it has cut once."""
        self.held: tuple[asyncio.StreamWriter, bytes] | None = None
        """A commit that is on its way, and arrives when `release` is called."""
        self.hold_commit = False
        self._silent: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    def go_away(self) -> None:
        """Cuts every connection, and lets none in."""
        self.open = False
        for writer in self._writers:
            writer.transport.abort()

    def fall_silent(self) -> None:
        """From now on, what is sent over the connections that there are is lost; none is closed."""
        self._silent |= self._writers

    async def release(self) -> None:
        """The commit of somebody who was cut off long ago reaches the server."""
        assert self.held is not None
        writer, piece = self.held
        self.held = None
        writer.write(piece)
        await writer.drain()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.open:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass_on("client", reader, far_writer, writer))
                both.create_task(self._pass_on("server", far_reader, writer, far_writer))
        finally:
            self._writers -= {writer, far_writer}

    async def _pass_on(
        self,
        side: Side,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
    ) -> None:
        with suppress(OSError):
            while piece := await reader.read(2**16):
                if writer in self._silent:
                    continue
                if self.hold_commit and side == "client" and COMMIT in piece:
                    self.hold_commit = False
                    self.held = writer, piece
                    back.transport.abort()
                    return
                if self.cut is not None and self.cut(side, piece):
                    self.cut = None
                    for end in (writer, back):
                        end.transport.abort()
                    return
                writer.write(piece)
                await writer.drain()
        if self.held is None or self.held[0] is not writer:
            writer.close()


class CutAt:
    """Cuts at one piece from one side, counted from now."""

    def __init__(self, side: Side, number: int) -> None:
        self._side = side
        self._left = number
        self.done = False

    def __call__(self, side: Side, piece: bytes) -> bool:
        if side != self._side:
            return False
        self._left -= 1
        self.done = self._left < 0
        return self.done


class CutCommit:
    """Cuts off the client's COMMIT (`client`), or the server's answer to it (`server`)."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._sent = False

    def __call__(self, side: Side, piece: bytes) -> bool:
        if side == "client" and COMMIT in piece:
            self._sent = True
        return self._sent and side == self._side


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[CuttingProxy]:
    proxy = CuttingProxy(port)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.stop()
