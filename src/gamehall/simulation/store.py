"""One node's way to the vault: every call takes a trip there and back, and may fail on either, so
that its caller learns nothing of what was done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TypeVar, cast

from gamehall.errors import HallError, Unavailable
from gamehall.simulation.vault import Vault
from gamehall.simulation.world import Machine
from gamehall.store.appends import Answer, Append, NotWritten, Unknown
from gamehall.store.database import Transaction
from gamehall.store.nodes import Claim, Head, Owned, Renewed
from gamehall.store.sqlite.database import SqliteDatabase
from gamehall.store.sqlite.reader import Reader
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.sqlite.writer import Writer
from gamehall.store.store import Store
from gamehall.store.writing import AppendWork

T = TypeVar("T")

Fate = Literal["well", "lost", "unheard"]
"""Of a call: it may not arrive, or its answer may not."""
DELAY_SECONDS = (0.0003, 0.008)
"""Of a trip, one way."""


class Way:
    """From a node to the vault."""

    def __init__(self, vault: Vault, machine: Machine) -> None:
        self.vault = vault
        self.machine = machine
        self.away = False
        self.trouble = 0.0
        """How often a trip fails, from 0 to 1."""

    def fate(self) -> Fate:
        rng = self.vault.world.rng
        if self.away:
            return "lost" if rng.random() < 0.8 else "unheard"
        if self.trouble and rng.random() < self.trouble:
            return rng.choice(("lost", "unheard"))
        return "well"

    def delay(self) -> float:
        return self.vault.world.rng.uniform(*DELAY_SECONDS)

    async def go(self, work: Callable[[], Awaitable[T]]) -> T:
        """What the work returns or raises there. Raises Unavailable."""
        fate = self.fate()
        await asyncio.sleep(self.delay())
        if fate == "lost":
            raise Unavailable
        error: HallError | None = None
        try:
            result = await work()
        except HallError as refusal:
            error = refusal
        await asyncio.sleep(self.delay())
        if fate == "unheard":
            raise Unavailable
        if error is not None:
            raise error
        return result


class SimulatedDatabase(SqliteDatabase):
    def __init__(self, way: Way) -> None:
        super().__init__(cast(Reader, way.vault), cast(Writer, way.vault))
        self._way = way

    async def few(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        few = super().few
        return await self._way.go(lambda: few(kind, sql, *values))

    async def page(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        page = super().page
        return await self._way.go(lambda: page(kind, sql, *values))

    async def change(
        self, work: Callable[[Transaction], Awaitable[T]], *, apart: bool = False
    ) -> T:
        change = super().change
        return await self._way.go(lambda: change(work))


class SimulatedStore(SqliteStore):
    def __init__(self, vault: Vault, machine: Machine) -> None:
        self.way = Way(vault, machine)
        self._doubts: dict[int, int] = {}
        Store.__init__(self, SimulatedDatabase(self.way))

    async def start(self) -> None:
        """Nothing."""

    async def stop(self) -> None:
        """Nothing."""

    async def ping(self) -> None:
        await self._ask(lambda vault: None)

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        way, world = self.way, self.way.vault.world
        fate = way.fate()
        work = AppendWork(append, done, self._doubts)

        def arrive() -> None:
            answer: Answer
            if fate == "lost":
                answer = NotWritten() if world.rng.random() < 0.5 else Unknown()
            else:
                answer = way.vault.append(append)
                if fate == "unheard":
                    answer = Unknown()
            world.after(way.delay(), lambda: way.machine.soon(lambda: work.answer(answer)))

        world.after(way.delay(), arrive)

    async def _ask(self, question: Callable[[Vault], T]) -> T:
        async def there() -> T:
            return question(self.way.vault)

        return await self.way.go(there)

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        return await self._ask(lambda vault: vault.renew(node, lease_ms))

    async def retire(self, node: str) -> None:
        await self._ask(lambda vault: vault.retire(node))

    async def claim(self, table: int, node: str = "") -> Claim | Owned | None:  # type: ignore[override]
        return await self._ask(lambda vault: vault.claim(table, node))

    async def release(self, table: int, epoch: int) -> None:
        await self._ask(lambda vault: vault.release(table, epoch))

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        return await self._ask(lambda vault: vault.hand_over(table, epoch, node))

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        return await self._ask(lambda vault: vault.heads(tables))

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        return await self._ask(lambda vault: vault.due(limit, after, node))

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        return await self._ask(lambda vault: vault.orphans(share, shares, limit))

    async def open_tables(self) -> dict[str, int]:
        return await self._ask(lambda vault: vault.open_tables())

    async def quietest(self, node: str, limit: int) -> list[int]:
        return await self._ask(lambda vault: vault.quietest(node, limit))
