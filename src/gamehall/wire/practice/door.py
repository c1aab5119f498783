"""Whether a client of the `practice` door is logged in, at whichever node."""

from __future__ import annotations

from gamehall.errors import Unavailable
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.common_turns import CommonTurns
from gamehall.hall.nodes.exchange import Body
from gamehall.hall.nodes.questions import serve
from gamehall.wire.net.serial import SerialLink

LOGINS_MAX = 8
"""Logins with one id that are answered one after the other; more are refused."""
ALIVE_SECONDS = 2.0
"""How long a connection has to show that it is alive when its player comes through another."""


class _Player(Body, frozen=True):
    id: int


class _Alive(Body, frozen=True):
    alive: bool


class PracticeDoor:
    """What all links of the door have in common."""

    def __init__(self, hall: Hall, *, begin_ms: float = 2000) -> None:
        """`begin_ms`: how long a client has to build a game before it is told of moves."""
        self.hall = hall
        self.begin_seconds = begin_ms / 1000
        self.logins = CommonTurns(hall.rooms.arbiter, "practice", LOGINS_MAX)
        serve(hall.rooms.exchange, hall.spawn, "practice-alive", _Player, self._alive_asked)

    async def is_logged_in(self, player: int) -> bool:
        """Whether it is, through a connection that is alive; a dead one makes way."""
        if await self._is_alive_here(player):
            return True
        online = self.hall.players.online.get(player)
        for node in () if online is None else tuple(online.elsewhere):
            if await self._is_alive_at(node, player):
                return True
        return False

    async def _is_alive_here(self, player: int) -> bool:
        online = self.hall.players.online.get(player)
        for link in () if online is None else tuple(online.links):
            assert isinstance(link, SerialLink)
            if not link.gone and await link.channel.answers(ALIVE_SECONDS):
                return True
            link.give_way()
        return False

    async def _is_alive_at(self, node: str, player: int) -> bool:
        question = self.hall.rooms.exchange.question
        seconds = 2 * ALIVE_SECONDS
        try:
            said = await question(node, "practice-alive", _Player(player), _Alive, seconds)
        except Unavailable:
            return False  # That node is about to be gone, and its connections with it.
        return said.alive

    async def _alive_asked(self, _: str, player: _Player) -> _Alive:
        return _Alive(await self._is_alive_here(player.id))
