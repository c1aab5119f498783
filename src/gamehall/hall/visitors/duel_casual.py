"""At which table a casual match of two-player Bingo is played: one that no arena has made.

Its name is its number, or its key where players know no more than that. Once it is over, the same
name may be played again: each time has a table of its own, and the origins of these are counted.
"""

from __future__ import annotations

import hmac

import msgspec

from gamehall.errors import TooMany, WrongKey
from gamehall.hall.arena.as_server.book import Claims, digest_of
from gamehall.hall.tables.tables import Tables
from gamehall.hall.visitors.duel_hello import AnyHello, Hello, OwnHello, match_digest
from gamehall.store.facts import change_fact
from gamehall.store.store import Store

ATTEMPTS_MAX = 50
"""How many tables of one name are looked at."""

_TIMES = "duel-times:"

Numbered = tuple[int, int, int]
"""A match's uid1, uid2 and number."""


class Spot(msgspec.Struct, frozen=True):
    """Where a match is played, or is to be."""

    name: str
    time: int
    """How often the name has been played before."""
    table: int | None
    """None: it is to be opened."""

    @property
    def origin(self) -> str:
        return f"duel:{self.name}" + (f":{self.time}" if self.time else "")


class CasualMatches:
    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._claims = Claims(store, "duel-claim:", list[Numbered])

    async def find(self, hello: AnyHello) -> Spot:
        """Where the match is on, or else where it begins anew.

        Raises:
            WrongKey: a match of that number is on, with another key or for others.
        """
        name = hello.name
        noted = await self._store.fact(_TIMES + name)
        first = 0 if noted is None else int(noted)
        for time in range(first, first + ATTEMPTS_MAX):
            spot = Spot(name, time, None)
            table = await self._store.table_by_origin(spot.origin)
            info = None if table is None else await self._store.table(table)
            if info is None:
                return spot
            if info.status in ("waiting", "playing") and await self._is_on(info.id):
                await self._check_key(info.id, hello)
                return msgspec.structs.replace(spot, table=info.id)
        raise TooMany

    async def _is_on(self, table: int) -> bool:
        """It may have ended since the store was asked."""
        state = (await self._tables.load(table)).state
        return not state.over and state.closed is None

    async def _check_key(self, table: int, hello: AnyHello) -> None:
        first_row = await self._store.read(table, 0, 1)
        opened_by = first_row[0].request if first_row else None
        if opened_by is None or not hmac.compare_digest(opened_by.digest, match_digest(hello)):
            raise WrongKey

    async def note(self, spot: Spot, hello: AnyHello) -> None:
        """The match is about to be opened there. Who looks for it after that finds it.

        Raises:
            Unavailable: it cannot be written.
        """
        if spot.time:
            # So that nobody has to look at all the tables before.
            await change_fact(
                self._store,
                _TIMES + spot.name,
                int,
                lambda noted: spot.time if spot.time > (noted or 0) else None,
            )
        if isinstance(hello, Hello):
            for uid in hello.uids:
                match: Numbered = (*hello.uids, hello.match)
                await self._claims.note(uid, digest_of(hello.key), match)

    async def numbered(self, own: OwnHello) -> Hello | None:
        """The newest match with a number that is on, and in which that player plays."""
        for first, second, number in await self._claims.of(own.uid, digest_of(own.key)):
            hello = Hello((first, second), number, own.key, own.fast)
            try:
                spot = await self.find(hello)
            except WrongKey:
                continue  # Others play under that number now.
            if spot.table is not None:
                return hello
        return None
