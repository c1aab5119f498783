"""Which match of the `duel` door is which table, and on which of its seats a client sits.

Both players of a match say the same hello, so nothing but who is there already tells them apart.
All that has to last lies in the store: the match is the table's origin, its players are guests who
are known by a credential made from the hello, and the requests that opened the table and sat down
at it name match and uid (`named_by`). Matches of an arena are the hall's (hall/matches.py).
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from gamehall.errors import HallError, NoSuchMatch, NoSuchTable, TableFull, Unavailable
from gamehall.games.bingo_duel import BingoDuel
from gamehall.hall.arena.as_server.book import Match
from gamehall.hall.beat.requests import Done, Reply
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.common_turns import CommonTurns
from gamehall.hall.people.link import Link
from gamehall.hall.people.players import credential_digest
from gamehall.store.appends import Request
from gamehall.table_log import house
from gamehall.wire.bingo.duel_casual import CasualMatches, Spot, key_name, match_digest
from gamehall.wire.bingo.duel_codec import Hello, OwnHello

FIRST, SECOND = PARTS = (0, 1)
"""The parts in a match: its uid1 and its uid2."""
HELLOS_MAX = 256
"""Hellos with one key, or of one match, that one node answers one after the other; more are
refused. Clients with one key built in may all come at once."""
SEAT_SECONDS = 5.0
"""How long the seat waits for whoever opens the match: a crash may come in between."""
REMEMBERED_MAX = 10_000
"""Addresses whose last part in a match is remembered."""
_DIGEST_BYTES = 32
"""Requests of other doors have shorter digests, so that nobody can pass for one of this door's."""

_REQUEST_ID = re.compile(r"duel:(\d*):(\d+):([0-9a-f]{8})[0-9a-f]{8}", re.ASCII)
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


def named_by(request: Request | None) -> tuple[int | None, int] | None:
    """Match, if it has a number, and uid that a request of this door names; None: it is another
    door's."""
    if request is None or len(request.digest) != _DIGEST_BYTES:
        return None
    found = _REQUEST_ID.fullmatch(request.id)
    return None if found is None else (int(found[1]) if found[1] else None, int(found[2]))


