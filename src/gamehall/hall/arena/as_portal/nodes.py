"""A portal of many nodes: which of them has the link of which game server, and what it is asked.

Each node says which links it has, whenever that changes and from time to time. A server that has
come to another node is there: its older link ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import structlog

from gamehall.errors import ServerUnreachable, Unavailable
from gamehall.hall.arena.as_portal.facts import Made, Match
from gamehall.hall.arena.as_portal.matches import PortalMatches
from gamehall.hall.arena.as_portal.servers import Servers
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.nodes.nodes import Nodes

log = structlog.get_logger(__name__)

REMIND_SECONDS = 2.0
"""How often a node says which links it has, and looks for what it was not told."""
LIVE_SECONDS = 1.0
"""How long a list waits for points that another node has heard of."""


class _Links(Body, frozen=True):
    links: tuple[tuple[int, int], ...]
    """Servers, and since when (Unix time in ms)."""


class _Changed(Body, frozen=True):
    match: Match


class _Create(Body, frozen=True):
    server: int
    uid1: int
    uid2: int


class _Created(Body, frozen=True):
    made: Made


class _Matches(Body, frozen=True):
    ids: tuple[int, ...]


class _Live(Body, frozen=True):
    matches: tuple[Match, ...]


class PortalNodes:
    def __init__(
        self,
        *,
        nodes: Nodes,
        exchange: Exchange,
        servers: Servers,
        matches: PortalMatches,
        create: Callable[[int, int, int], Awaitable[Made]],
        spawn: Spawn,
    ) -> None:
        """`create` makes a match at a server whose link is at this node."""
        self.alone = nodes.alone
        self.ready = False
        """Whether this node has read what there is."""
        self._nodes = nodes
        self._exchange = exchange
        self._servers = servers
        self._matches = matches
        self._create = create
        self._spawn = spawn
        self._links: dict[str, dict[int, int]] = {}
        """By node: its servers, and since when."""
        self._reading = False
        nodes.on_gone.append(self._node_gone)
        exchange.on("portal-links", _Links, self._hear_links)
        exchange.on("portal-match", _Changed, self._hear_changed)
        serve(exchange, spawn, "portal-create", _Create, self._create_asked)
        serve(exchange, spawn, "portal-live", _Matches, self._live_asked)

    async def run(self) -> None:
        """Keeps up with the other nodes, for as long as the hall is open."""
        while not self.alone:
            await asyncio.sleep(REMIND_SECONDS)
            self.tell_links()
            try:
                if self.ready:
                    await self._matches.heal()
            except Unavailable:
                log.warning("cannot_look_after_matches")

    def node_of(self, server: int) -> str | None:
        """The other node that has its link, unless it is here."""
        known = self._servers.get(server)
        if known is not None and known.line is not None:
            return None
        since = {links[server]: node for node, links in self._links.items() if server in links}
        return since[max(since)] if since else None

    def changed(self, match: Match) -> None:
        """A match was written as it is now."""
        self._exchange.tell_all("portal-match", _Changed(match))

    async def create(self, server: int, uid1: int, uid2: int, seconds: float) -> Made:
        """Asks the node that has the link. Raises ServerUnreachable …"""
        node = self.node_of(server)
        if node is None:
            raise ServerUnreachable
        asked = _Create(server, uid1, uid2)
        created = await self._exchange.question(node, "portal-create", asked, _Created, seconds)
        return created.made

    async def live(self, page: Iterable[Match]) -> dict[int, Match]:
        """Those of these matches that are not over, with the points that were last heard of."""
        found: dict[int, Match] = {}
        elsewhere: dict[str, list[int]] = {}
        for match in page:
            if match.status not in ("waiting", "running"):
                continue
            node, open = self.node_of(match.server), self._servers.open_at(match.server)
            if node is not None:
                elsewhere.setdefault(node, []).append(match.id)
            elif match.id in open:
                found[match.id] = open[match.id]
        asked = (self._ask_live(node, tuple(ids)) for node, ids in elsewhere.items())
        for matches in await asyncio.gather(*asked):
            found.update({match.id: match for match in matches})
        return found

    async def _ask_live(self, node: str, ids: tuple[int, ...]) -> tuple[Match, ...]:
        try:
            live = await self._exchange.question(
                node, "portal-live", _Matches(ids), _Live, LIVE_SECONDS
            )
        except Unavailable:
            return ()  # Then the points are missing, and nothing else.
        return live.matches

    # What other nodes say

    def _node_gone(self, node: str) -> None:
        self._links.pop(node, None)

    def tell_links(self) -> None:
        links = tuple(
            (server.info.id, server.line.since_ms)
            for server in self._servers
            if server.line is not None
        )
        self._exchange.tell_all("portal-links", _Links(links))

    def _hear_links(self, node: str, said: _Links) -> None:
        if node not in self._nodes.live:
            return  # Of one that is gone, perhaps; it says so again.
        self._links[node] = dict(said.links)
        for server, since_ms in said.links:
            known = self._servers.get(server)
            line = None if known is None else known.line
            if line is not None and (line.since_ms, self._nodes.name) < (since_ms, node):
                line.link.end("This server has registered again.")

    def _hear_changed(self, node: str, changed: _Changed) -> None:
        if self.ready and not self._matches.heard(changed.match) and not self._reading:
            self._reading = True
            self._spawn(self._read_on())

    async def _read_on(self) -> None:
        try:
            await self._matches.read_on()
        except Unavailable:
            log.warning("cannot_look_after_matches")
        finally:
            self._reading = False

    async def _create_asked(self, _: str, asked: _Create) -> _Created:
        return _Created(await self._create(asked.server, asked.uid1, asked.uid2))

    async def _live_asked(self, _: str, asked: _Matches) -> _Live:
        open = {id: match for server in self._servers for id, match in server.open.items()}
        return _Live(tuple(open[id] for id in asked.ids if id in open))
