"""Matches of portals at a hall of many nodes: one of them follows their course.

The leading node has the link to the portal and all matches in memory; players are at any node.
What lasts lies in facts and journals, so that the next node to lead can go on.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from math import inf
from time import monotonic

import structlog

from gamehall.errors import Unavailable
from gamehall.hall.arena.as_server.book import MatchId
from gamehall.hall.arena.as_server.course import MatchCourse
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn
from gamehall.hall.nodes.nodes import Nodes

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.5
"""How often a node looks whether it leads."""
AGAIN_SECONDS = 10.0
"""After this matches are found once more: for a moment another node may have made some too."""
HEAL_MAX = 20
"""Matches that are looked at each time, in turn, lest someone has come and nobody was told."""


class _Touched(Body, frozen=True):
    game: str
    number: int


class MatchNodes:
    def __init__(self, nodes: Nodes, exchange: Exchange, course: MatchCourse, spawn: Spawn) -> None:
        self._nodes = nodes
        self._exchange = exchange
        self._course = course
        self._spawn = spawn
        self._taken_up = False
        self._find_again_at = inf
        self._healed = 0
        exchange.on("match", _Touched, self._hear)

    @property
    def leads(self) -> bool:
        """Whether this node follows the course of all matches."""
        return self._nodes.alone or (self._taken_up and self._nodes.leads)

    async def start(self) -> None:
        """Finds all matches again, if this node is the one. Raises Unavailable."""
        if self._nodes.alone:
            await self._course.find_all()
        else:
            self._spawn(self._run())
        self._spawn(self._course.run())

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except Unavailable:
                log.warning("cannot_take_up_matches")
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        leads = self._nodes.leads
        if leads and not self._taken_up:
            await self._course.find_all()
            self._taken_up = True
            self._find_again_at = monotonic() + AGAIN_SECONDS
        elif self._taken_up and not leads:
            self._taken_up = False
            self._course.stand_back()
        elif leads and monotonic() > self._find_again_at:
            await self._course.find_all()
            self._find_again_at = inf
        elif leads:
            waiting = self._course.unseen()
            self._healed = self._healed if self._healed < len(waiting) else 0
            for id in islice(waiting, self._healed, self._healed + HEAL_MAX):
                self._course.settle_soon(id)
            self._healed += HEAL_MAX

    def came(self, id: MatchId, table: int) -> None:
        """Someone plays this match at that table."""
        if self.leads:
            self._course.plays_at(id, table)
        else:
            self._exchange.tell(self._nodes.live[0], "match", _Touched(*id))

    def _hear(self, node: str, touched: _Touched) -> None:
        if self.leads:
            self._course.settle_soon((touched.game, touched.number))
