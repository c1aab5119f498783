"""Whoever reads the file, however long, keeps nobody from starting, writing or recovering."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gamehall.store.appends import Durable, NewRow, Unknown
from gamehall.store.sqlite import log as sqlite_log
from gamehall.store.sqlite.file import AUTOCHECKPOINT_PAGES
from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import LIMIT_SECONDS, answer, append, opened
from tests.store.stores import ROOT, peek, replace_commit, run_program, started, until

NEW_TABLE = 100
OPERATE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
(LOG_MB,) = re.findall(r"log of more than (\d+) MB is emptied", OPERATE.replace("\n", " "))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.db"


@asynccontextmanager
async def reading(path: Path) -> AsyncIterator[None]:
    """Another process reads all the while, and sees the file as it was at the beginning."""
    reader = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.reader", str(path),
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert reader.stdout is not None
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            assert await reader.stdout.readline() == b"reading\n"
        yield
        assert reader.returncode is None, "it did not read to the end"
        async with asyncio.timeout(LIMIT_SECONDS):
            await reader.communicate(b"")
        assert reader.returncode == 0
    finally:
        if reader.returncode is None:
            reader.kill()
            await reader.wait()


async def leave_a_log(path: Path) -> dict[int, int]:
    """The heads that a program was told of, which was killed while it wrote."""
    heads: dict[int, int] = {}
    program = await run_program("appender", str(path), "asyncio")
    assert program.stdout is not None
    async with asyncio.timeout(LIMIT_SECONDS):
        for _ in range(200):
            table, head = (await program.stdout.readline()).split()
            heads[int(table)] = int(head)
        program.kill()
        await program.communicate()
    return heads


async def heads_of(store: SqliteStore, tables: dict[int, int]) -> dict[int, int]:
    infos = [await store.table(table) for table in tables]
    return {info.id: info.head for info in infos if info is not None}


async def test_a_store_starts_beside_a_reader(path: Path) -> None:
    told = await leave_a_log(path)
    async with reading(path):
        for head in range(2):
            async with started(path) as store:
                heads = await heads_of(store, told)
                assert all(heads[table] >= head for table, head in told.items())
                assert await answer(store, append(NEW_TABLE, head)) == Durable()
    assert peek(path, "SELECT count(*) FROM journal WHERE table_id = ?", NEW_TABLE) == [(2,)]


async def test_a_store_starts_beside_one_who_read_before_it_was_killed(path: Path) -> None:
    async with started(path) as store:
        assert await answer(store, append(NEW_TABLE)) == Durable()
    async with reading(path):
        told = await leave_a_log(path)
        async with started(path) as store:
            heads = await heads_of(store, told)
            assert all(heads[table] >= head for table, head in told.items())
            assert await answer(store, append(NEW_TABLE, 1)) == Durable()


def not_reached(connection: sqlite3.Connection) -> None:
    raise sqlite3.OperationalError("disk I/O error")


def reached(connection: sqlite3.Connection) -> None:
    connection.commit()
    raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("failing", [not_reached, reached])
async def test_a_failed_commit_is_recovered_from_beside_a_reader(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: Callable[[sqlite3.Connection], None]
) -> None:
    async with started(path) as store:
        table = await opened(store)
        doubtful = append(table, 1)
        async with reading(path):
            with monkeypatch.context() as patch:
                replace_commit(patch, failing)
                assert await answer(store, doubtful) == Unknown()
            assert await answer(store, doubtful) == Durable()
            assert await answer(store, append(table, 2)) == Durable()
        assert len(await store.read(table, 0, 10)) == 3


@pytest.mark.parametrize("linked", [False, True])
async def test_a_long_log_is_emptied_when_its_reader_has_left(
    path: Path, monkeypatch: pytest.MonkeyPatch, linked: bool
) -> None:
    monkeypatch.setattr(sqlite_log, "LOG_BYTES_MAX", 100_000)
    monkeypatch.setattr(sqlite_log, "LOOK_SECONDS", 0.001)
    log = path.with_name("hall.db-wal")
    if linked:
        (path.parent / "elsewhere").mkdir()
        link = path.parent / "elsewhere" / "link.db"
        link.symlink_to(path)
        path = link
    with capture_logs() as logged:
        async with started(path) as store:
            table = await opened(store)
            async with reading(path):
                done: list[str] = []
                assert store._writer._connection is not None
                store._writer._connection.set_trace_callback(done.append)
                for head in range(1, 11):
                    assert (
                        await answer(store, append(table, head, NewRow(b"x" * 50_000))) == Durable()
                    )
                await until(lambda: store._writer._log.is_long)
                assert await answer(store, append(table, 11)) == Durable()
                assert log.stat().st_size > 500_000
                assert "PRAGMA wal_autocheckpoint = 0" in done
                assert not [said for said in done if "wal_checkpoint" in said], "writes wait for it"
            # Nobody writes any more.
            await until(lambda: log.stat().st_size == 0)
            assert await answer(store, append(table, 12)) == Durable()
            assert len(await store.read(table, 0, 20)) == 13
            await until(lambda: not store._writer._log.is_long)
            assert await answer(store, append(table, 13)) == Durable()
            assert any(said.startswith("COMMIT") for said in done[-5:]), done[-5:]
            assert f"PRAGMA wal_autocheckpoint = {AUTOCHECKPOINT_PAGES}" in done
    assert logged == []


async def test_a_log_that_grows_all_the_while_stays_short(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by one reader after the other: commits copy nothing by themselves here."""
    monkeypatch.setattr(sqlite_log, "LOG_BYTES_MAX", 1_000_000)
    monkeypatch.setattr(sqlite_log, "LOOK_SECONDS", 0.001)
    monkeypatch.setattr(sqlite_log, "AUTOCHECKPOINT_PAGES", 0)
    log = path.with_name("hall.db-wal")
    async with started(path) as store:
        assert store._writer._connection is not None
        store._writer._connection.execute("PRAGMA wal_autocheckpoint = 0")
        table = await opened(store)
        for head in range(1, 201):
            assert await answer(store, append(table, head, NewRow(b"x" * 100_000))) == Durable()
            if head % 20 == 0:
                # It was 2 MB and more.
                await until(lambda: log.stat().st_size < 1_000_000)
        assert len(await store.read(table, 0, 300)) == 201


async def test_the_log_keeps_to_the_figure_that_operators_are_told(path: Path) -> None:
    """With nothing set otherwise."""
    log = path.with_name("hall.db-wal")
    bound = int(LOG_MB) * 1_000_000
    row = NewRow(b"x" * 1_000_000)
    async with started(path) as store:
        table = await opened(store)
        head, written = 1, 0
        while written <= bound:
            assert await answer(store, append(table, head, row)) == Durable()
            head, written = head + 1, written + len(row.line)
            assert log.stat().st_size < bound
        async with reading(path):
            while log.stat().st_size <= bound:
                assert await answer(store, append(table, head, row)) == Durable()
                head += 1
        await until(lambda: log.stat().st_size == 0)
