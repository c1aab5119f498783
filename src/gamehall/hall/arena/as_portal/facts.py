"""What a portal remembers: the game servers that have registered, their matches and results.

Each is a fact of the store, written only over what was read before. The key of a match is not
among them: only the maker of the match has it, and the game server.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Literal

import msgspec

from gamehall.errors import Unavailable
from gamehall.store.facts import ATTEMPTS_MAX, change_fact, every_fact
from gamehall.store.store import Store

FIRST_MATCH, LAST_MATCH = 1000, 2**31 - 1
"""Lower numbers mean how a match stands, in packets that look alike otherwise."""
PAGE = 500

_SERVER = "portal-server:"
_LAST_SERVER = "portal-last-server"
_MATCH = "portal-match:"


class GameServer(msgspec.Struct, frozen=True):
    """A game that is played at some server: users come to `address` and `port`."""

    id: int
    name: str
    address: str
    port: int
    rule: str
    author: str


MatchStatus = Literal["asked", "failed", "waiting", "running", "over"]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    server: int
    uid1: int
    uid2: int
    status: MatchStatus = "asked"
    """`asked`: whether the game server has it is not known; `failed`: nobody was told its key."""
    score1: int | None = None
    score2: int | None = None
    made_at_ms: int
    ended_at_ms: int | None = None
    mark: str
    """Random: tells our own write from another's."""


def failed(match: Match, only: tuple[MatchStatus, ...], at_ms: int) -> Match | None:
    """The match as one that nobody can play; None if it stands otherwise than so."""
    if match.status not in only:
        return None
    return msgspec.structs.replace(match, status="failed", ended_at_ms=at_ms)


class Made(msgspec.Struct, frozen=True):
    """A match that can be played, and what its users have to know."""

    match: int
    address: str
    port: int
    key: str


class Score(msgspec.Struct):
    """What a user has reached in all matches that are over."""

    uid: int
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: int = 0
    points_against: int = 0

    def add(self, own: int, other: int) -> None:
        self.played += 1
        self.won += own > other
        self.drawn += own == other
        self.lost += own < other
        self.points_for += own
        self.points_against += other


class PortalFacts:
    """Raises Unavailable from everywhere."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def servers(self) -> dict[int, GameServer]:
        """By the place at which each is kept: a place can be given to another one."""
        found: dict[int, GameServer] = {}
        async for fact in every_fact(self._store, _SERVER, page=PAGE):
            place = int(fact.key.removeprefix(_SERVER))
            found[place] = msgspec.json.decode(fact.value, type=GameServer)
        return found

    async def put_server(self, place: int, server: GameServer, before: GameServer | None) -> bool:
        """Keeps it at that place, if there is still who was there `before`; whether it is there."""
        key = f"{_SERVER}{place:05}"
        there = await self._store.fact(key)
        known = None if there is None else msgspec.json.decode(there, type=GameServer)
        if known not in (before, server):
            return False
        return await self._store.put_fact(key, msgspec.json.encode(server), there)

    async def new_server_id(self, after: int) -> int:
        """A number above that one, which no server has or had."""
        return await change_fact(
            self._store, _LAST_SERVER, int, lambda last: max(after, last or 0) + 1
        )

    async def match(self, id: int) -> Match | None:
        found = await self._store.fact(_match_key(id))
        return None if found is None else msgspec.json.decode(found, type=Match)

    async def page(self, after: int, limit: int) -> list[Match]:
        """By number, from the next after `after`."""
        found = await self._store.facts(_MATCH, _match_key(after), limit)
        return [msgspec.json.decode(fact.value, type=Match) for fact in found]

    async def add_match(
        self, first_id: int, server: int, uid1: int, uid2: int, at_ms: int
    ) -> Match:
        """A new match under the first number from there on that no match has."""
        mark = secrets.token_hex(8)
        for id in range(first_id, first_id + ATTEMPTS_MAX):
            match = Match(id=id, server=server, uid1=uid1, uid2=uid2, made_at_ms=at_ms, mark=mark)
            if await self._store.put_fact(_match_key(id), msgspec.json.encode(match), None):
                return match
        raise Unavailable

    async def change(self, id: int, change: Callable[[Match], Match | None]) -> Match | None:
        """The match as `change` makes it, written; None: it leaves it as it is."""
        return await change_fact(
            self._store,
            _match_key(id),
            Match,
            lambda match: None if match is None else change(match),
        )


def _match_key(id: int) -> str:
    # Of one length, so that the order of keys is that of the numbers.
    return f"{_MATCH}{id:010}"
