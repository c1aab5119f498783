"""Whether a player's connections at other nodes are still worth anything.

A client that has lost its connection comes back at once, and often at another node: there it still
seems to be connected, since its old node is dead and its lease not yet out, or has not noticed yet
that the client has hung up.
"""

from __future__ import annotations

import asyncio

from gamehall.errors import HallError, Unavailable
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players

ASK_SECONDS = 1.0
LOOK_SECONDS = 0.05
GONE_SECONDS = 1.5
"""How long after its lease a dead node's people are known to be gone."""


class _IsThere(Body, frozen=True):
    player: int
    within_seconds: float = 0.0
    """How long its client has to show it; 0: it is there if it has not hung up."""


class _There(Body, frozen=True):
    yes: bool


class HungUp:
    def __init__(self, exchange: Exchange, nodes: Nodes, players: Players, spawn: Spawn) -> None:
        self._exchange = exchange
        self._nodes = nodes
        self._players = players
        serve(exchange, spawn, "is-there", _IsThere, self._asked)

    async def is_here(self, player: int | None) -> bool:
        """Whether a client of this player is connected, at any node."""
        online = None if player is None else self._players.online.get(player)
        if online is None:
            return False
        return any(not link.gone for link in online.links) or not await self.elsewhere(online)

    async def elsewhere(self, online: Online) -> bool:
        """Whether no other node has a client of this player; those that have hung up make way. A
        node that does not answer is waited for until its lease is out."""
        for node in tuple(online.elsewhere):
            try:
                there = await self._ask(node, _IsThere(online.player.id))
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

    async def everywhere(self, player: int, within_seconds: float) -> bool:
        """Whether no client of this player shows, at any node and within this time, that it is
        there; those that do not make way."""
        if not await self._here_within(player, within_seconds):
            return False
        online = self._players.online.get(player)
        for node in () if online is None else tuple(online.elsewhere):
            try:
                there = await self._ask(node, _IsThere(player, within_seconds))
            except Unavailable:
                continue  # That node is about to be gone, and its connections with it.
            if there.yes:
                return False
        return True

    async def _here_within(self, player: int, seconds: float) -> bool:
        online = self._players.online.get(player)
        for link in () if online is None else tuple(online.links):
            if await link.answers(seconds):
                return False
            link.give_way()
        return True

    async def _ask(self, node: str, asked: _IsThere) -> _There:
        seconds = 2 * asked.within_seconds or ASK_SECONDS
        return await self._exchange.question(node, "is-there", asked, _There, seconds)

    async def _asked(self, _: str, asked: _IsThere) -> _There:
        if asked.within_seconds:
            return _There(not await self._here_within(asked.player, asked.within_seconds))
        return _There(not self.here(asked.player))
