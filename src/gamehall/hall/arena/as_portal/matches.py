"""What a portal's node has in memory of its matches: those that are not over, and all scores.

Facts are the truth. Their numbers have no gaps, and how a match stands only ever goes forward: so a
node finds what another has changed by reading on from the last number, and by looking again at
those that are not over.
"""

from __future__ import annotations

import asyncio
from itertools import islice

from gamehall.hall.arena.as_portal.facts import (
    FIRST_MATCH,
    Match,
    MatchStatus,
    PortalFacts,
    Score,
    failed,
)
from gamehall.hall.arena.as_portal.servers import Servers
from gamehall.hall.nodes.clock import Clock

PAGE = 500
ASKED_MS = 60_000
"""A match that was asked for so long ago is asked for no more: its node is gone."""
HEAL_MAX = 100
"""Matches that are looked at again at once."""

_PROGRESS: dict[MatchStatus, int] = {"asked": 0, "waiting": 1, "running": 2, "over": 3, "failed": 3}


class PortalMatches:
    def __init__(self, facts: PortalFacts, servers: Servers, clock: Clock) -> None:
        self._facts = facts
        self._servers = servers
        self._clock = clock
        self.next = FIRST_MATCH
        """The number of the next match; all before it are known."""
        self.scores: dict[int, Score] = {}
        self._pending: dict[int, Match] = {}
        """Those that were asked for, or are at a server of which this node has not heard."""
        self._numbering = asyncio.Lock()
        self._healed = 0

    async def load(self, *, alone: bool) -> None:
        """Reads all of them. `alone`: nobody else can be asking for one just now."""
        await self.read_on()
        for match in tuple(self._pending.values()) if alone else ():
            if match.status == "asked":
                await self._give_up(match)  # Whoever wanted it was told no key.

    async def add(self, server: int, uid1: int, uid2: int) -> Match:
        """A new match, written."""
        async with self._numbering:
            at_ms = self._clock.now_ms()
            match = await self._facts.add_match(self.next, server, uid1, uid2, at_ms)
            if match.id == self.next:
                self.next += 1
                return match
        # Other nodes have made some meanwhile, and this one is among them.
        await self.read_on()
        self._pending.pop(match.id, None)
        return match

    async def read_on(self) -> None:
        """Reads those that other nodes have made."""
        async with self._numbering:
            while page := await self._facts.page(self.next - 1, PAGE):
                for match in page:
                    if match.id >= self.next:  # Else another node has said so meanwhile.
                        self._take(match, is_new=True)
                        self.next = match.id + 1

    async def read_again(self, server: int) -> None:
        """Reads how the matches stand that are not over at that server, as far as is known."""
        await self.read_on()
        pending = [match.id for match in self._pending.values() if match.server == server]
        for id in (*self._servers.open_at(server), *pending):
            await self._read(id)

    async def heal(self) -> None:
        """Looks whether something was changed of which this node was not told."""
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

    async def _read(self, id: int) -> None:
        match = await self._facts.match(id)
        if match is not None:
            self._take(match, is_new=False)

    async def _give_up(self, match: Match) -> None:
        await self._facts.change(match.id, lambda m: failed(m, ("asked",), self._clock.now_ms()))
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
