"""How the people of a simulated world come to real nodes, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import websockets

from gamehall.simulation.clients.client import Way
from tests.many_nodes.processes.hall_nodes import HallNode
from tests.system.e2e.clients import Lost, TcpWire, WebSocketWire, Wire

OPEN_SECONDS = 5.0
"""A frozen node takes connections, and says nothing to those who come over WebSocket."""
CLOSE_SECONDS = 1.0


class Streets:
    """Clients find here what they need of their surroundings. Every other one of them comes over
    WebSocket, the others over TCP."""

    def __init__(self, nodes: Sequence[HallNode], rng: Random) -> None:
        self.rng = rng
        self.faults: list[BaseException] = []
        """What clients could not bear to hear."""
        self._nodes = nodes
        self._lines: set[Line] = set()
        self._closed = False
        self._opened = 0

    def call_later(self, seconds: float, callback: Callable[..., None], *given: Any) -> object:
        return asyncio.get_running_loop().call_later(seconds, callback, *given)

    def connect(
        self, door: str, pick: float, hear: Callable[[bytes], None], ended: Callable[[], None]
    ) -> Way | None:
        """To any node: who is sent to one that is away comes back, and is sent to another."""
        assert door == "native"
        if self._closed:
            return None
        self._opened += 1
        node = self._nodes[int(pick * len(self._nodes))]
        line = Line(node, "ws" if self._opened % 2 else "tcp", hear, ended)
        self._lines.add(line)
        line.task.add_done_callback(lambda _: self._gone(line))
        return line

    def _gone(self, line: Line) -> None:
        self._lines.discard(line)
        if not line.task.cancelled() and (error := line.task.exception()) is not None:
            self.faults.append(error)

    async def close(self) -> None:
        """Nobody comes any more; returns when all connections have ended."""
        self._closed = True
        lines = [line.task for line in self._lines]
        for line in tuple(self._lines):
            line.hang_up()
        await asyncio.gather(*lines, return_exceptions=True)


class Line:
    """One connection, from the client's side."""

    def __init__(
        self,
        node: HallNode,
        door: str,
        hear: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        self.node = str(node.number)
        self._url = node.url(door)
        self._hear = hear
        self._ended = ended
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self.task = asyncio.create_task(self._run())

    def send(self, message: bytes) -> None:
        self._outbox.put_nowait(message.decode())

    def hang_up(self) -> None:
        self.task.cancel()

    async def _run(self) -> None:
        with suppress(OSError, websockets.InvalidHandshake, EOFError, TimeoutError):
            async with asyncio.timeout(OPEN_SECONDS):
                wire = await self._open()
            try:
                await self._talk(wire)
            finally:
                with suppress(TimeoutError, OSError):
                    async with asyncio.timeout(CLOSE_SECONDS):
                        await wire.close()
        self._ended()

    async def _open(self) -> Wire:
        if self._url.startswith("tcp:"):
            return await TcpWire.open(self._url)
        return await WebSocketWire.open(self._url)

    async def _talk(self, wire: Wire) -> None:
        """Returns when the connection has ended."""
        sending = asyncio.create_task(self._send(wire))
        try:
            while True:
                self._hear((await wire.receive()).encode())
        except Lost:
            return
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def _send(self, wire: Wire) -> None:
        with suppress(Lost):  # Whoever reads sees it too.
            while True:
                await wire.send(await self._outbox.get())
