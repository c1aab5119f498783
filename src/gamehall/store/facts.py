"""The part of the port that keeps facts: the few things that the hall has to remember beside its
tables, each by its key."""

from __future__ import annotations

from typing import Protocol

import msgspec


class Fact(msgspec.Struct, frozen=True):
    key: str
    value: bytes


class Facts(Protocol):
    async def fact(self, key: str) -> bytes | None: ...
    async def facts(self, prefix: str, after: str, limit: int) -> list[Fact]:
        """Those whose keys begin so, in the order of the keys, from the next after `after`."""

    async def put_fact(self, key: str, value: bytes, before: bytes | None) -> bool:
        """Writes it, if it is still as it was `before` (None: not there); whether it is now as
        wanted."""
