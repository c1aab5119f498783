"""One PostgreSQL, and two nodes on it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from gamehall.store.postgres.store import PostgresStore
from tests.store.postgres_server import new_url
from tests.store.postgres_stores import started


@pytest.fixture
async def url() -> str:
    return await new_url()


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    async with started(url) as store:
        yield store


@pytest.fixture
async def other(url: str, store: PostgresStore) -> AsyncIterator[PostgresStore]:
    """Another node's."""
    async with started(url) as other:
        yield other
