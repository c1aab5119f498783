"""Whether a player's connections at other nodes are still worth anything.

A client that has lost its connection comes back at once, and often at another node: there it still
seems to be connected, since its old node is dead and its lease not yet out, or has not noticed yet
that the client has hung up.
"""

from __future__ import annotations

import asyncio

from gamehall.errors import HallError
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players

ASK_SECONDS = 1.0
LOOK_SECONDS = 0.05
GONE_SECONDS = 1.5
"""How long after its lease a dead node's people are known to be gone."""


class _IsThere(Body, frozen=True):
    player: int


class _There(Body, frozen=True):
    yes: bool


class HungUp:
    def __init__(self, exchange: Exchange, nodes: Nodes, players: Players) -> None:
        self._exchange = exchange
        self._nodes = nodes
        self._players = players
        exchange.answer("is-there", _IsThere, self._asked)

    async def elsewhere(self, online: Online) -> bool:
        """Whether no other node has a client of this player; those that have hung up make way. A
        node that does not answer is waited for until its lease is out."""
        for node in tuple(online.elsewhere):
            try:
                there = await self._exchange.question(
                    node, "is-there", _IsThere(online.player.id), _There, ASK_SECONDS
                )
            except HallError:
                if not await self._is_gone(online, node):
                    return False
            else:
                if there.yes:
                    return False
                # What it says of that itself may still be on its way.
                online.elsewhere.pop(node, None)
        return True

    async def _is_gone(self, online: Online, node: str) -> bool:
        for _ in range(int((self._nodes.lease_seconds + GONE_SECONDS) / LOOK_SECONDS)):
            if node not in online.elsewhere:
                return True
            await asyncio.sleep(LOOK_SECONDS)
        return False

    def here(self, player: int) -> bool:
        """Whether this node has no client of this player; those that have hung up make way."""
        online = self._players.online.get(player)
        links = [] if online is None else online.links
        if any(not link.gone for link in links):
            return False
        for link in tuple(links):
            link.give_way()
        return True

    def _asked(self, node: str, asked: _IsThere, reply: Answering) -> None:
        reply(_There(not self.here(asked.player)))
