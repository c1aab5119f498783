"""Matches that a portal makes at this hall: who may play them, and how they stand.

A portal knows its users by numbers. A player who shows such a number and the match's key plays for
that user. course.py follows the match from there to its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from gamehall.errors import (
    BadRequest,
    HallError,
    NoSuchMatch,
    RoundOver,
    SeatTaken,
    TooMany,
    Unavailable,
    WrongKey,
)
from gamehall.games.game import Game
from gamehall.hall.arena.as_server.book import Match, check, digest_of
from gamehall.hall.arena.as_server.course import MatchCourse
from gamehall.hall.beat.requests import Done, Reply
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.link import Link
from gamehall.hall.people.online import Online
from gamehall.hall.seats.seating import Seating
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import Request
from gamehall.store.store import Store
from gamehall.table_log import house

OPEN_MAX = 10_000
"""Matches that are not over."""
RESERVED_MS = 86_400_000
"""How much longer than the match its table waits for whoever opened it: who goes again before the
other has come finds it still there."""


class Progress(msgspec.Struct, frozen=True):
    """How a match stands."""

    status: int
    """0: not started, 1: running, 2: over."""
    scores: tuple[int, int] | None = None
    """Of uid1 and uid2, once it has started."""


@dataclass(eq=False, repr=False)
class Matches:
    _games: Mapping[str, Game[Any]]
    course: MatchCourse
    _store: Store
    _clock: Clock
    _tables: Tables
    _seating: Seating

    # For portals

    @property
    def leads(self) -> bool:
        """Whether this node speaks to portals, for all."""
        return self.course.leads

    def listen(self, listener: Callable[[Match], None]) -> None:
        """From now on it hears of each match that has started or is over. It makes nobody wait."""
        self.course.listeners.append(listener)

    def owed(self, game: str) -> list[Match]:
        """What a portal may have missed: matches that run, and those that ended lately."""
        return self.course.owed(game)

    async def create(self, game: str, number: int, uids: tuple[int, int], key: str) -> Match:
        """The match, durable. The same one may be made again.

        Raises:
            BadRequest: it can be no match, or the number has another one.
            TooMany: there are too many already.
            Unavailable: another node speaks to the portal by now.
        """
        check(number, uids, key)
        if not self.leads:
            raise Unavailable
        async with self.course.turns.of((game, number)):
            known = await self.course.book.find((game, number))
            if known is not None and not known.is_for(uids, key):
                raise BadRequest("There is a match of this number for others or with another key.")
            if known is None:
                if len(self.course.open) >= OPEN_MAX:
                    raise TooMany("Too many matches are waiting here to be played.")
                due_ms = self._clock.now_ms() + self.course.no_show_ms
                known = Match(game, number, uids, digest_of(key), due_ms)
                # Before it is written: it may be, although nobody is there any more to hear so.
                self.course.wait_for(known, due_ms)
                await self.course.book.add(known)
            return known

    async def progress(self, number: int, game: str | None = None) -> Progress:
        """How the match of this number stands, of one game or of any. Raises NoSuchMatch."""
        every = dict.fromkeys(game.name for game in self._games.values())
        for name in every if game is None else (game,):
            match = await self.course.book.find((name, number))
            if match is not None and match.over:
                return Progress(2, match.scores)
            if match is not None:
                return Progress(1, await self._points(match)) if match.started else Progress(0)
        raise NoSuchMatch("There is no match of this number.")

    async def _points(self, match: Match) -> tuple[int, int]:
        table = await self.table_of(match)
        assert table is not None, "it is played there"
        found = await self._tables.load(table)
        state = found.state
        if state.game is None:
            return 0, 0
        points = found.kind.game.points(state.game) or {}
        seats = {person.player: seat for seat, person in state.chairs.items()}
        first, second = (points.get(seats.get(player or 0, -1), 0) for player in match.players)
        return first, second

    # For players

    async def claim(
        self,
        link: Link,
        online: Online,
        uid: int,
        key: str,
        request: Request | None,
        reply: Reply,
    ) -> None:
        """Seats the player for that user; `reply` gets the table's answer, as in `sit`.

        Raises:
            NoSuchMatch, RoundOver: there is no such match to be played.
            SeatTaken: someone else plays for this user.
        """
        match = await self.course.book.claimed_by(uid, key)
        part = match.uids.index(uid)
        await self.seat(link, online, match, part, request, reply, wish=part)

    async def shown(self, game: str, number: int, uids: tuple[int, int], key: str) -> Match | None:
        """The match of that number; None: no portal has made one.

        Raises:
            WrongKey: it is for others, or has another key.
            RoundOver: it was played.
        """
        match = await self.course.book.find((game, number))
        if match is None:
            return None
        if not match.is_for(uids, key):
            raise WrongKey
        if match.over:
            raise RoundOver
        return match

    async def table_of(self, match: Match) -> int | None:
        """Where it is played; None: nobody has come yet."""
        return await self._store.table_by_origin(match.origin)

    async def seat(
        self,
        link: Link,
        online: Online,
        match: Match,
        part: int,
        request: Request | None,
        reply: Reply,
        *,
        wish: int | None = None,
    ) -> None:
        """Seats the player for uid1 (`part` 0) or uid2, on the seat it wishes if that is free.

        Raises:
            RoundOver, SeatTaken: it cannot play for this user.
        """
        player = online.player.id
        async with self.course.turns.of(match.id):
            match = await self.course.book.change(match.id, lambda m: _bound(m, part, player))
            table = await self._table_for(match, online)
            self.course.came(match.id, table)
            state = (await self._tables.load(table)).state
            if state.over:
                raise RoundOver
            seat = None if wish in state.chairs else wish
            answered = asyncio.Event()

            def answer(answer: Done | HallError) -> None:
                answered.set()
                reply(answer)

            sit = self._seating.sit
            await sit(link, online, table, seat, None, request, answer, invited=True)
            # Until then nobody may find that this player has not come.
            await answered.wait()
            await self._make_sure(match, table)

    async def _make_sure(self, match: Match, table: int) -> None:
        """The node that follows the match may have found just before that nobody came."""
        if self.leads:
            return
        self.course.came(match.id, table)
        now = await self.course.book.find(match.id)
        if now is not None and now.how == "no_show":
            self.course.send_away(await self._store.table(table))

    async def _table_for(self, match: Match, online: Online) -> int:
        return await self._tables.open(
            match.game,
            {},
            origin=match.origin,
            drawn=False,
            by_invitation=True,
            reserved=(house.Person(online.player.id, online.player.name),),
            reserved_until_ms=match.due_ms + RESERVED_MS,
        )


def _bound(match: Match, part: int, player: int) -> Match:
    """The match with this player for one of its users. Raises RoundOver, SeatTaken."""
    if match.over:
        raise RoundOver
    first, second = match.players
    if (first, second)[part] not in (None, player):
        raise SeatTaken("Someone else plays for this user.")
    if (first, second)[1 - part] == player:
        raise SeatTaken("You play for the other user of this match.")
    players = (first, player) if part else (player, second)
    return msgspec.structs.replace(match, players=players)
