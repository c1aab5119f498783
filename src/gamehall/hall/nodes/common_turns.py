"""One after the other at all nodes, where several at once would get in each other's way.

For each key one node gives out the turns; whoever has had one tells it. While nodes cannot reach
each other each goes by itself: what matters beyond the moment is settled by the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from zlib import crc32

import structlog

from gamehall.errors import HallError
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.nodes.turns import Turns

log = structlog.get_logger(__name__)

WAIT_SECONDS = 5.0
"""How long a turn is waited for."""
HOLD_SECONDS = 10.0
"""How long one may last: whoever has it may be gone."""


class _Turn(Body, frozen=True):
    key: str


class _Place:
    """Where turns for one key are given out."""

    def __init__(self, node: str, alarm: asyncio.TimerHandle) -> None:
        self.node = node
        """Who has the turn. There is one of each node at most."""
        self.alarm = alarm
        self.waiting: deque[tuple[str, Callable[[], None]]] = deque()


class Arbiter:
    """Gives out this node's share of the turns, and asks for the others."""

    def __init__(self, exchange: Exchange, nodes: Nodes, before_done: Callable[[], None]) -> None:
        """`before_done` is called at the end of a turn: what it tells, the next one knows."""
        self._exchange = exchange
        self._nodes = nodes
        self._before_done = before_done
        self._places: dict[str, _Place] = {}
        nodes.on_gone.append(self._node_gone)
        exchange.answer("turn", _Turn, self._asked)
        exchange.on("turn-done", _Turn, lambda node, turn: self._done(turn.key, node))

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Only one at a time of this node may want this key."""
        if self._nodes.alone:
            yield
            return
        node = self._nodes.live[crc32(key.encode()) % len(self._nodes.live)]
        try:
            await self._wait(key, node)
            yield
        finally:
            self._before_done()
            if node == self._nodes.name:
                self._done(key, node)
            else:
                self._exchange.tell(node, "turn-done", _Turn(key))

    async def _wait(self, key: str, node: str) -> None:
        if node == self._nodes.name:
            given = asyncio.Event()
            self._give(key, node, given.set)
            await given.wait()
            return
        try:
            await self._exchange.question(node, "turn", _Turn(key), _Turn, WAIT_SECONDS)
        except HallError as error:
            log.warning("no_turn_in_time", node=node, code=error.code)

    # Giving out

    def _asked(self, node: str, turn: _Turn, reply: Answering) -> None:
        self._give(turn.key, node, lambda: reply(turn))

    def _give(self, key: str, node: str, give: Callable[[], None]) -> None:
        place = self._places.get(key)
        if place is not None and place.node != node:
            place.waiting.append((node, give))
            return
        if place is not None:
            # Its last turn is over, and the message that said so is lost.
            place.alarm.cancel()
            place.alarm = self._alarm(key, node)
        else:
            self._places[key] = _Place(node, self._alarm(key, node))
        give()

    def _alarm(self, key: str, node: str) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(HOLD_SECONDS, self._done, key, node)

    def _done(self, key: str, node: str) -> None:
        place = self._places.get(key)
        if place is None:
            return
        if place.node != node:
            # It has given up waiting.
            place.waiting = deque(each for each in place.waiting if each[0] != node)
            return
        place.alarm.cancel()
        if not place.waiting:
            del self._places[key]
            return
        place.node, give = place.waiting.popleft()
        place.alarm = self._alarm(key, place.node)
        give()

    def _node_gone(self, node: str) -> None:
        for key in tuple(self._places):
            self._done(key, node)


class CommonTurns:
    """For each key, one at a time in the whole hall."""

    def __init__(self, arbiter: Arbiter, name: str, most: int) -> None:
        """`most`: how many may wait for one key at one node; more are refused."""
        self._arbiter = arbiter
        self._name = name
        self._turns = Turns(most)

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Raises TooMany."""
        async with self._turns.of(key), self._arbiter.turn(f"{self._name}:{key}"):
            yield
