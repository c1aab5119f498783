"""The part of the port that keeps facts: the few things that the hall has to remember beside its
tables, each by its key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Generic, TypeVar

import msgspec

from gamehall.errors import Unavailable
from gamehall.store.database import Part, Transaction

T = TypeVar("T")
C = TypeVar("C")

ATTEMPTS_MAX = 10
"""How often a fact is changed anew because someone else was faster."""


class Fact(msgspec.Struct, frozen=True):
    key: str
    value: bytes


class Facts(Part):
    async def fact(self, key: str) -> bytes | None:
        at = self._database.key(key)
        return await self._one(bytes, "SELECT value FROM facts WHERE key = $1", at)

    async def facts(self, prefix: str, after: str, limit: int) -> list[Fact]:
        """Those whose keys begin so, in the order of the keys, from the next after `after`."""
        # Text that begins with the prefix lies between it and it with the last of all characters.
        bounds = map(self._database.key, (prefix, prefix + "\U0010ffff", after))
        found = await self._database.page(
            tuple[Any, bytes],
            """SELECT key, value FROM facts WHERE key >= $1 AND key < $2 AND key > $3
            ORDER BY key LIMIT $4""",
            *bounds,
            limit,
        )
        return [Fact(self._database.text(key), value) for key, value in found]

    async def put_fact(self, key: str, value: bytes, before: bytes | None) -> bool:
        """Writes it, if it is still as it was `before` (None: not there); whether it is now as
        wanted."""
        at = self._database.key(key)

        async def put(change: Transaction) -> bool:
            if before is None:
                insert = "INSERT INTO facts VALUES ($1, $2) ON CONFLICT DO NOTHING"
                written = await change.execute(insert, at, value)
            else:
                update = "UPDATE facts SET value = $2 WHERE key = $1 AND value = $3"
                written = await change.execute(update, at, value, before)
            # Sent again, perhaps: then it is as the caller wants it.
            there = "SELECT value FROM facts WHERE key = $1"
            return bool(written or await change.value(there, at) == value)

        return await self._database.change(put)


async def change_fact(facts: Facts, key: str, kind: type[T], change: Callable[[T | None], C]) -> C:
    """Writes the fact, in JSON, as `change` makes it of what is there, and returns it so. None
    leaves it as it is.

    Raises errors.Unavailable, and what `change` does.
    """
    for _ in range(ATTEMPTS_MAX):
        before = await facts.fact(key)
        changed = change(None if before is None else msgspec.json.decode(before, type=kind))
        if changed is None or await facts.put_fact(key, msgspec.json.encode(changed), before):
            return changed
    raise Unavailable


async def every_fact(
    facts: Facts, prefix: str, *, page: int, after: str = ""
) -> AsyncIterator[Fact]:
    """All whose keys begin so, from the next after `after`, read a `page` at a time."""
    while True:
        found = await facts.facts(prefix, after, page)
        for fact in found:
            yield fact
        if len(found) < page:
            return
        after = found[-1].key


class NumberedFacts(Generic[T]):
    """Facts of one kind, each under a number. Raises errors.Unavailable from everywhere."""

    def __init__(self, facts: Facts, prefix: str, kind: type[T]) -> None:
        self._facts = facts
        self._prefix = prefix
        self._kind = kind
        self._decode = msgspec.json.Decoder(kind).decode

    async def get(self, number: int) -> T | None:
        found = await self._facts.fact(self._key(number))
        return None if found is None else self._decode(found)

    async def page(self, after: int, limit: int) -> list[tuple[int, T]]:
        """By number, from the next after `after`."""
        found = await self._facts.facts(self._prefix, self._key(after), limit)
        return [
            (int(fact.key.removeprefix(self._prefix)), self._decode(fact.value)) for fact in found
        ]

    async def add(self, first: int, make: Callable[[int], T], is_same: Callable[[T], bool]) -> int:
        """The first number, from there on, that no other one has: it keeps what `make` makes of it.
        `is_same`: it is there already, from an attempt whose answer got lost."""
        for number in range(first, first + ATTEMPTS_MAX):
            value = msgspec.json.encode(make(number))
            if await self._facts.put_fact(self._key(number), value, None):
                return number
            there = await self.get(number)
            if there is not None and is_same(there):
                return number
        raise Unavailable

    async def change(self, number: int, change: Callable[[T], T | None]) -> T | None:
        """The fact as `change` makes it, written; None: it leaves it as it is."""
        return await change_fact(
            self._facts,
            self._key(number),
            self._kind,
            lambda there: None if there is None else change(there),
        )

    def _key(self, number: int) -> str:
        # Of one length, so that the order of keys is that of the numbers.
        return f"{self._prefix}{number:010}"
