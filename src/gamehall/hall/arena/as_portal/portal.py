"""The hall as a portal: game servers register, matches are made at them, and their results count.

A link may break and either side may restart at any moment. So a match is written before a server
is asked for it and a result before it counts, and every match that is not over is asked about
again and again: a result that was on its way when something broke need not come a second time.
"""

from __future__ import annotations

import asyncio
import secrets

import structlog
from msgspec.structs import replace

from gamehall.errors import (
    BadRequest,
    HallError,
    NoSuchServer,
    ServerRefused,
    ServerUnreachable,
    TooMany,
    Unavailable,
)
from gamehall.hall.arena.as_portal.facts import (
    LAST_MATCH,
    GameServer,
    Made,
    Match,
    MatchStatus,
    Score,
)
from gamehall.hall.arena.as_portal.line import Line, ServerLink
from gamehall.hall.arena.as_portal.matches import PortalMatches
from gamehall.hall.arena.as_portal.servers import Offer, Server, Servers
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.common_turns import Turns
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.nodes.nodes import Nodes
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 0.25
OPEN_MAX = 1000
"""Matches of one server that are not over."""
CREATES_MAX = 16
"""Matches that may wait to be asked for at one server."""
KEY_BYTES = 16
ASK_SECONDS = 2.0
"""How much longer another node has that asks a server."""
LATE = "The game server has not answered in time."
REMIND_SECONDS = 2.0
"""How often a node says which links it has, and looks for what it was not told."""


class _Create(Body, frozen=True):
    server: int
    uid1: int
    uid2: int


class _Created(Body, frozen=True):
    made: Made


