"""One node's way to the vault: every call takes a trip there and back, and may fail on either, so
that its caller learns nothing of what was done. What has set out arrives, even if its node is
killed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TypeVar, cast

from gamehall.errors import Unavailable
from gamehall.simulation.degree import Degree
from gamehall.simulation.vault import Vault
from gamehall.simulation.world import Machine, settle
from gamehall.store.appends import Answer, Append, NotWritten, Unknown
from gamehall.store.database import Transaction
from gamehall.store.nodes import Claim, Head, Owned, Renewed
from gamehall.store.sqlite.database import SqliteDatabase, done_at_once
from gamehall.store.sqlite.reader import Reader
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.sqlite.writer import Writer
from gamehall.store.store import Store
from gamehall.store.writing import AppendWork

T = TypeVar("T")

Fate = Literal["well", "lost", "unheard", "late"]
"""Of a call: it may not arrive, or its answer may not. An append may also arrive long after its
node was told that nobody knows; any other call is unheard then."""
DELAY_SECONDS = (0.0003, 0.008)
"""Of a trip, one way."""
LATE_SECONDS = (0.1, 5.0)
AWAY = 1.0
"""The trouble of a store that nobody reaches."""


class Way:
    """From a node to the vault."""

    def __init__(self, vault: Vault, machine: Machine) -> None:
        self.vault = vault
        self.machine = machine
        self.trouble = Degree()
        """How often a trip fails, up to `AWAY`."""
        self.slow_seconds = Degree()
        """How much longer a trip may take."""

    def fate(self) -> Fate:
        rng, trouble = self.vault.world.rng, self.trouble.worst
        if trouble == AWAY:
            return rng.choice(("lost", "lost", "lost", "unheard", "late"))
        if trouble and rng.random() < trouble:
            return rng.choice(("lost", "unheard", "late"))
        return "well"

    def delay(self) -> float:
        rng = self.vault.world.rng
        return rng.uniform(*DELAY_SECONDS) + rng.random() * self.slow_seconds.worst

    async def go(self, work: Callable[[], Awaitable[T]]) -> T:
        """What the work returns or raises there. Raises Unavailable."""
        fate, world = self.fate(), self.vault.world
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def arrive() -> None:
            result: T | None = None
            error: Exception | None = None
            try:
                result = done_at_once(work())
            except Exception as failure:  # noqa: BLE001 (whoever asked gets it)
                error = failure
            if fate != "well":
                error = Unavailable()
            world.after(self.delay(), lambda: self._hear(answer, result, error))

        def get_lost() -> None:
            self._hear(answer, None, Unavailable())

        world.after(self.delay(), get_lost if fate == "lost" else arrive)
        return await answer

    def _hear(self, answer: asyncio.Future[T], result: T | None, error: Exception | None) -> None:
        self.machine.soon(lambda: settle(answer, result, error))


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
            answer: Answer = Unknown()
            if append.beat_id in way.vault.late:
                pass  # It waits for its first attempt, in vain.
            elif fate == "lost":
                answer = NotWritten() if world.rng.random() < 0.5 else Unknown()
            elif fate == "late":
                way.vault.append_late(append, world.rng.uniform(*LATE_SECONDS))
            else:
                judged = way.vault.append(append)
                answer = judged if fate == "well" else Unknown()
            world.after(way.delay(), lambda: way.machine.soon(lambda: work.answer(answer)))

        world.after(way.delay(), arrive)

    async def _ask(self, question: Callable[[Vault], T]) -> T:
        async def there() -> T:
            return question(self.way.vault)

        return await self.way.go(there)

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        """In two steps, as in PostgreSQL: other nodes may come and go between them."""
        await self._ask(lambda vault: vault.renew(node, lease_ms))
        return await self._ask(lambda vault: vault.renewed(node))

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
