"""The game servers that a portal knows: who they are, and their lines."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic

import msgspec
import structlog

from gamehall.errors import BadRequest, TooMany
from gamehall.hall.portal_facts import GameServer, Match, PortalFacts
from gamehall.hall.portal_line import Line, ServerLink

log = structlog.get_logger(__name__)

NAME_MAX, ADDRESS_MAX, RULE_MAX, AUTHOR_MAX = 100, 253, 4000, 200
"""Characters."""


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
        self.has_line = asyncio.Event()
        self.gone_at = 0.0
        self.open: dict[int, Match] = {}
        """Its matches that are not over, as they stand now."""


class Servers:
    """All that have ever registered, up to a number."""

    def __init__(self, facts: PortalFacts) -> None:
        self.most = 1000
        self._facts = facts
        self._by_id: dict[int, Server] = {}
        self._turn = asyncio.Lock()

    async def load(self) -> None:
        found = await self._facts.servers()
        self._by_id = {info.id: Server(place, info) for place, info in found.items()}

    def __iter__(self) -> Iterator[Server]:
        return iter(sorted(self._by_id.values(), key=lambda server: server.info.id))

    def get(self, id: int) -> Server | None:
        return self._by_id.get(id)

    def open_at(self, id: int) -> dict[int, Match]:
        """The matches at that server that are not over. One that was forgotten has none."""
        server = self._by_id.get(id)
        return {} if server is None else server.open

    async def register(self, offer: Offer, link: ServerLink) -> Line:
        """The line on which the server is asked from now on. Whoever registers the same name at
        the same place is the same server, and its old link ends.

        Raises:
            BadRequest: it cannot be what it says.
            TooMany, Unavailable
        """
        offer.check()
        async with self._turn:
            known = self._same(offer)
            place = self._free_place() if known is None else known.place
            id = max(self._by_id, default=0) + 1 if known is None else known.info.id
            info = GameServer(id, **msgspec.structs.asdict(offer))
            if known is None or known.info != info:
                await self._facts.put_server(place, info)
            if known is None:
                self._by_id = {i: s for i, s in self._by_id.items() if s.place != place}
                known = self._by_id[id] = Server(place, info)
            known.info = info
            return self._connect(known, link)

    def _connect(self, server: Server, link: ServerLink) -> Line:
        line = Line(server.info.id, link)
        old, server.line = server.line, line
        server.has_line.set()
        log.info("arena_server_registered", server=line.server)
        if old is not None:
            old.end()
            old.link.end("This server has registered again.")
        return line

    def unlink(self, line: Line) -> None:
        """The link is gone. What it has said before may still be told."""
        line.end()
        server = self._by_id.get(line.server)
        if server is not None and server.line is line:
            server.line = None
            server.has_line.clear()
            server.gone_at = monotonic()
            log.info("arena_server_gone", server=line.server)

    def _same(self, offer: Offer) -> Server | None:
        same = (offer.name, offer.address, offer.port)
        for server in self._by_id.values():
            if (server.info.name, server.info.address, server.info.port) == same:
                return server
        return None

    def _free_place(self) -> int:
        """Where a new server can be kept: if all places are taken, that of the one which is gone
        for the longest time and owes no result. Raises TooMany."""
        if len(self._by_id) < self.most:
            return len(self._by_id)
        gone = [s for s in self._by_id.values() if s.line is None and not s.open]
        if not gone:
            raise TooMany("There are too many game servers here.")
        return min(gone, key=lambda server: (server.gone_at, server.info.id)).place
