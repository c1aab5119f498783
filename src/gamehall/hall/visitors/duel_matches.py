"""Which match of two-player Bingo is which table, and on which of its seats a client sits.

Both players of a match say the same hello, so nothing but who is there already tells them apart.
All that has to last lies in the store: the match is the table's origin, its players are guests who
are known by a credential made from the hello, and the requests that opened the table and sat down
at it name match and uid (`named_by`). Matches of an arena are known to `hall/arena`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import msgspec

from gamehall.errors import (
    HallError,
    NoSuchMatch,
    NoSuchTable,
    RoundOver,
    TableFull,
    Unavailable,
)
from gamehall.games.bingo_duel import BingoDuel
from gamehall.hall.arena.as_server.book import Match
from gamehall.hall.arena.as_server.matches import Matches
from gamehall.hall.beat.requests import Done, Reply
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.common_turns import Arbiter, CommonTurns
from gamehall.hall.people.guests import Guests
from gamehall.hall.people.hung_up import HungUp
from gamehall.hall.people.link import Link
from gamehall.hall.seats.seating import Seating
from gamehall.hall.tables.tables import Tables
from gamehall.hall.visitors.duel_casual import CasualMatches, Spot
from gamehall.hall.visitors.duel_hello import (
    AnyHello,
    Hello,
    OwnHello,
    key_name,
    mark_of,
    named_by,
    request_of,
)
from gamehall.hall.visitors.duel_rooms import Recent
from gamehall.hall.visitors.entrance import Entrance
from gamehall.store.appends import Request
from gamehall.store.store import Store
from gamehall.table_log import house

FIRST, SECOND = PARTS = (0, 1)
"""The parts in a match: its uid1 and its uid2."""
HELLOS_MAX = 256
"""Hellos with one key, or of one match, that one node answers one after the other; more are
refused. Clients with one key built in may all come at once."""
SEAT_SECONDS = 5.0
"""How long the seat waits for the player who opens the match: a crash may come in between."""
REMEMBERED_MAX = 10_000
"""Addresses whose last part in a match is remembered."""
FIRST_ROWS = 16
"""Rows of a table's journal in which its players have sat down."""


class Place(msgspec.Struct, frozen=True):
    """Where a client sits."""

    table: int
    part: int
    uid: int
    seat: int


Seated = Callable[[Place], None]
Sit = Callable[[Request, Reply], Awaitable[None]]


