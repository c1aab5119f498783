"""Logins with a credential: through one connection at a time, in the whole hall."""

from __future__ import annotations

import msgspec

from gamehall.errors import Unavailable
from gamehall.hall.nodes.common_turns import Arbiter, CommonTurns
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.people.link import Link
from gamehall.hall.people.players import Players
from gamehall.hall.visitors.bearers import Bearers
from gamehall.store.people import Player

LOGINS_MAX = 8
"""Logins with one credential that are answered one after the other; more are refused."""
ALIVE_SECONDS = 2.0
"""How long a connection has to show that it is alive when its player comes through another."""


class Login(msgspec.Struct, frozen=True):
    player: Player
    elsewhere: bool
    """Whether the player is connected already, so that nobody was logged in."""


class _Player(Body, frozen=True):
    id: int


class _Alive(Body, frozen=True):
    alive: bool


class SingleLogins:
    def __init__(
        self,
        bearers: Bearers,
        players: Players,
        exchange: Exchange,
        arbiter: Arbiter,
        spawn: Spawn,
    ) -> None:
        self._bearers = bearers
        self._players = players
        self._exchange = exchange
        self._turns = CommonTurns(arbiter, "practice", LOGINS_MAX)
        serve(exchange, spawn, "practice-alive", _Player, self._alive_asked)

    async def log_in(self, link: Link, name: str, credential: str) -> Login:
        """The guest who shows this credential, unless another live connection is that guest's."""
        async with self._turns.of(credential):
            known = await self._bearers.known(credential)
            if known is not None and await self._is_alive(known.id):
                return Login(known, elsewhere=True)
            player = await self._bearers.enter(link, name, credential)
            return Login(player, elsewhere=False)

    async def _is_alive(self, player: int) -> bool:
        """Whether it has a connection that is alive; a dead one makes way."""
        if await self._is_alive_here(player):
            return True
        online = self._players.online.get(player)
        for node in () if online is None else tuple(online.elsewhere):
            if await self._is_alive_at(node, player):
                return True
        return False

    async def _is_alive_here(self, player: int) -> bool:
        online = self._players.online.get(player)
        for link in () if online is None else tuple(online.links):
            if await link.answers(ALIVE_SECONDS):
                return True
            link.give_way()
        return False

    async def _is_alive_at(self, node: str, player: int) -> bool:
        question, seconds = self._exchange.question, 2 * ALIVE_SECONDS
        try:
            said = await question(node, "practice-alive", _Player(player), _Alive, seconds)
        except Unavailable:
            return False  # That node is about to be gone, and its connections with it.
        return said.alive

    async def _alive_asked(self, _: str, player: _Player) -> _Alive:
        return _Alive(await self._is_alive_here(player.id))
