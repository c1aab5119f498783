"""Tournaments away, at a hall of many nodes: one of them follows, and all can show them.

The leading node asks the other halls; the others ask it. While it cannot be asked, a node shows
what was kept last.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import structlog

from gamehall.errors import NoSuchTournament, Unavailable
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tournaments.away import NOT_FOLLOWED, Away, Followed
from gamehall.hall.tournaments.away_facts import AwayFacts
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.5
"""How often a node looks whether it leads."""
ASK_SECONDS = 2.0
FOLLOW_SECONDS = 10.0
"""How long following may take, for which the other hall is asked."""


T = TypeVar("T")


class _Follow(Body, frozen=True):
    url: str
    tournament: int


class _Number(Body, frozen=True):
    id: int


class _Page(Body, frozen=True):
    after: int
    limit: int


class _Found(Body, frozen=True):
    followed: tuple[Followed, ...]


class AwayNodes:
    """As `Away`, at any node."""

    def __init__(
        self, here: Away, store: Store, nodes: Nodes, exchange: Exchange, spawn: Spawn
    ) -> None:
        self.here = here
        """What this node follows, while it leads."""
        self._facts = AwayFacts(store)
        self._nodes = nodes
        self._exchange = exchange
        serve(exchange, spawn, "away-follow", _Follow, self._follow_asked)
        serve(exchange, spawn, "away-page", _Page, self._page_asked)
        serve(exchange, spawn, "away-find", _Number, self._find_asked)
        serve(exchange, spawn, "away-forget", _Number, self._forget_asked)

    async def run(self) -> None:
        """Follows what was followed before, whenever this node leads."""
        if self._nodes.alone:
            await self.here.run()
            return
        while True:
            if self._nodes.leads:
                await self.here.run()
            else:
                await self.here.stand_back()
            await asyncio.sleep(LOOK_SECONDS)

    async def follow(self, url: str, tournament: int) -> int:
        """As `Away.follow`."""
        if self._nodes.leads:
            return await self.here.follow(url, tournament)
        asked = _Follow(url, tournament)
        number = await self._ask("away-follow", asked, _Number, FOLLOW_SECONDS)
        return number.id

    async def page(self, after: int, limit: int) -> list[Followed]:
        """As `Away.page`."""
        if self._nodes.leads:
            return await self.here.page(after, limit)
        try:
            return list((await self._ask("away-page", _Page(after, limit), _Found)).followed)
        except Unavailable:
            found: list[Followed] = []
            async for followed in self._kept(after):
                found.append(followed)
                if len(found) == limit:
                    break
            return found

    async def shown(self, id: int) -> tuple[Followed, Shown]:
        """As `Away.shown`."""
        if self._nodes.leads:
            return await self.here.shown(id)
        kept = await self._facts.get(id)
        if kept is None or kept.shown is None:
            raise NoSuchTournament(NOT_FOLLOWED)
        try:
            (followed,) = (await self._ask("away-find", _Number(id), _Found)).followed
        except Unavailable:
            followed = Followed.kept(id, kept, kept.shown.view)
        return followed, kept.shown

    async def forget(self, id: int) -> None:
        """As `Away.forget`."""
        if self._nodes.leads:
            await self.here.forget(id)
        else:
            await self._ask("away-forget", _Number(id), _Number)

    async def _ask(self, kind: str, body: Body, answer: type[T], seconds: float = ASK_SECONDS) -> T:
        return await self._exchange.question(self._nodes.live[0], kind, body, answer, seconds)

    async def _kept(self, after: int) -> AsyncIterator[Followed]:
        async for id, kept in self._facts.every(after):
            if kept.shown is not None:
                yield Followed.kept(id, kept, kept.shown.view)

    # What other nodes ask

    async def _follow_asked(self, _: str, asked: _Follow) -> _Number:
        return _Number(await self.here.follow(asked.url, asked.tournament))

    async def _page_asked(self, _: str, asked: _Page) -> _Found:
        return _Found(tuple(await self.here.page(asked.after, asked.limit)))

    async def _find_asked(self, _: str, asked: _Number) -> _Found:
        return _Found((await self.here.find(asked.id),))

    async def _forget_asked(self, _: str, asked: _Number) -> _Number:
        await self.here.forget(asked.id)
        return asked
