"""The game servers that a portal knows: who they are, and their lines.

Each node of a hall says which lines it has, whenever that changes and from time to time. A server
that has come to another node is there: its older link ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import structlog

from gamehall.errors import BadRequest, TooMany, Unavailable
from gamehall.hall.arena.as_portal.facts import GameServer, Match
from gamehall.hall.arena.as_portal.line import Line, ServerLink
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.store.facts import ATTEMPTS_MAX, change_fact, every_fact
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

NAME_MAX, ADDRESS_MAX, RULE_MAX, AUTHOR_MAX = 100, 253, 4000, 200
"""Characters."""
PAGE = 500

_SERVER = "portal-server:"
_LAST_SERVER = "portal-last-server"


class Offer(msgspec.Struct, frozen=True):
    """What a game server says of itself. `rule` may have several lines."""

    address: str
    port: int
    name: str
    rule: str
    author: str

    def check(self) -> None:
        """Raises BadRequest, with a sentence, if no server can be like this."""
        for field, text, least, most in (
            ("address", self.address, 1, ADDRESS_MAX),
            ("name", self.name, 1, NAME_MAX),
            ("rule", self.rule, 0, RULE_MAX),
            ("author", self.author, 0, AUTHOR_MAX),
        ):
            if not least <= len(text) <= most:
                raise BadRequest(f"The {field} has {least} to {most} characters.")
            if field != "rule" and not text.isprintable():
                raise BadRequest(f"The {field} has characters that cannot be shown.")
        if " " in self.address or not self.name.strip():
            raise BadRequest("A server has a name, and an address without spaces.")
        if not 1 <= self.port <= 65535:
            raise BadRequest("A port is a number from 1 to 65535.")


class Server:
    """A known game server, with its line while it has one."""

    def __init__(self, place: int, info: GameServer) -> None:
        self.place = place
        self.info = info
        self.line: Line | None = None
        self.coming: Line | None = None
        """The last with which it has registered."""
        self.has_line = asyncio.Event()
        self.gone_at = 0.0
        self.open: dict[int, Match] = {}
        """Its matches that are not over, as they stand now."""


class _Links(Body, frozen=True):
    links: tuple[tuple[int, int], ...]
    """Servers, and since when (Unix time in ms)."""


class Servers:
    """All that have ever registered, up to a number."""

    def __init__(self, store: Store, clock: Clock, nodes: Nodes, exchange: Exchange) -> None:
        self.most = 1000
        self._store = store
        self._clock = clock
        self._nodes = nodes
        self._exchange = exchange
        self._by_id: dict[int, Server] = {}
        self._turn = asyncio.Lock()
        self._links: dict[str, dict[int, int]] = {}
        """By other node: its servers, and since when."""
        exchange.on("portal-links", _Links, self._hear_links)

    async def load(self) -> None:
        """Reads which there are: other nodes may have registered some."""
        async with self._turn:
            await self._load()

    async def _load(self) -> None:
        found = [fact async for fact in every_fact(self._store, _SERVER, page=PAGE)]
        known, self._by_id = self._by_id, {}
        for fact in found:
            # The place at which it is kept can be given to another one.
            place = int(fact.key.removeprefix(_SERVER))
            info = msgspec.json.decode(fact.value, type=GameServer)
            server = self._by_id[info.id] = known.get(info.id) or Server(place, info)
            server.info = info

    def __iter__(self) -> Iterator[Server]:
        return iter(sorted(self._by_id.values(), key=lambda server: server.info.id))

    def get(self, id: int) -> Server | None:
        return self._by_id.get(id)

    def open_at(self, id: int) -> dict[int, Match]:
        """The matches at that server that are not over. One that was forgotten has none."""
        server = self._by_id.get(id)
        return {} if server is None else server.open

    async def register(self, offer: Offer, link: ServerLink) -> Line:
        """The line of the server, which is asked on it from `connect` on. Whoever registers the
        same name at the same place is the same server.

        Raises:
            BadRequest: it cannot be what it says.
            TooMany, Unavailable
        """
        offer.check()
        async with self._turn:
            for _ in range(ATTEMPTS_MAX):
                known = await self._place(offer)
                if known is not None:
                    known.coming = Line(known.info.id, link, self._clock.now_ms())
                    return known.coming
                await self._load()  # Another node was faster.
        raise Unavailable

    async def _place(self, offer: Offer) -> Server | None:
        """The server, written; None: what is known here is not how it stands."""
        known = self._same(offer)
        if known is not None:
            info = GameServer(known.info.id, **msgspec.structs.asdict(offer))
            if known.info != info and not await self._put(known.place, info, known.info):
                return None
            known.info = info
            return known
        place, before = self._free_place()
        highest = max(self._by_id, default=0)
        # A number which no server has or had.
        id = await change_fact(
            self._store, _LAST_SERVER, int, lambda last: max(highest, last or 0) + 1
        )
        info = GameServer(id, **msgspec.structs.asdict(offer))
        if not await self._put(place, info, before):
            return None
        self._by_id = {i: s for i, s in self._by_id.items() if s.place != place}
        server = self._by_id[id] = Server(place, info)
        return server

    async def _put(self, place: int, info: GameServer, before: GameServer | None) -> bool:
        """Keeps it at that place, if there is still who was there `before`; whether it is there."""
        kept = await change_fact(
            self._store,
            f"{_SERVER}{place:05}",
            GameServer,
            lambda there: info if there in (before, info) else None,
        )
        return kept is not None

    def connect(self, line: Line) -> None:
        """From now on the server is asked on this line; its old link ends.

        Raises:
            Unavailable: it has registered again meanwhile, or was forgotten.
        """
        server = self._by_id.get(line.server)
        if server is None or server.coming is not line:
            raise Unavailable
        old, server.line = server.line, line
        server.has_line.set()
        log.info("arena_server_registered", server=line.server)
        if old is not None:
            old.end()
            old.link.end("This server has registered again.")
        self.tell_links()

    def unlink(self, line: Line) -> None:
        """The link is gone. What it has said before may still be told."""
        line.end()
        server = self._by_id.get(line.server)
        if server is not None and server.line is line:
            server.line = None
            server.has_line.clear()
            server.gone_at = asyncio.get_running_loop().time()
            log.info("arena_server_gone", server=line.server)
            self.tell_links()

    def _same(self, offer: Offer) -> Server | None:
        same = (offer.name, offer.address, offer.port)
        for server in self._by_id.values():
            if (server.info.name, server.info.address, server.info.port) == same:
                return server
        return None

    def _free_place(self) -> tuple[int, GameServer | None]:
        """Where a new server can be kept, and who is there: if all places are taken, the one which
        is gone for the longest time and owes no result. Raises TooMany."""
        if len(self._by_id) < self.most:
            return len(self._by_id), None
        gone = [s for s in self._by_id.values() if s.line is None and not s.open]
        gone = [server for server in gone if self.node_of(server.info.id) is None]
        if not gone:
            raise TooMany("There are too many game servers here.")
        oldest = min(gone, key=lambda server: (server.gone_at, server.info.id))
        return oldest.place, oldest.info

    # At other nodes

    def node_of(self, server: int) -> str | None:
        """The other node that has its link, unless it is here."""
        known = self._by_id.get(server)
        if known is not None and known.line is not None:
            return None
        since = {links[server]: node for node, links in self._links.items() if server in links}
        return since[max(since)] if since else None

    def tell_links(self) -> None:
        if not self._by_id:
            return  # None has ever registered, so the others have heard of none.
        links = tuple(
            (server.info.id, server.line.since_ms) for server in self if server.line is not None
        )
        self._exchange.tell_all("portal-links", _Links(links))

    def _hear_links(self, node: str, said: _Links) -> None:
        if node not in self._nodes.live:
            return  # Of one that is gone, perhaps; it says so again.
        self._links[node] = dict(said.links)
        for server, since_ms in said.links:
            known = self._by_id.get(server)
            line = None if known is None else known.line
            if line is not None and (line.since_ms, self._nodes.name) < (since_ms, node):
                line.link.end("This server has registered again.")

    def node_gone(self, node: str) -> None:
        self._links.pop(node, None)
