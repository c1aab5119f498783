"""What a portal's node has in memory of its matches: those that are not over, and all scores.

Facts are the truth. Their numbers have no gaps, and how a match stands only ever goes forward: so a
node finds what another has changed by reading on from the last number, and by looking again at
those that are not over.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import structlog
from msgspec.structs import replace

from gamehall.errors import Unavailable
from gamehall.hall.arena.as_portal.facts import FIRST_MATCH, Match, MatchStatus, Score
from gamehall.hall.arena.as_portal.servers import Servers
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.nodes.nodes import Nodes
from gamehall.store.facts import NumberedFacts
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

PAGE = 500
ASKED_MS = 60_000
"""A match that was asked for so long ago is asked for no more: its node is gone."""
HEAL_MAX = 100
"""Matches that are looked at again at once."""
LIVE_SECONDS = 1.0
"""How long a list waits for points that another node has heard of."""

_PROGRESS: dict[MatchStatus, int] = {"asked": 0, "waiting": 1, "running": 2, "over": 3, "failed": 3}


class _Changed(Body, frozen=True):
    match: Match


class _Matches(Body, frozen=True):
    ids: tuple[int, ...]


class _Live(Body, frozen=True):
    matches: tuple[Match, ...]


@dataclass(eq=False, repr=False)
class PortalMatches:
    _store: Store
    _servers: Servers
    _clock: Clock
    _nodes: Nodes
    _exchange: Exchange
    _spawn: Spawn

    def __post_init__(self) -> None:
        self.facts = NumberedFacts(self._store, "portal-match:", Match)
        self._loading = asyncio.Lock()
        self._loaded = False
        self.next = FIRST_MATCH
        """The number of the next match; all before it are known."""
        self.scores: dict[int, Score] = {}
        self._pending: dict[int, Match] = {}
        """Those that were asked for, here too, or are at a server of which this node has not heard.
        That a server has one may be written although this node was told that it is not."""
        self._numbering = asyncio.Lock()
        self._healed = 0
        self._reading = False
        self._exchange.on("portal-match", _Changed, self._hear_changed)
        serve(self._exchange, self._spawn, "portal-live", _Matches, self._live_asked)

    async def load(self) -> None:
        """Reads which servers and matches there are, once."""
        async with self._loading:
            if self._loaded:
                return
            await self._servers.load()
            await self.read_on()
            for match in tuple(self._pending.values()) if self._nodes.alone else ():
                if match.status == "asked":
                    await self._give_up(match)  # Whoever wanted it was told no key.
            self._loaded = True

    async def load_new(self) -> None:
        """Also those that other nodes have made meanwhile."""
        await self.load()
        if not self._nodes.alone:
            await self.read_on()

    async def add(self, server: int, uid1: int, uid2: int) -> Match:
        """A new match, written."""
        mark, at_ms = secrets.token_hex(8), self._clock.now_ms()

        def made(id: int) -> Match:
            return Match(id=id, server=server, uid1=uid1, uid2=uid2, made_at_ms=at_ms, mark=mark)

        async with self._numbering:
            match = made(await self.facts.add(self.next, made, lambda there: there.mark == mark))
        if not self.heard(match):
            # Other nodes have made some meanwhile, and this one is among them.
            await self.read_on()
        self.tell(match)
        return match

    async def write(self, id: int, only: tuple[MatchStatus, ...], **changes: Any) -> Match | None:
        """The match, written with these changes; None: it stands otherwise than so."""
        return await self.facts.change(
            id, lambda match: replace(match, **changes) if match.status in only else None
        )

    async def give_up(self, match: Match, *only: MatchStatus) -> Match | None:
        """The match as one that nobody can play; None: it stands otherwise than so."""
        at_ms = self._clock.now_ms()
        return await self.write(match.id, only, status="failed", ended_at_ms=at_ms)

    def tell(self, match: Match) -> None:
        """Tells the other nodes that a match was written as it is now."""
        self._exchange.tell_all("portal-match", _Changed(match))

    async def read_on(self) -> None:
        """Reads those that other nodes have made."""
        async with self._numbering:
            while page := await self.facts.page(self.next - 1, PAGE):
                for id, match in page:
                    if id >= self.next:  # Else another node has said so meanwhile.
                        self._take(match, is_new=True)
                        self.next = id + 1

    async def read_again(self, server: int) -> None:
        """Reads how the matches stand that are not over at that server, as far as is known."""
        await self.read_on()
        pending = [match.id for match in self._pending.values() if match.server == server]
        for id in (*self._servers.open_at(server), *pending):
            await self._read(id)

    async def heal(self) -> None:
        """Looks whether something was changed of which this node was not told: by another one, or
        by itself, when the answer of the store got lost."""
        if not self._loaded:
            return
        await self.read_on()
        if any(match.status != "asked" for match in self._pending.values()):
            await self._servers.load()
        ids = [*self._pending, *(id for server in self._servers for id in server.open)]
        self._healed = self._healed if self._healed < len(ids) else 0
        for id in islice(ids, self._healed, self._healed + HEAL_MAX):
            await self._read(id)
        self._healed += HEAL_MAX
        for match in tuple(self._pending.values()):
            if match.status == "asked" and match.made_at_ms < self._clock.now_ms() - ASKED_MS:
                await self._give_up(match)

    def heard(self, match: Match) -> bool:
        """Someone has written this; False: there are others before it, to be read first."""
        if match.id <= self.next:
            self._take(match, is_new=match.id == self.next)
            self.next = max(self.next, match.id + 1)
        return match.id < self.next

    def over(self, match: Match) -> bool:
        """A match is over; whether that is news."""
        if self._forget(match):
            self._count(match)
            return True
        return False

    # What other nodes know

    async def live(self, page: Iterable[Match]) -> dict[int, Match]:
        """Those of these matches that are not over, with the points that were last heard of."""
        found: dict[int, Match] = {}
        elsewhere: dict[str, list[int]] = {}
        for match in page:
            if match.status not in ("waiting", "running"):
                continue
            node, open = self._servers.node_of(match.server), self._servers.open_at(match.server)
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

    async def _live_asked(self, _: str, asked: _Matches) -> _Live:
        open = {id: match for server in self._servers for id, match in server.open.items()}
        return _Live(tuple(open[id] for id in asked.ids if id in open))

    def _hear_changed(self, _: str, changed: _Changed) -> None:
        if self._loaded and not self.heard(changed.match) and not self._reading:
            self._reading = True
            self._spawn(self._read_missed())

    async def _read_missed(self) -> None:
        try:
            await self.read_on()
        except Unavailable:
            log.warning("cannot_look_after_matches")
        finally:
            self._reading = False

    # Inside

    async def _read(self, id: int) -> None:
        match = await self.facts.get(id)
        if match is not None:
            self._take(match, is_new=False)

    async def _give_up(self, match: Match) -> None:
        await self.give_up(match, "asked")
        await self._read(match.id)

    def _take(self, match: Match, *, is_new: bool) -> None:
        open = self._servers.open_at(match.server)
        known = open.get(match.id)
        if known is not None and _PROGRESS[known.status] >= _PROGRESS[match.status]:
            return
        if not self._forget(match) and not is_new:
            return  # It was over already.
        if match.status == "failed":
            return
        if match.status == "over":
            self._count(match)
        elif match.status == "asked" or self._servers.get(match.server) is None:
            self._pending[match.id] = match
        else:
            open[match.id] = match

    def _forget(self, match: Match) -> bool:
        """Whether it was not over."""
        asked = self._pending.pop(match.id, None)
        open = self._servers.open_at(match.server).pop(match.id, None)
        return asked is not None or open is not None

    def _count(self, match: Match) -> None:
        score1, score2 = match.score1 or 0, match.score2 or 0
        self.scores.setdefault(match.uid1, Score(match.uid1)).add(score1, score2)
        self.scores.setdefault(match.uid2, Score(match.uid2)).add(score2, score1)
