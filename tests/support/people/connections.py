"""One connection of a player to a node, over either of the native doors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol

import websockets

from gamehall.simulation.checker.transcripts import Line, What
from tests.system.e2e.clients import Json, Lost, TcpWire, WebSocketWire, Wire

Door = Literal["ws", "tcp"]
CLOSE_SECONDS = 1
"""A frozen node does not close its end."""


class Node(Protocol):
    """Where people connect to."""

    number: int

    def url(self, door: str) -> str: ...


class Connection:
    """`note` is given a line for the player's transcript of all that passes."""

    def __init__(self, number: int, node: Node, wire: Wire, note: Callable[[Line], None]) -> None:
        self.node = node
        self.lost = False
        self._number = number
        self._wire = wire
        self._note = note
        self._waiting: dict[str, asyncio.Future[Json]] = {}
        self._write("opened")
        self.reading = asyncio.create_task(self._read())

    @classmethod
    async def open(
        cls, number: int, node: Node, door: Door, note: Callable[[Line], None]
    ) -> Connection:
        """Raises Lost if the node is away."""
        opener = WebSocketWire.open if door == "ws" else TcpWire.open
        try:
            wire: Wire = await opener(node.url(door))
        except (OSError, websockets.InvalidHandshake, EOFError):
            raise Lost from None
        return cls(number, node, wire, note)

    def _write(self, what: What, text: str = "") -> None:
        self._note(Line(self._number, self.node.number, what, text))

    async def _read(self) -> None:
        try:
            while True:
                text = await self._wire.receive()
                answer: Json = json.loads(text)
                self._write("heard", text)
                waiting = self._waiting.pop(answer.get("requestId", ""), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except Lost:
            pass
        finally:
            self.lost = True
            for waiting in self._waiting.values():
                waiting.cancel()
            self._write("ended")

    async def request(self, id: str, text: str, patience_seconds: float) -> Json:
        """The answer. Raises Lost if none comes while the connection, or the patience, lasts."""
        if self.lost:
            raise Lost
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[id] = waiting
        self._write("sent", text)
        await self._wire.send(text)
        done, _ = await asyncio.wait([waiting], timeout=patience_seconds)
        if not done or waiting.cancelled():
            raise Lost
        return waiting.result()

    async def end(self) -> None:
        self.reading.cancel()
        # Not awaited itself: then whoever is cancelled meanwhile would not hear of it.
        await asyncio.wait([self.reading])
        if not self.reading.cancelled():
            self.reading.result()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._wire.close()
