"""Who writes which table of the SQLite file: one node, which has no lease."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence

import msgspec

from gamehall.store.nodes import Claim, Head, Renewed
from gamehall.store.sqlite.queries import json_list, page

_decode_pairs = msgspec.json.Decoder(list[tuple[int, int]]).decode
_decode_heads = msgspec.json.Decoder(list[tuple[int, int, int]]).decode


def claim(cursor: sqlite3.Cursor, table: int, node: str = "") -> Claim | None:
    found = cursor.execute(
        "SELECT epoch + 1, head, round_seq, hash, game FROM tables WHERE id = ? AND head > 0",
        (table,),
    ).fetchone()
    if found is None:
        return None
    claim = Claim(*found)
    cursor.execute("UPDATE tables SET epoch = ? WHERE id = ?", (claim.epoch, table))
    return claim


def heads(connection: sqlite3.Connection, tables: Sequence[int]) -> list[Head]:
    rows = page(
        connection,
        _decode_heads,
        """SELECT json_group_array(json_array(id, head, epoch)) FROM (
            SELECT id, head, epoch FROM tables
            WHERE id IN (SELECT value FROM json_each(?)) AND head > 0 ORDER BY id)""",
        json_list(tables),
    )
    return [Head(*row, "") for row in rows]


def due(
    connection: sqlite3.Connection, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
) -> list[tuple[int, int]]:
    return page(
        connection,
        _decode_pairs,
        """SELECT json_group_array(json_array(due_ms, id)) FROM (
            SELECT due_ms, id FROM tables INDEXED BY tables_open
            WHERE status <> 'closed' AND (due_ms, id) > (?, ?)
            ORDER BY due_ms, id LIMIT ?)""",
        *after,
        limit,
    )


class NoLeases:
    """What a store of one node says of leases and owners: it keeps none."""

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
