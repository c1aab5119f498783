"""One after the other, where several at once would get in each other's way: here or at all nodes.

The lead gives out the turns of all nodes. While it is out of reach each node goes by itself: what
matters beyond the moment is settled by the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager

import msgspec
import structlog

from gamehall.errors import HallError, TooMany
from gamehall.hall.nodes.exchange import Answering, Body
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes

log = structlog.get_logger(__name__)

WAIT_SECONDS = 5.0
"""How long a turn is waited for."""
HOLD_SECONDS = 10.0
"""How long one may last: the node that has it may be gone."""


class Turns:
    """For each key, one at a time. Nothing is kept of keys that nobody waits for."""

    def __init__(self, most: int) -> None:
        """`most`: how many may wait for one key; more are refused."""
        self._most = most
        self._waiting: dict[Hashable, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: Hashable) -> AsyncIterator[None]:
        """Raises TooMany."""
        lock, count = self._waiting.get(key, (asyncio.Lock(), 0))
        if count == self._most:
            raise TooMany("Too many ask for this at once. Try again in a moment.")
        self._waiting[key] = (lock, count + 1)
        try:
            async with lock:
                yield
        finally:
            lock, count = self._waiting.pop(key)
            if count > 1:
                self._waiting[key] = (lock, count - 1)


class _Turn(Body, frozen=True):
    key: str
    done: bool = False
    """Whether it is over."""


class _Place(msgspec.Struct):
    """Where turns for one key are given out."""

    node: str
    """Who has the turn. There is one of each node at most."""
    alarm: asyncio.TimerHandle
    waiting: deque[tuple[str, Callable[[], None]]] = msgspec.field(default_factory=deque)


class Arbiter:
    """Asks the lead for turns, and gives them out while this node leads."""

    def __init__(self, lead: Lead, nodes: Nodes) -> None:
        self._lead = lead
        self._nodes = nodes
        self._places: dict[str, _Place] = {}
        nodes.on_gone.append(self._node_gone)
        lead.serve("turn", _Turn, self._asked)

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Only one at a time of this node may want this key."""
        if self._nodes.alone:
            yield
            return
        try:
            try:
                await self._lead.ask("turn", _Turn(key), _Turn, WAIT_SECONDS)
            except HallError as error:
                log.warning("no_turn_in_time", node=self._nodes.lead, code=error.code)
            yield
        finally:
            self._lead.tell("turn", _Turn(key, done=True), _Turn, WAIT_SECONDS)

    # Giving out

    def _asked(self, node: str, turn: _Turn, reply: Answering) -> None:
        if turn.done:
            self._done(turn.key, node)
            reply(turn)
        else:
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
