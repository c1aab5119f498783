"""SQLite stores for tests, and ways to disturb them."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gamehall.store.sqlite import writer as sqlite_writer
from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import LIMIT_SECONDS

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def started(path: Path, **how: Any) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path, **how)
    await store.start()
    try:
        yield store
    finally:
        await store.stop()


def peek(path: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """What lies in the file, seen from outside."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def replace_commit(
    monkeypatch: pytest.MonkeyPatch, commit: Callable[[sqlite3.Connection], None]
) -> None:
    monkeypatch.setattr(sqlite_writer, "commit", commit)


async def run_program(module: str, *arguments: str) -> asyncio.subprocess.Process:
    """One of the programs beside this file, with its output in a pipe."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"tests.store.{module}", *arguments,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def until(condition: Callable[[], object]) -> None:
    """Returns when the condition holds; fails after a limit."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not condition():
            await asyncio.sleep(0.002)
