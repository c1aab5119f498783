"""Tournaments that other halls hold and this one follows: how each stands, as it was last heard.

Players of this hall find here where it is played, and the standings: after a restart as well, and
while the other hall is away. When a tournament is over, its last standings
are written, and nobody is asked any more.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any, Literal, Protocol

import msgspec
import structlog
from msgspec.structs import replace

from gamehall.errors import HallError, NoSuchTournament, TooMany, Unavailable
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.tournaments.away_facts import AwayFacts, Kept
from gamehall.hall.tournaments.tournament import View
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

POLL_SECONDS = 2.0
"""Soon enough for people who wait for a result, and little work for a hall that many follow.
Since what has changed is written after each poll, it is also how often one is written at most."""
PAUSE_SECONDS_MAX = 30.0
"""The longest pause before a hall is asked again that could not be reached."""
RUNNING_MAX = 32
"""How many that are not over are followed at once."""
KEPT_MAX = 1000
"""How many are kept in all, without those that are forgotten."""
AGAIN_SECONDS = 2.0
"""How long reading what is kept waits when the store is away."""
NOT_FOLLOWED = "No tournament of that number is followed here. `/api/tournaments/away` lists them."

Status = Literal["open", "running", "over"]


class OtherHalls(Protocol):
    async def tournament(self, url: str, id: int) -> Shown:
        """How a tournament stands at the hall with that web address.

        Raises:
            NoSuchTournament: it has none of that number.
            HallUnreachable: it does not answer in time, or not as a hall does.
        """


class Brief(msgspec.Struct, frozen=True):
    """What lists show."""

    title: str
    format: str
    game: str
    status: Status
    entrants: int
    """How many there are."""

    @classmethod
    def of(cls, view: View) -> Brief:
        return cls(view.title, view.format, view.game, view.status, len(view.entrants))


class Followed(msgspec.Struct):
    """A tournament at another hall, without its standings."""

    id: int
    url: str
    tournament: int
    seen_at_ms: int
    """When the other hall last answered; after a restart, when what it says last changed."""
    brief: Brief
    lost: str | None
    """Why the other hall cannot be reached; None: it answered when it was last asked."""

    @classmethod
    def kept(cls, id: int, kept: Kept, view: View) -> Followed:
        lost = None if view.status == "over" else "not asked yet"
        return cls(id, kept.url, kept.tournament, kept.seen_at_ms, Brief.of(view), lost)

    @property
    def over(self) -> bool:
        return self.brief.status == "over"

    @property
    def reachable(self) -> bool:
        return self.lost is None


class Away:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        halls: OtherHalls,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self.poll_seconds = POLL_SECONDS
        self._clock = clock
        self._halls = halls
        self._spawn = spawn
        self._facts = AwayFacts(store)
        self._changing = asyncio.Lock()
        self._loaded = False
        self._ids: dict[tuple[str, int], int] = {}
        """The number of each, by its address and its number there; also of those forgotten."""
        self._followed: dict[int, Followed] = {}
        self._dropped: dict[int, asyncio.Event] = {}
        """By number: set once it is followed no more."""
        self._next_id = 1

    async def follow(self, url: str, tournament: int) -> int:
        """The number under which it is followed here: for the same one always the same.

        Raises:
            NoSuchTournament, HallUnreachable: the other hall has none, or does not answer.
            TooMany: so many are followed already.
        """
        await self._load()
        known = self._ids.get((url, tournament))
        if known is not None and known in self._followed:
            return known
        shown = await self._halls.tournament(url, tournament)
        kept = Kept(url, tournament, self._clock.now_ms(), shown)
        async with self._changing:
            known = self._ids.get((url, tournament))
            if known is not None and known in self._followed:
                return known  # Someone else has asked for the same meanwhile.
            self._check_room(shown.view)
            if known is None:
                id = await self._facts.add(self._next_id, kept)
                self._next_id = id + 1
            else:
                id = known
                await self._facts.change(id, lambda _: kept)
            self._ids[url, tournament] = id
            followed = self._followed[id] = Followed.kept(id, kept, shown.view)
            followed.lost = None
            self._begin(followed, self.poll_seconds)
        log.info("away_followed", away=id, url=url, tournament=tournament)
        return id

    async def page(self, after: int, limit: int) -> list[Followed]:
        """By number, from the next after `after`."""
        await self._load()
        ids = sorted(id for id in self._followed if id > after)
        return [self._followed[id] for id in ids[:limit]]

    async def shown(self, id: int) -> tuple[Followed, Shown]:
        """It and how it stands, as last heard. Raises NoSuchTournament."""
        followed = await self.find(id)
        kept = await self._facts.get(id)
        if kept is None or kept.shown is None:
            raise NoSuchTournament
        return followed, kept.shown

    async def forget(self, id: int) -> None:
        """It is neither asked for nor shown any more. Raises NoSuchTournament."""
        followed = await self.find(id)
        async with self._changing:
            await self._facts.change(id, lambda kept: replace(kept, shown=None))
            self._drop(followed)
        log.info("away_forgotten", away=id)

    async def run(self) -> None:
        """Follows again what was followed before."""
        while not self._loaded:
            try:
                await self._load()
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)

    async def stand_back(self) -> None:
        """Another node follows them from now on."""
        async with self._changing:
            for followed in tuple(self._followed.values()):
                self._drop(followed)
            self._ids.clear()
            self._loaded = False

    async def find(self, id: int) -> Followed:
        """Raises NoSuchTournament."""
        await self._load()
        if id not in self._followed:
            raise NoSuchTournament(NOT_FOLLOWED)
        return self._followed[id]

    # Inside

    def _begin(self, followed: Followed, pause_seconds: float) -> None:
        dropped = self._dropped[followed.id] = asyncio.Event()
        self._spawn(self._stay(followed, dropped, pause_seconds))

    def _drop(self, followed: Followed) -> None:
        self._followed.pop(followed.id, None)
        dropped = self._dropped.pop(followed.id, None)
        if dropped is not None:
            dropped.set()

    def _check_room(self, view: View) -> None:
        running = sum(not followed.over for followed in self._followed.values())
        if view.status != "over" and running >= RUNNING_MAX:
            raise TooMany(f"{running} tournaments are followed already. Forget one first.")
        if len(self._followed) >= KEPT_MAX:
            raise TooMany(f"{KEPT_MAX} tournaments are kept already. Forget one first.")

    async def _load(self) -> None:
        if self._loaded:
            return
        async with self._changing:
            if self._loaded:
                return
            found: list[Followed] = []
            async for id, kept in self._facts.every():
                self._ids[kept.url, kept.tournament] = id
                self._next_id = id + 1
                if kept.shown is not None:
                    found.append(Followed.kept(id, kept, kept.shown.view))
            self._followed = {followed.id: followed for followed in found}
            self._loaded = True
            for followed in found:
                if not followed.over:
                    self._begin(followed, 0)

    async def _stay(self, followed: Followed, dropped: asyncio.Event, pause_seconds: float) -> None:
        """Asks for it again and again, until it is over or forgotten."""
        failures = 0
        while not followed.over:
            if await _set_within(dropped, pause_seconds):
                return
            try:
                await self._ask(followed)
                failures = 0
            except Unavailable:
                log.warning("away_not_kept", away=followed.id)
            except HallError as error:
                failures += 1
                if str(error) != followed.lost:
                    followed.lost = str(error)
                    log.warning("away_lost", away=followed.id, url=followed.url, reason=str(error))
            pause_seconds = self._pause_seconds(failures)
        log.info("away_over", away=followed.id)

    def _pause_seconds(self, failures: int) -> float:
        if not failures:
            return self.poll_seconds
        longest_seconds = min(self.poll_seconds * 2 ** min(failures, 10), PAUSE_SECONDS_MAX)
        # Not all who follow a hall that was away ask it in the same moment.
        return random.uniform(longest_seconds / 2, longest_seconds)

    async def _ask(self, followed: Followed) -> None:
        shown = await self._halls.tournament(followed.url, followed.tournament)
        at_ms = self._clock.now_ms()

        def heard(kept: Kept) -> Kept | None:
            if kept.shown is None or kept.shown == shown:
                return None
            return replace(kept, seen_at_ms=at_ms, shown=shown)

        await self._facts.change(followed.id, heard)
        followed.seen_at_ms, followed.lost = at_ms, None
        # Only now: one that counts as over is not asked for again.
        followed.brief = Brief.of(shown.view)


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    """Whether it is set before the time is up."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
