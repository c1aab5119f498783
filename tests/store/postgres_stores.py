"""Stores on PostgreSQL for tests, and whether what they left fits together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import LIMIT_SECONDS
from tests.store.postgres_server import peek

HALF_WRITTEN = """SELECT id, head, count(seq), max(seq) FROM tables
    LEFT JOIN journal ON table_id = id GROUP BY id HAVING head <> count(seq) OR head <> max(seq)"""
WRONG_BALANCE = """SELECT player, chips FROM balances WHERE chips <>
    (SELECT coalesce(sum(t.chips), 0) FROM transfers t WHERE target = 'player:' || player) -
    (SELECT coalesce(sum(t.chips), 0) FROM transfers t WHERE source = 'player:' || player)"""
WITHOUT_ROW = """SELECT * FROM transfers WHERE table_id <> 0 AND NOT EXISTS
    (SELECT 1 FROM journal WHERE journal.table_id = transfers.table_id
        AND journal.seq = transfers.seq)"""
WAITING = """SELECT 1 FROM pg_stat_activity WHERE application_name = 'gamehall'
    AND wait_event_type = 'Lock'"""
"""A row for each connection of a store that waits for a lock."""


@asynccontextmanager
async def started(url: str, **how: Any) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url, **how)
    await store.start()
    try:
        yield store
    finally:
        await store.stop()


async def when(condition: Callable[[], Awaitable[object]]) -> None:
    """Returns when the condition holds; fails after a limit."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not await condition():
            await asyncio.sleep(0.005)


async def check_books(url: str) -> None:
    """Journals have all their rows, and chips moved with rows only."""
    for query in (HALF_WRITTEN, WRONG_BALANCE, WITHOUT_ROW):
        assert await peek(url, query) == []
