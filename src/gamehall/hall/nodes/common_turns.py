"""One after the other at all nodes, where several at once would get in each other's way.

The lead gives out the turns. While it is out of reach each node goes by itself: what matters beyond
the moment is settled by the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog

from gamehall.errors import HallError
from gamehall.hall.nodes.exchange import Answering, Body
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.nodes.turns import Turns

log = structlog.get_logger(__name__)

HOLD_SECONDS = 10.0
"""How long one may last: the node that has it may be gone."""


class _Turn(Body, frozen=True):
    key: str
    done: bool = False
    """Whether it is over."""


class _Place:
    """Where turns for one key are given out."""

    def __init__(self, node: str, alarm: asyncio.TimerHandle) -> None:
        self.node = node
        """Who has the turn. There is one of each node at most."""
        self.alarm = alarm
        self.waiting: deque[tuple[str, Callable[[], None]]] = deque()


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
                await self._lead.ask("turn", _Turn(key), _Turn)
            except HallError as error:
                log.warning("no_turn_in_time", node=self._nodes.lead, code=error.code)
            yield
        finally:
            self._lead.tell("turn", _Turn(key, done=True), _Turn)

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
