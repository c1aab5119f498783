"""The part of the port that keeps facts: the few things that the hall has to remember beside its
tables, each by its key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

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
