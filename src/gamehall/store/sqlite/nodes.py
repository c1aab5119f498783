"""Who writes which table of the SQLite file: one node, which has no lease."""

from __future__ import annotations

import time
from collections.abc import Sequence

from gamehall.store.database import Part, Transaction
from gamehall.store.nodes import Claim, Head, Renewed

_NEXT = "SELECT epoch + 1, head, round_seq, hash, game FROM tables WHERE id = $1 AND head > 0"


class NoLeases(Part):
    """What a store of one node says of leases and owners: it keeps none."""

    async def claim(self, table: int, node: str = "") -> Claim | None:
        async def claimed(change: Transaction) -> Claim | None:
            found = await change.row(_NEXT, table)
            if found is None:
                return None
            await change.execute("UPDATE tables SET epoch = epoch + 1 WHERE id = $1", table)
            return Claim(*found)

        return await self._database.change(claimed)

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        return await self._database.page(
            Head,
            """SELECT id, head, epoch, '' FROM tables
            WHERE id = ANY($1::bigint[]) AND head > 0 ORDER BY id""",
            [*tables],
        )

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        return await self._database.page(
            tuple[int, int],
            """SELECT due_ms, id FROM tables INDEXED BY tables_open
            WHERE status <> 'closed' AND (due_ms, id) > ($1, $2) ORDER BY due_ms, id LIMIT $3""",
            *after,
            limit,
        )

    async def release(self, table: int, epoch: int) -> None:
        """Nothing."""

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        return Renewed((node,), time.time_ns() // 1_000_000)

    async def retire(self, node: str) -> None:
        """Nothing."""

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        return []

    async def open_tables(self) -> dict[str, int]:
        return {}

    async def quietest(self, node: str, limit: int) -> list[int]:
        return []

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        return False
