"""What a player has at stake, at the tables of all nodes, and new chips for those who have lost."""

from __future__ import annotations

import asyncio

from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables

ASK_SECONDS = 2.0


class _Player(Body, frozen=True):
    id: int


class _Chips(Body, frozen=True):
    chips: int


class Stakes:
    def __init__(self, exchange: Exchange, nodes: Nodes, tables: Tables, players: Players) -> None:
        self._exchange = exchange
        self._nodes = nodes
        self._tables = tables
        self._players = players
        exchange.answer("at-stake", _Player, self._asked)

    async def refill(self, online: Online) -> int:
        """The balance of a player who is nearly broke, filled up. Raises NotBroke, RefilledToday"""
        return await self._players.refill(online, await self.of(online.player.id))

    async def of(self, player: int) -> int:
        """The chips in the pots of running rounds. Raises Unavailable if a node does not say."""
        others = [node for node in self._nodes.live if node != self._nodes.name]
        asked = (self._ask(node, player) for node in others)
        return self._here(player) + sum(await asyncio.gather(*asked))

    async def _ask(self, node: str, player: int) -> int:
        asked = _Player(player)
        said = await self._exchange.question(node, "at-stake", asked, _Chips, ASK_SECONDS)
        return said.chips

    def _asked(self, node: str, player: _Player, reply: Answering) -> None:
        reply(_Chips(self._here(player.id)))

    def _here(self, player: int) -> int:
        """At this node's own tables."""
        chips = 0
        for table in self._tables.all_loaded():
            state = table.state
            if table.owned and table.kind.rules.has_money and not state.over:
                chips += state.stakes.get(state.seat_of.get(player, -1), 0)
        return chips
