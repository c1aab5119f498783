"""How challenges have ended that a new lead is told of, and has not seen begin.

It neither ends one again nor has it played before it knows. Every node remembers the ends that it
has told its people. The store has the tables: no lead lets a game begin before its table is there,
and where there is one, there is never another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from gamehall.hall.lobby.challenge_book import ChallengeBook
from gamehall.hall.lobby.messages import Challenge, Ended, Heard, Over
from gamehall.hall.nodes.exchange import Answering, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.store.store import Store

ASKED_SECONDS = 1.0
"""How long each node is waited for."""


class Ends:
    def __init__(self, exchange: Exchange, nodes: Nodes, store: Store, book: ChallengeBook) -> None:
        """`book`: what this node has told its people."""
        self._exchange = exchange
        self._nodes = nodes
        self._store = store
        self._book = book
        exchange.answer("lobby-ended", Ended, self._answer)

    async def find(self, challenges: Sequence[Challenge]) -> list[Over]:
        """The ends of those that are over. Raises Unavailable: not everyone who may know one has
        said so."""
        asked = Ended(tuple(each.id for each in challenges))
        others = [node for node in self._nodes.live if node != self._nodes.name]
        heard = await asyncio.gather(*(self._ask(node, asked) for node in others))
        played = await asyncio.gather(*(self._played(each) for each in challenges))
        return [over for ends in (self._known(asked), *heard, *played) for over in ends]

    async def _ask(self, node: str, asked: Ended) -> Sequence[Over]:
        question = self._exchange.question
        return (await question(node, "lobby-ended", asked, Heard, ASKED_SECONDS)).over

    async def _played(self, challenge: Challenge) -> Sequence[Over]:
        table = await self._store.table_by_origin(challenge.origin)
        return [] if table is None else [Over(challenge.id, 0, "")]

    def _answer(self, _: str, asked: Ended, reply: Answering) -> None:
        reply(Heard(self._known(asked)))

    def _known(self, asked: Ended) -> tuple[Over, ...]:
        found = (self._book.ended(id) for id in asked.challenges)
        return tuple(over for over in found if over is not None)
