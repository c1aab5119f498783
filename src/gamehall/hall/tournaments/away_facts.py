"""What a hall remembers of tournaments at other halls: where each is held, and how it last stood.

Each is a fact of the store, written only over what was read before.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import msgspec

from gamehall.errors import Unavailable
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.store.facts import ATTEMPTS_MAX, change_fact, every_fact
from gamehall.store.store import Store

PAGE = 10
"""How many are read at once: one may have a million bytes."""

_PREFIX = "away-tournament:"


class Kept(msgspec.Struct, frozen=True):
    url: str
    tournament: int
    seen_at_ms: int
    shown: Shown | None
    """None: it is forgotten. Its number stays its own: programs may still ask for it."""


class AwayFacts:
    """Raises Unavailable from everywhere."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def every(self, after_id: int = 0) -> AsyncIterator[tuple[int, Kept]]:
        """All, by number, from the next after that."""
        async for fact in every_fact(self._store, _PREFIX, page=PAGE, after=_key(after_id)):
            yield int(fact.key.removeprefix(_PREFIX)), _decode(fact.value)

    async def get(self, id: int) -> Kept | None:
        found = await self._store.fact(_key(id))
        return None if found is None else _decode(found)

    async def add(self, first_id: int, kept: Kept) -> int:
        """The number under which it is kept: the first from there on that no other one has."""
        for id in range(first_id, first_id + ATTEMPTS_MAX):
            if await self._store.put_fact(_key(id), msgspec.json.encode(kept), None):
                return id
            there = await self.get(id)
            if there is not None and (there.url, there.tournament) == (kept.url, kept.tournament):
                return id  # From an attempt before, whose answer got lost.
        raise Unavailable

    async def change(self, id: int, change: Callable[[Kept], Kept | None]) -> None:
        """Writes it as `change` makes it; None: it stays as it is."""
        await change_fact(
            self._store, _key(id), Kept, lambda kept: None if kept is None else change(kept)
        )


_decode = msgspec.json.Decoder(Kept).decode


def _key(id: int) -> str:
    # Of one length, so that the order of keys is that of the numbers.
    return f"{_PREFIX}{id:010}"