class Portal:
    def __init__(
        self, store: Store, clock: Clock, nodes: Nodes, exchange: Exchange, spawn: Spawn
    ) -> None:
        self.create_seconds = 10.0
        """How long a game server has to answer that it has a match."""
        self.status_seconds = 3.0
        """And how a match stands. Less than the other, which may have to wait for this."""
        self.poll_seconds = 5.0
        """How often each match is asked about; less often where a server has very many."""
        self._clock = clock
        self._nodes = nodes
        self._exchange = exchange
        self.known = Servers(store, clock, nodes, exchange)
        self._matches = PortalMatches(store, self.known, clock, nodes, exchange, spawn)
        self._creates = Turns(CREATES_MAX)
        self.node_gone = self.known.node_gone
        serve(exchange, spawn, "portal-create", _Create, self._create_asked)

    # For people

    async def servers(self) -> list[tuple[GameServer, bool]]:
        """All that are known, by their ids, and whether each can be reached."""
        await self._matches.load()
        if not self._nodes.alone:
            await self.known.load()
        return [
            (server.info, server.line is not None or self.known.node_of(server.info.id) is not None)
            for server in self.known
        ]

    async def matches(self, after: int, limit: int) -> list[Match]:
        """By id, from the next after `after`."""
        await self._matches.load()
        page = [match for _, match in await self._matches.facts.page(after, limit)]
        for match in page:
            self._matches.heard(match)  # So that what lists say is counted as well.
        live = await self._matches.live(page)
        return [live.get(match.id, match) for match in page]

    async def newest_matches(self, before: int | None, limit: int) -> list[Match]:
        """The newest first, from the next before `before`."""
        await self._matches.load_new()
        end = self._matches.next if before is None else min(before, self._matches.next)
        page = await self.matches(end - 1 - limit, limit)
        return [match for match in page if match.id < end][::-1]

    async def scores(self) -> list[Score]:
        """By matches won, then by fewest lost, then by the difference of points."""
        await self._matches.load_new()
        return sorted(
            self._matches.scores.values(),
            key=lambda s: (-s.won, s.lost, s.points_against - s.points_for, s.uid),
        )

    async def create(self, server: int, uid1: int, uid2: int) -> Made:
        """A match at that server, which has agreed to it.

        Raises:
            BadRequest, NoSuchServer, ServerUnreachable, ServerRefused, TooMany: nobody can play it.
            Unavailable: the server may have it, but nobody knows its key.
        """
        if uid1 == uid2:
            raise BadRequest("A match is between two different users.")
        await self._matches.load()
        if self.known.get(server) is None and not self._nodes.alone:
            await self.known.load()
        node = self.known.node_of(server)
        if node is None:
            return await self._create_here(server, uid1, uid2)
        asked, seconds = _Create(server, uid1, uid2), self.create_seconds + ASK_SECONDS
        return (await self._exchange.question(node, "portal-create", asked, _Created, seconds)).made

    async def _create_asked(self, _: str, asked: _Create) -> _Created:
        return _Created(await self._create_here(asked.server, asked.uid1, asked.uid2))

    async def _create_here(self, server: int, uid1: int, uid2: int) -> Made:
        """At a server whose link is at this node."""
        found = self.known.get(server)
        if found is None:
            raise NoSuchServer
        async with self._creates.of(server):
            if found.line is None:
                raise ServerUnreachable
            if len(found.open) >= OPEN_MAX or self._matches.next > LAST_MATCH:
                raise TooMany("There are too many matches.")
            match = await self._matches.add(server, uid1, uid2)
            key = secrets.token_hex(KEY_BYTES)
            await self._ask_for(found, match, key)
        log.info("arena_match_made", match=match.id, server=server)
        return Made(match.id, found.info.address, found.info.port, key)

    async def _ask_for(self, server: Server, match: Match, key: str) -> None:
        try:
            async with asyncio.timeout(self.create_seconds):
                await self._ask_over_any_line(server, match, key)
        except TimeoutError:
            # Unless it was accepted in the last moment.
            if await self._fail(match, "asked") or await self._has_failed(match):
                raise ServerUnreachable(LATE) from None
        except ServerRefused:
            await self._fail(match, "asked")
            raise
        except Unavailable:
            # That it was accepted may be written; but nobody gets to know its key.
            await self._fail(match, "asked", "waiting")
            raise

    async def _ask_over_any_line(self, server: Server, match: Match, key: str) -> None:
        accepted = False
        while not accepted:
            await server.has_line.wait()
            line = server.line  # None: it has ended before this was woken.
            # When a line ends it may have the match or not: asked again, it answers the same.
            accepted = line is not None and await line.create(match, key)

    async def _fail(self, match: Match, *only: MatchStatus) -> bool:
        failed = await self._matches.give_up(match, *only)
        if failed is None:
            return False
        self._matches.heard(failed)
        self._matches.tell(failed)
        log.info("arena_match_failed", match=match.id, server=match.server)
        return True

    async def _has_failed(self, match: Match) -> bool:
        """Whether it was given up, by another node too: one may take this one for dead."""
        kept = await self._matches.facts.get(match.id)
        return kept is not None and kept.status == "failed"

    # For the links of game servers

    async def register(self, offer: Offer, link: ServerLink) -> Line:
        """As `Servers.register`. Nothing is asked before this returns, nor if it raises: the first
        thing that a server hears is whether it is registered."""
        await self._matches.load()
        line = await self.known.register(offer, link)
        if not self._nodes.alone:
            # It may have been at another node, where its matches went on.
            await self._matches.read_again(line.server)
        self.known.connect(line)
        return line

    def unlink(self, line: Line) -> None:
        """The link is gone. What it has said before may still be told."""
        self.known.unlink(line)

    async def accepted(self, line: Line) -> None:
        """The server has the match that it was asked for. Raises BadRequest."""
        match, answer = line.accepted()
        try:
            waiting = await self._matches.write(match.id, ("asked",), status="waiting")
            if waiting is None and await self._has_failed(match):
                raise ServerUnreachable(LATE)
        except HallError as error:
            answer(error)
            return
        if waiting is not None:
            self._matches.heard(waiting)
            self._matches.tell(waiting)
        answer(True)

    async def standing_told(
        self, line: Line, scores: tuple[int, int] | None, *, over: bool
    ) -> None:
        """How the match stands that the server was asked about; without scores, it has not begun.

        Raises:
            BadRequest: it was not asked.
        """
        match = line.status_told()
        open = self.known.open_at(line.server)
        if match is None or match not in open or scores is None:
            return
        if over:
            await self.result(line, match, *scores)
            return
        await self.started(line, match)
        if match in open:
            open[match] = replace(open[match], score1=scores[0], score2=scores[1])

    async def started(self, line: Line, match: int) -> None:
        """Its users have begun to play."""
        open = self.known.open_at(line.server)
        if match not in open or open[match].status != "waiting":
            return  # Told again, or of a match that nobody could play: the result says more.
        running = await self._matches.write(match, ("waiting",), status="running")
        if running is not None:
            self._matches.tell(running)
        else:
            # Written before, perhaps, by an attempt that was not told so.
            running = await self._matches.facts.get(match)
        if running is not None and running.status == "running" and match in open:
            open[match] = running

    async def result(self, line: Line, match: int, score1: int, score2: int) -> None:
        """It has ended so. However often this is told, it counts once."""
        known = None
        if match in self.known.open_at(line.server):
            end = {"score1": score1, "score2": score2, "ended_at_ms": self._clock.now_ms()}
            known = await self._matches.write(match, ("waiting", "running"), status="over", **end)
        known = known or await self._matches.facts.get(match)
        if known is None or (known.score1, known.score2) != (score1, score2):
            log.warning("arena_result_ignored", match=match, server=line.server)
        # Also where it was written before, by an attempt that was not told so.
        if known is not None and known.status == "over" and self._matches.over(known):
            self._matches.tell(known)
            log.info("arena_match_over", match=match, server=line.server)

    # Inside

    async def run(self) -> None:
        """Asks how matches stand, for as long as the hall is open."""
        await asyncio.gather(self._poll(), self._keep_up())

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for server in self.known:
                if server.line is not None:
                    server.line.poll(
                        server.open,
                        asyncio.get_running_loop().time(),
                        every_seconds=self.poll_seconds,
                        wait_seconds=self.status_seconds,
                    )

    async def _keep_up(self) -> None:
        while True:
            await asyncio.sleep(REMIND_SECONDS)
            self.known.tell_links()
            try:
                await self._matches.heal()
            except Unavailable:
                log.warning("cannot_look_after_matches")