@dataclass(eq=False, repr=False)
class DuelMatches:
    """The matches that are played by hello alone."""

    _arena: Matches
    _people: Entrance
    _known_guests: Guests
    _hung_up: HungUp
    _seating: Seating
    _tables: Tables
    _store: Store
    _clock: Clock
    _arbiter: Arbiter

    def __post_init__(self) -> None:
        self._casual = CasualMatches(self._store, self._tables)
        self._turns = CommonTurns(self._arbiter, "duel", HELLOS_MAX)
        self._last_parts: Recent[int] = Recent(REMEMBERED_MAX)
        """The part that was played last, by table and address."""

    async def enter(self, link: Link, hello: AnyHello, seated: Seated, *, casual: bool) -> None:
        """Makes the client one of the match's two players.

        `seated` is called before anything that happens at the table is told to the link. `casual`:
        whether a match that no arena has made may be played.

        Raises:
            HallError: there is no place for it.
        """

        def note(place: Place) -> None:
            self.used(place, link.address)
            seated(place)

        # One of the players may know the number, and the other the key alone: what they have in
        # common is the key. Its turn comes always first, so that nobody waits in a circle.
        async with self._turns.of(key_name(hello.key)):
            if isinstance(hello, Hello):
                await self._enter_numbered(link, hello, None, note, casual)
                return
            numbered = await self._numbered(hello, casual)
            if numbered is None:
                await self._enter_casual(link, hello, None, note)
            else:
                part = numbered.uids.index(hello.uid)
                await self._enter_numbered(link, numbered, part, note, casual)

    async def _enter_numbered(
        self, link: Link, hello: Hello, part: int | None, seated: Seated, casual: bool
    ) -> None:
        """`part` is the player's own; None: it shows what both of them have."""
        async with self._turns.of(str(hello.match)):
            shown = self._arena.shown
            match = await shown(BingoDuel.name, hello.match, hello.uids, hello.key)
            if match is not None:
                await self._enter_arena(link, hello, match, part, seated)
            elif casual:
                await self._enter_casual(link, hello, part, seated)
            else:
                raise NoSuchTable

    async def _numbered(self, own: OwnHello, casual: bool) -> Hello | None:
        """The match with a number for which this is a player's own credential.

        Raises:
            RoundOver: an arena had made one, and it was played.
            NoSuchMatch: there is none, and casual matches are not allowed.
        """
        try:
            match = await self._arena.course.book.claimed_by(own.uid, own.key, BingoDuel.name)
        except NoSuchMatch:
            if not casual:
                raise
            return await self._casual.numbered(own)
        return Hello(match.uids, match.number, own.key, own.fast)

    def used(self, place: Place, address: str) -> None:
        """Something has come from there for this place."""
        self._last_parts.keep((place.table, address), place.part)

    # Matches of an arena

    async def _enter_arena(
        self, link: Link, hello: Hello, match: Match, part: int | None, seated: Seated
    ) -> None:
        """`part` is the player's own; None: it shows what both of them have."""
        arena = self._arena
        table = await arena.table_of(match)
        if part is None:
            part = FIRST if table is None else await self._free_part(link, hello, table)
            if match.players[part] not in (None, (await self._guests(hello))[part]):
                # Someone of another door plays for that uid.
                part = 1 - part
        if await self._hung_up.is_here((await self._guests(hello))[part]):
            raise TableFull
        await self._people.bearer(link, str(hello.uids[part]), hello.credential_of(part))
        sit = partial(arena.seat, link, link.me, match, part)
        await self._sit(link, hello, part, seated, sit)

    # Casual matches

    async def _enter_casual(
        self, link: Link, hello: AnyHello, part: int | None, seated: Seated
    ) -> None:
        """`part` is the player's own; None: it shows what both of them have."""
        if isinstance(hello, Hello) and part is None:
            hello = await self._by_key(hello) or hello
        spot = await self._casual.find(hello)
        if isinstance(hello, OwnHello):
            part, guest = FIRST, await self._guest(hello.credential_of(FIRST))
            if await self._hung_up.is_here(guest):
                raise TableFull
        elif part is not None:
            if await self._hung_up.is_here((await self._guests(hello))[part]):
                raise TableFull
        else:
            known = spot.table
            part = FIRST if known is None else await self._free_part(link, hello, known)
        uid = hello.uid_of(part)
        await self._people.bearer(link, str(uid), hello.credential_of(part))
        online = link.me
        table = spot.table
        if table is None:
            await self._casual.note(spot, hello)
            table = await self._open(spot, link, request_of(hello, part, link))
        state = (await self._tables.load(table)).state
        if state.over or state.closed is not None:
            raise RoundOver  # It has ended since it was found.
        seat = state.seat_of.get(online.player.id)
        if seat is None:
            # The next seat, whichever: someone of another door may have come first.
            sit = partial(self._seating.sit, link, online, table, None, None)
            await self._sit(link, hello, part, seated, sit)
        else:
            seated(Place(table, part, uid, seat))

    async def _by_key(self, hello: Hello) -> OwnHello | None:
        """As whom the player sits at the table that its opponent has opened by the key alone.

        None: there is no such table.

        Raises:
            WrongKey: its opponent waits there, but others play under the number.
        """
        owns = [OwnHello(uid, hello.key, hello.fast, hello.match) for uid in hello.uids]
        table = (await self._casual.find(owns[FIRST])).table
        if table is None:
            return None
        state = (await self._tables.load(table)).state
        guests = [await self._guest(own.credential_of(FIRST)) for own in owns]
        seated = [guest in state.seat_of for guest in guests]
        if state.game is None:
            if len(state.seat_of) != 1 or seated.count(True) != 1:
                return None
            is_free = (await self._casual.find(hello)).table is None
            return owns[seated.index(False)] if is_free else None
        # It comes back, if someone sat down there under this number.
        lines = await self._store.read(table, 0, FIRST_ROWS)
        came = [named_by(line.request) for line in lines]
        back = [own for own in owns if (hello.match, own.uid) in came]
        return back[0] if back and all(seated) else None

    async def _open(self, spot: Spot, link: Link, request: Request) -> int:
        player = link.me.player
        return await self._tables.open(
            BingoDuel.name,
            {},
            origin=spot.origin,
            request=request,
            drawn=False,
            reserved=(house.Person(player.id, player.name),),
            reserved_until_ms=self._clock.now_ms() + int(SEAT_SECONDS * 1000),
        )

    # Finding the seat

    async def _free_part(self, link: Link, hello: Hello, table: int) -> int:
        """Raises TableFull if both players are there."""
        guests = await self._guests(hello)
        state = (await self._tables.load(table)).state
        if state.game is None:
            return SECOND if await self._hung_up.is_here(guests[FIRST]) else FIRST
        away = [
            part
            for part, guest in enumerate(guests)
            if guest in state.seat_of and not await self._hung_up.is_here(guest)
        ]
        if not away:
            raise TableFull
        last = self._last_parts.get((table, link.address))
        if last is None:
            last = await self._first_part(link, hello, table, guests)
        return last if last in away else away[0]

    async def _first_part(
        self, link: Link, hello: Hello, table: int, guests: list[int | None]
    ) -> int:
        """After a restart: the part of the player from that address, if there is just one."""
        mark = mark_of(hello, link.address)
        lines = await self._store.read(table, 0, FIRST_ROWS)
        came = {line.request.player for line in lines if line.request and mark in line.request.id}
        parts = [part for part, guest in enumerate(guests) if guest in came]
        return parts[0] if len(parts) == 1 else FIRST

    async def _guests(self, hello: Hello) -> list[int | None]:
        """The players of both parts, where they have come before through this door."""
        return [await self._guest(hello.credential_of(part)) for part in PARTS]

    async def _guest(self, credential: str) -> int | None:
        player = await self._known_guests.known(credential)
        return None if player is None else player.id

    async def _sit(self, link: Link, hello: AnyHello, part: int, seated: Seated, sit: Sit) -> None:
        done = Awaited[Done]()

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, Done) and self._tables.loaded(answer.table) is None:
                answer = Unavailable()  # It is looking for a new owner. The seat is kept.
            if isinstance(answer, Done):
                assert answer.seat is not None
                seated(Place(answer.table, part, hello.uid_of(part), answer.seat))
            done(answer)

        await sit(request_of(hello, part, link), reply)
        await done