class Matches:
    """The matches that are played by hello alone, for all links of the door."""

    def __init__(self, hall: Hall, casual: bool) -> None:
        """`casual`: whether a match that no arena has made may be played."""
        self._hall = hall
        self._casual = CasualMatches(hall) if casual else None
        self._turns = CommonTurns(hall.rooms.arbiter, "duel", HELLOS_MAX)
        self._last_parts: OrderedDict[tuple[int, str], int] = OrderedDict()
        """The part that was played last at a table, by address."""

    async def enter(self, link: Link, hello: Hello | OwnHello, seated: Seated) -> None:
        """Makes the client one of the match's two players.

        `seated` is called before anything that happens at the table is told to the link.

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
                await self._enter_numbered(link, hello, None, note)
                return
            numbered = await self._numbered(hello)
            if numbered is None:
                await self._enter_casual(link, hello, None, note)
            else:
                part = numbered.uids.index(hello.uid)
                await self._enter_numbered(link, numbered, part, note)

    async def _enter_numbered(
        self, link: Link, hello: Hello, part: int | None, seated: Seated
    ) -> None:
        """`part` is the player's own; None: it shows what both of them have."""
        async with self._turns.of(str(hello.match)):
            shown = self._hall.matches.shown
            match = await shown(BingoDuel.name, hello.match, hello.uids, hello.key)
            if match is None:
                await self._enter_casual(link, hello, part, seated)
            else:
                await self._enter_arena(link, hello, match, part, seated)

    async def _numbered(self, own: OwnHello) -> Hello | None:
        """The match with a number for which this is a player's own credential.

        Raises:
            RoundOver: an arena had made one, and it was played.
            NoSuchMatch: there is none, and casual matches are not allowed.
        """
        try:
            match = await self._hall.matches.own(BingoDuel.name, own.uid, own.key)
        except NoSuchMatch:
            if self._casual is None:
                raise
            return await self._casual.numbered(own)
        return Hello(match.uids, match.number, own.key, own.fast)

    def used(self, place: Place, address: str) -> None:
        """Something has come from there for this place."""
        key = (place.table, address)
        self._last_parts[key] = place.part
        self._last_parts.move_to_end(key)
        if len(self._last_parts) > REMEMBERED_MAX:
            self._last_parts.popitem(last=False)

    # Matches of an arena

    async def _enter_arena(
        self, link: Link, hello: Hello, match: Match, part: int | None, seated: Seated
    ) -> None:
        """`part` is the player's own; None: it shows what both of them have."""
        arena = self._hall.matches
        table = await arena.table_of(match)
        if part is None:
            part = FIRST if table is None else await self._free_part(link, hello, table)
            if match.players[part] not in (None, (await self._guests(hello))[part]):
                # Someone of another door plays for that uid.
                part = 1 - part
        if await self._is_here((await self._guests(hello))[part]):
            raise TableFull
        await self._hall.people.bearer(link, str(hello.uids[part]), _credential(hello, part))
        assert link.online is not None
        sit = partial(arena.seat, link, link.online, match, part)
        await self._sit(link, hello, part, seated, sit)

    # Casual matches

    async def _enter_casual(
        self, link: Link, hello: Hello | OwnHello, part: int | None, seated: Seated
    ) -> None:
        """`part` is the player's own; None: it shows what both of them have."""
        casual = self._casual
        if casual is None:
            raise NoSuchTable
        if isinstance(hello, Hello) and part is None:
            hello = await self._by_key(casual, hello) or hello
        spot = await casual.find(hello)
        if isinstance(hello, OwnHello):
            part, guest = FIRST, await self._guest(_credential(hello, FIRST))
            if await self._is_here(guest):
                raise TableFull
        elif part is not None:
            if await self._is_here((await self._guests(hello))[part]):
                raise TableFull
        else:
            known = spot.table
            part = FIRST if known is None else await self._free_part(link, hello, known)
        uid = _uid(hello, part)
        await self._hall.people.bearer(link, str(uid), _credential(hello, part))
        online = link.online
        assert online is not None
        table = spot.table
        if table is None:
            await casual.note(spot, hello)
            table = await self._open(spot, link, _request(hello, part, link))
        state = (await self._hall.tables.load(table)).state
        seat = state.seat_of.get(online.player.id)
        if seat is None:
            # The next seat, whichever: someone of another door may have come first.
            sit = partial(self._hall.seating.sit, link, online, table, None, None)
            await self._sit(link, hello, part, seated, sit)
        else:
            seated(Place(table, part, uid, seat))

    async def _by_key(self, casual: CasualMatches, hello: Hello) -> OwnHello | None:
        """As whom the player sits at the table that its opponent has opened by the key alone.

        None: there is no such table.

        Raises:
            WrongKey: its opponent waits there, but others play under the number.
        """
        owns = [OwnHello(uid, hello.key, hello.fast, hello.match) for uid in hello.uids]
        table = (await casual.find(owns[FIRST])).table
        if table is None:
            return None
        state = (await self._hall.tables.load(table)).state
        guests = [await self._guest(_credential(own, FIRST)) for own in owns]
        seated = [guest in state.seat_of for guest in guests]
        if state.game is None:
            if len(state.seat_of) != 1 or seated.count(True) != 1:
                return None
            is_free = (await casual.find(hello)).table is None
            return owns[seated.index(False)] if is_free else None
        # It comes back, if someone sat down there under this number.
        lines = await self._hall.rooms.store.read(table, 0, FIRST_ROWS)
        came = [named_by(line.request) for line in lines]
        back = [own for own in owns if (hello.match, own.uid) in came]
        return back[0] if back and all(seated) else None

    async def _open(self, spot: Spot, link: Link, request: Request) -> int:
        assert link.online is not None
        player = link.online.player
        return await self._hall.tables.open(
            BingoDuel.name,
            {},
            origin=spot.origin,
            request=request,
            drawn=False,
            reserved=(house.Person(player.id, player.name),),
            reserved_until_ms=self._hall.clock.now_ms() + int(SEAT_SECONDS * 1000),
        )

    # Finding the seat

    async def _free_part(self, link: Link, hello: Hello, table: int) -> int:
        """Raises TableFull if both players are there."""
        guests = await self._guests(hello)
        state = (await self._hall.tables.load(table)).state
        if state.game is None:
            return SECOND if await self._is_here(guests[FIRST]) else FIRST
        away = [
            part
            for part, guest in enumerate(guests)
            if guest in state.seat_of and not await self._is_here(guest)
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
        """After a restart: the part of whoever came from that address, if it is one."""
        mark = _mark(hello, link.address)
        lines = await self._hall.rooms.store.read(table, 0, FIRST_ROWS)
        came = {line.request.player for line in lines if line.request and mark in line.request.id}
        parts = [part for part, guest in enumerate(guests) if guest in came]
        return parts[0] if len(parts) == 1 else FIRST

    async def _guests(self, hello: Hello) -> list[int | None]:
        """The players of both parts, where they have come before through this door."""
        return [await self._guest(_credential(hello, part)) for part in PARTS]

    async def _guest(self, credential: str) -> int | None:
        player = await self._hall.rooms.store.player_by_token(credential_digest(credential))
        return None if player is None else player.id

    async def _is_here(self, player: int | None) -> bool:
        online = None if player is None else self._hall.players.online.get(player)
        if online is None:
            return False
        if any(not link.gone for link in online.links):
            return True
        return not await self._hall.rooms.hung_up.elsewhere(online)

    async def _sit(
        self, link: Link, hello: Hello | OwnHello, part: int, seated: Seated, sit: Sit
    ) -> None:
        answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, Done) and self._hall.tables.loaded(answer.table) is None:
                answer = Unavailable()  # It is looking for a new owner. The seat is kept.
            if isinstance(answer, Done):
                assert answer.seat is not None
                seated(Place(answer.table, part, _uid(hello, part), answer.seat))
            answered.set_result(answer)

        await sit(_request(hello, part, link), reply)
        answer = await answered
        if isinstance(answer, HallError):
            raise answer


def _uid(hello: Hello | OwnHello, part: int) -> int:
    return hello.uids[part] if isinstance(hello, Hello) else hello.uid


def _credential(hello: Hello | OwnHello, part: int) -> str:
    who = part if isinstance(hello, Hello) else hello.uid
    return f"{hello.credential()}:{who}"


def _mark(hello: Hello | OwnHello, address: str) -> str:
    """Tells addresses apart, and no more of them to who does not know the key of the match."""
    return f":{hashlib.sha256(f'{hello.credential()}|{address}'.encode()).hexdigest()[:8]}"


def _request(hello: Hello | OwnHello, part: int, link: Link) -> Request:
    # Never the same twice: this is for whoever reads the journal, not for asking again.
    mark = _mark(hello, link.address) + secrets.token_hex(4)
    number = "" if hello.match is None else hello.match
    assert link.online is not None
    return Request(
        link.online.player.id,
        f"duel:{number}:{_uid(hello, part)}{mark}",
        match_digest(hello),
    )
