"""Tournaments that other halls hold and this one follows: how each stands, as it was last heard.

Players of this hall find here where it is played, and the standings: after a restart as well, and
while the other hall is away. When a tournament is over, its last standings are written, and nobody
is asked any more.

At a hall of many nodes the leading one asks the other halls, and the others ask it. While it cannot
be asked, a node shows what was kept last.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import msgspec
import structlog
from msgspec.structs import replace

from gamehall.errors import HallError, NoSuchTournament, TooMany, Unavailable
from gamehall.hall.nodes.background import AGAIN_SECONDS
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Body, Spawn, later
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tournaments.tournament import View
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.store.facts import NumberedFacts
from gamehall.store.store import Store

B = TypeVar("B", bound=Body)
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
LOOK_SECONDS = 0.5
"""How often a node looks whether it leads."""
ASK_SECONDS = 2.0
FOLLOW_SECONDS = 10.0
"""How long following may take, for which the other hall is asked."""
PAGE = 10
"""How many are read at once: one may have a million bytes."""
NOT_FOLLOWED = "No tournament of that number is followed here. `/api/tournaments/away` lists them."

Status = Literal["open", "running", "over"]


class OtherHalls(Protocol):
    async def tournament(self, url: str, id: int) -> Shown:
        """How a tournament stands at the hall with that web address.

        Raises:
            NoSuchTournament: it has none of that number.
            HallUnreachable: it does not answer in time, or not as a hall does.
        """


class Kept(msgspec.Struct, frozen=True):
    """What is remembered of a tournament at another hall."""

    url: str
    tournament: int
    seen_at_ms: int
    shown: Shown | None
    """None: it is forgotten. Its number stays its own: programs may still ask for it."""


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


@dataclass(eq=False, repr=False)
class Away:
    _store: Store
    _clock: Clock
    _halls: OtherHalls
    _nodes: Nodes
    _lead: Lead
    _spawn: Spawn

    def __post_init__(self) -> None:
        self.poll_seconds = POLL_SECONDS
        self._facts = NumberedFacts(self._store, "away-tournament:", Kept)
        self._changing = asyncio.Lock()
        self._loaded = False
        self._ids: dict[tuple[str, int], int] = {}
        """The number of each, by its address and its number there; also of those forgotten."""
        self._followed: dict[int, Followed] = {}
        """While this node leads."""
        self._next_id = 1
        self._serve("away-follow", _Follow, self._follow)
        self._serve("away-page", _Page, self._page)
        self._serve("away-find", _Number, self._find)
        self._serve("away-forget", _Number, self._forget)

    async def follow(self, url: str, tournament: int) -> int:
        """The number under which it is followed here: for the same one always the same.

        Raises:
            NoSuchTournament, HallUnreachable: the other hall has none, or does not answer.
            TooMany: so many are followed already.
        """
        asked = _Follow(url, tournament)
        return (await self._lead.ask("away-follow", asked, _Number, FOLLOW_SECONDS)).id

    async def page(self, after: int, limit: int) -> list[Followed]:
        """By number, from the next after `after`."""
        try:
            asked = _Page(after, limit)
            found = await self._lead.ask("away-page", asked, _Found, ASK_SECONDS)
            return list(found.followed)
        except Unavailable:
            return await self._kept(after, limit)

    async def shown(self, id: int) -> tuple[Followed, Shown]:
        """It and how it stands, as last heard. Raises NoSuchTournament."""
        kept = await self._facts.get(id)
        if kept is None or kept.shown is None:
            raise NoSuchTournament(NOT_FOLLOWED)
        try:
            found = await self._lead.ask("away-find", _Number(id), _Found, ASK_SECONDS)
            (followed,) = found.followed
        except Unavailable:
            followed = Followed.kept(id, kept, kept.shown.view)
        return followed, kept.shown

    async def forget(self, id: int) -> None:
        """It is neither asked for nor shown any more. Raises NoSuchTournament."""
        await self._lead.ask("away-forget", _Number(id), _Number, ASK_SECONDS)

    async def run(self) -> None:
        """Follows again what was followed before, whenever this node leads."""
        while True:
            try:
                if self._nodes.leads:
                    await self._load()
                else:
                    await self._stand_back()
            except Unavailable:
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if self._nodes.alone:
                return
            await asyncio.sleep(LOOK_SECONDS)

    def _serve(self, kind: str, asked: type[B], work: Callable[[str, B], Awaitable[Body]]) -> None:
        self._lead.serve(kind, asked, later(self._spawn, kind, work))

    async def _kept(self, after: int, limit: int) -> list[Followed]:
        found: list[Followed] = []
        while page := await self._facts.page(after, PAGE):
            for after, kept in page:
                if kept.shown is not None:
                    found.append(Followed.kept(after, kept, kept.shown.view))
                if len(found) == limit:
                    return found
        return found

    # At the leading node

    async def _follow(self, _: str, asked: _Follow) -> _Number:
        await self._load()
        place = (asked.url, asked.tournament)
        known = self._ids.get(place, 0)
        if known in self._followed:
            return _Number(known)
        shown = await self._halls.tournament(*place)
        kept = Kept(*place, self._clock.now_ms(), shown)
        async with self._changing:
            known = self._ids.get(place, 0)
            if known in self._followed:
                return _Number(known)  # Someone else has asked for the same meanwhile.
            self._check_room(shown.view)
            if not known:
                id = await self._facts.add(
                    self._next_id, lambda _: kept, lambda k: (k.url, k.tournament) == place
                )
                self._next_id = id + 1
            else:
                id = known
                await self._facts.change(id, lambda _: kept)
            self._ids[place] = id
            followed = self._followed[id] = Followed.kept(id, kept, shown.view)
            followed.lost = None
            self._spawn(self._stay(followed, self.poll_seconds))
        log.info("away_followed", away=id, url=asked.url, tournament=asked.tournament)
        return _Number(id)

    async def _page(self, _: str, asked: _Page) -> _Found:
        await self._load()
        ids = sorted(id for id in self._followed if id > asked.after)
        return _Found(tuple(self._followed[id] for id in ids[: asked.limit]))

    async def _find(self, _: str, asked: _Number) -> _Found:
        await self._load()
        if asked.id not in self._followed:
            raise NoSuchTournament(NOT_FOLLOWED)
        return _Found((self._followed[asked.id],))

    async def _forget(self, sender: str, asked: _Number) -> _Number:
        await self._find(sender, asked)
        async with self._changing:
            await self._facts.change(asked.id, lambda kept: replace(kept, shown=None))
            self._followed.pop(asked.id, None)
        log.info("away_forgotten", away=asked.id)
        return asked

    async def _stand_back(self) -> None:
        """Another node follows them from now on."""
        async with self._changing:
            self._followed.clear()
            self._ids.clear()
            self._loaded = False

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
            after = 0
            while page := await self._facts.page(after, PAGE):
                for after, kept in page:
                    self._ids[kept.url, kept.tournament] = after
                    if kept.shown is not None:
                        self._followed[after] = Followed.kept(after, kept, kept.shown.view)
            self._next_id = after + 1
            self._loaded = True
            for followed in self._followed.values():
                if not followed.over:
                    self._spawn(self._stay(followed, 0))

    async def _stay(self, followed: Followed, pause_seconds: float) -> None:
        """Asks for it again and again, until it is over or forgotten."""
        failures = 0
        while not followed.over:
            await asyncio.sleep(pause_seconds)
            if self._followed.get(followed.id) is not followed:
                return  # Forgotten, or another node's.
            try:
                await self._look(followed)
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

    async def _look(self, followed: Followed) -> None:
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
