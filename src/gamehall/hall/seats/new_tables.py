"""Tables that are opened: by a player, or for people who have found each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import msgspec

from gamehall.errors import (
    BadRequest,
    HallError,
    NotFree,
    TooMany,
)
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.requests import Ask, Done, unheard
from gamehall.hall.beat.sent_again import OTHER_CONTENT
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.online import Online
from gamehall.hall.seats.attendance import HouseBots
from gamehall.hall.seats.holds import OPEN_MS
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import Request
from gamehall.store.store import Store
from gamehall.table_log import house

TABLES_MAX = 32
"""Tables at which one player may sit at once, and that one connection may watch."""


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    table: int
    key: str | None = None


async def _begin(_: int, __: int) -> None:
    pass


def _nobody_asks(_: int, __: int) -> None:
    pass


@dataclass(eq=False, repr=False)
class NewTables:
    _tables: Tables
    _store: Store
    _clock: Clock
    _draw_key: DrawKey
    _bots: HouseBots
    _: KW_ONLY
    seat_ms: int
    """How long a seat is reserved for those whom the table was opened for."""

    async def open_table(
        self,
        online: Online,
        game: str,
        options: dict[str, Any],
        *,
        private: bool,
        bots: Sequence[str],
        request: Request | None,
    ) -> Opened:
        """A new table with a seat reserved for whoever opens it, and bots on others."""
        origin = None if request is None else f"request:{request.player}:{request.id}"
        if len(online.busy | online.opened) >= TABLES_MAX and not await self._is_opened(origin):
            await self._forget_closed(online)
            if len(online.busy | online.opened) >= TABLES_MAX:
                raise TooMany
        kind = self._tables.public_kind(game)
        read = kind.rules.read_options(options)
        seats = kind.game.seats(read)
        for level in bots:
            self._bots.check(level, kind.game.name, read)
        if len(bots) >= seats.most:
            raise TooMany("That many bots leave no seat for you.")
        table = await self._tables.open(
            kind.game.name,
            options,
            origin=origin,
            request=request,
            private=private,
            reserved=(person_of(online),),
            reserved_until_ms=self._clock.now_ms() + self.seat_ms,
        )
        await self._check_same(table, request)
        online.opened.add(table)
        for place, level in enumerate(bots):
            person = await self._bots.person(level, bots[: place + 1].count(level))
            if seats.kept:
                self._tables.put(Ask(table, person.player, house.Sit(person), unheard))
            else:
                self._bots.attend(table, person)
        return Opened(table, self._draw_key.table_key(table) if private else None)

    async def _forget_closed(self, online: Online) -> None:
        """Where people walk in, nothing else says when a table that someone opened is gone."""
        for table in tuple(online.opened):
            info = await self._store.table(table)
            if info is None or info.status == "closed":
                online.opened.discard(table)

    async def open_match(
        self,
        people: Sequence[Online],
        game: str,
        options: dict[str, Any],
        *,
        drawn: bool,
        rated: bool,
        origin: str,
        opened: Callable[[int, int], Awaitable[None]] = _begin,
        not_begun: Callable[[int, int], None] = _nobody_asks,
    ) -> int:
        """A table for these people, who are held for it, all of them seated; undrawn, in this
        order. `opened(table, until_ms)` is called before they sit, and may refuse it; `not_begun(
        player, table)` for each who could not be seated until then.

        Raises:
            NotFree: someone has gone, or the table has come too late.
            Unavailable: it cannot be saved.
        """
        asked_ms = self._clock.now_ms()
        until_ms = asked_ms + self.seat_ms
        table = await self._tables.open(
            self._tables.kind(game).game.name,
            options,
            origin=origin,
            drawn=drawn,
            rated=rated,
            reserved=tuple(person_of(online) for online in people),
            reserved_until_ms=until_ms,
        )
        late = self._clock.now_ms() > asked_ms + OPEN_MS
        # Who was held for too long at another node may be about to play someone else.
        try:
            if not all(each.here and not (late and each.elsewhere) for each in people):
                raise NotFree
            await opened(table, until_ms)
        except HallError:
            self._tables.put(Ask(table, None, house.Close("gone"), unheard))
            raise
        for place, online in enumerate(people):
            self._sit_reserved(online, table, None if drawn else place, until_ms, not_begun)
        return table

    def _sit_reserved(
        self,
        online: Online,
        table: int,
        seat: int | None,
        until_ms: int,
        not_begun: Callable[[int, int], None],
    ) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, HallError):
                # The reservation runs out, and the table with it.
                not_begun(online.player.id, table)

        sit = Ask(table, online.player.id, house.Sit(person_of(online), seat), answered)
        self._tables.insist(sit, lambda: self._clock.now_ms() < until_ms)

    async def _is_opened(self, origin: str | None) -> bool:
        return origin is not None and await self._store.table_by_origin(origin) is not None

    async def _check_same(self, table: int, request: Request | None) -> None:
        if request is None:
            return
        first = (await self._store.read(table, 0, 1))[0].request
        if first is not None and first.digest != request.digest:
            raise BadRequest(OTHER_CONTENT)


def person_of(online: Online) -> house.Person:
    return house.Person(online.player.id, online.player.name)
