"""Leases that end, and tables with owners."""

from __future__ import annotations

from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import opened, opening
from tests.store.postgres_server import peek


async def run_out(url: str, node: str) -> None:
    """The node's lease ended just now."""
    await peek(url, "UPDATE nodes SET expires_at = clock_timestamp() WHERE name = $1", node)


async def owned_by(store: PostgresStore, node: str, **fields: object) -> int:
    return await opened(store, opening=opening(owner=node), **fields)


async def owner(store: PostgresStore, table: int) -> str | None:
    return (await store.heads([table]))[0].owner
