"""One after the other at all nodes, where several at once would get in each other's way.

The lead gives out the turns. While it is out of reach each node goes by itself: what matters beyond
the moment is settled by the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager, suppress

import structlog

from gamehall.errors import HallError, TooMany
from gamehall.hall.nodes.exchange import Answering, Body, Spawn
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes

log = structlog.get_logger(__name__)

HOLD_SECONDS = 10.0
"""How long one may last: the message that it is over may be lost."""
NODES_MAX = 1000
"""Nodes that may wait for one turn."""


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


class Arbiter:
    """Asks the lead for turns, and gives them out while this node leads."""

    def __init__(self, lead: Lead, nodes: Nodes, spawn: Spawn) -> None:
        self._lead = lead
        self._nodes = nodes
        self._spawn = spawn
        self._turns = Turns(NODES_MAX)
        self._over: dict[tuple[str, str], asyncio.Event] = {}
        """By key and node, of which each has or wants one turn at most: set when it is over."""
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
        # Of a turn before, the message that says so may be lost.
        self._end(turn.key, node)
        if turn.done:
            reply(turn)
        else:
            over = self._over[turn.key, node] = asyncio.Event()
            self._spawn(self._give(turn, node, over, reply))

    async def _give(self, turn: _Turn, node: str, over: asyncio.Event, reply: Answering) -> None:
        try:
            async with self._turns.of(turn.key):
                if over.is_set():
                    return  # It has given up waiting.
                reply(turn)
                with suppress(TimeoutError):
                    await asyncio.wait_for(over.wait(), HOLD_SECONDS)
        except TooMany as error:
            reply(error)
        if self._over.get((turn.key, node)) is over:
            del self._over[turn.key, node]

    def _end(self, key: str, node: str) -> None:
        over = self._over.pop((key, node), None)
        if over is not None:
            over.set()

    def node_gone(self, node: str) -> None:
        for key, other in tuple(self._over):
            if other == node:
                self._end(key, node)


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
