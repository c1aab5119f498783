"""The matches that portals have made here, as they lie in the store.

Each is a fact, written only over what was read before. Its key is kept as a digest: nobody
who reads the database can play in someone's place.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator, Callable
from typing import Generic, Literal, TypeVar

import msgspec

from gamehall.errors import BadRequest, LoginFailed, NoSuchMatch, RoundOver
from gamehall.store.facts import change_fact, every_fact
from gamehall.store.store import Store

T = TypeVar("T")

MatchId = tuple[str, int]
"""The game and the portal's number: a portal that knows several games may count in each."""

HowEnded = Literal["played", "no_show", "called_off"]

KEY_CHARACTERS_MAX = 256
NUMBER_MAX = 2**31 - 1
SAME_KEY_MAX = 32
"""Matches of one player with the same key that can be told apart, the newest."""
PAGE = 500

_MATCH = "arena-match:"


class Match(msgspec.Struct, frozen=True):
    game: str
    number: int
    uids: tuple[int, int]
    key_digest: str
    due_ms: int
    """Until then both must have come."""
    players: tuple[int | None, int | None] = (None, None)
    """Who plays for uid1 and for uid2."""
    started: bool = False
    scores: tuple[int, int] | None = None
    """Of uid1 and uid2, once it is over."""
    ended_ms: int = 0
    how: HowEnded | None = None

    @property
    def id(self) -> MatchId:
        return self.game, self.number

    @property
    def over(self) -> bool:
        return self.scores is not None

    @property
    def origin(self) -> str:
        """What the match's table is opened for."""
        return f"arena:{self.game}:{self.number}"

    def is_for(self, uids: tuple[int, int], key: str) -> bool:
        return self.uids == uids and hmac.compare_digest(self.key_digest, digest_of(key))


def digest_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def check(number: int, uids: tuple[int, int], key: str) -> None:
    """Raises BadRequest, with a sentence, for what can be no match."""
    if not all(0 <= n <= NUMBER_MAX for n in (number, *uids)):
        raise BadRequest("Matches and users have numbers from 0 to 2147483647.")
    if uids[0] == uids[1]:
        raise BadRequest("A match is between two different users.")
    if not 1 <= len(key) <= KEY_CHARACTERS_MAX or ":" in key:
        raise BadRequest(f"A key has 1 to {KEY_CHARACTERS_MAX} characters and no colon.")


class Claims(Generic[T]):
    """The matches that belong to a user and a key: those that can be told apart, the newest."""

    def __init__(self, store: Store, prefix: str, kind: type[list[T]]) -> None:
        self._store = store
        self._prefix = prefix
        self._kind = kind

    async def of(self, uid: int, key_digest: str) -> list[T]:
        """The newest first."""
        noted = await self._store.fact(f"{self._prefix}{uid}:{key_digest}")
        return [] if noted is None else msgspec.json.decode(noted, type=self._kind)[::-1]

    async def note(self, uid: int, key_digest: str, match: T) -> None:
        """It is the newest from now on."""

        def noted(known: list[T] | None) -> list[T] | None:
            if known and known[-1] == match:
                return None
            others = [each for each in known or () if each != match]
            return [*others[1 - SAME_KEY_MAX :], match]

        key = f"{self._prefix}{uid}:{key_digest}"
        await change_fact(self._store, key, self._kind, noted)


class MatchBook:
    """Raises Unavailable from everywhere."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._claims = Claims(store, "arena-claim:", list[MatchId])

    async def find(self, id: MatchId) -> Match | None:
        found = await self._store.fact(_key(id))
        return None if found is None else msgspec.json.decode(found, type=Match)

    async def all(self) -> AsyncIterator[Match]:
        """Every match that was ever made."""
        async for fact in every_fact(self._store, _MATCH, page=PAGE):
            yield msgspec.json.decode(fact.value, type=Match)

    async def add(self, match: Match) -> None:
        """Keeps a new match. Raises BadRequest if its number has another one."""
        for uid in match.uids:
            # Before the match itself: who can find it must not find it too late.
            await self._claims.note(uid, match.key_digest, match.id)
        if not await self._store.put_fact(_key(match.id), msgspec.json.encode(match), None):
            raise BadRequest("There is a match of this number.")

    async def change(self, id: MatchId, change: Callable[[Match], Match]) -> Match:
        """The match as `change` makes it, written. Raises NoSuchMatch, and what `change` does."""

        def changed(match: Match | None) -> Match:
            if match is None:
                raise NoSuchMatch
            return change(match)

        return await change_fact(self._store, _key(id), Match, changed)

    async def claimed_by(self, uid: int, key: str, game: str | None = None) -> Match:
        """The match, the newest of this game that is not over, to which uid and key belong.

        Raises:
            NoSuchMatch: there is none.
            RoundOver: they are all over.
        """
        known = False
        for id in await self._claims.of(uid, digest_of(key)):
            match = await self.find(id) if game in (None, id[0]) else None
            if match is not None and not match.over:
                return match
            known = known or match is not None
        if known:
            raise RoundOver
        # With this cause it counts as a failed login: keys are not to be guessed.
        raise NoSuchMatch from LoginFailed()


def _key(id: MatchId) -> str:
    return f"{_MATCH}{id[0]}:{id[1]}"
