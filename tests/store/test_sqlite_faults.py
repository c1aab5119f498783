"""When the disk fails or the process is killed: nothing is lost, and nothing half-written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import gamehall.errors as errors
from gamehall.store.appends import Durable, NewRow, NotWritten, Overtaken, Unknown
from gamehall.store.sqlite import writer as sqlite_writer
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.store import CannotOpen
from tests.contract.store_builders import (
    LIMIT_SECONDS,
    answer,
    answers,
    append,
    guest,
    opened,
    pay,
    paying,
    summary,
)
from tests.store.stores import peek, replace_commit, run_program, started

HALF_WRITTEN = """SELECT id, head, count(seq), max(seq) FROM tables
    LEFT JOIN journal ON table_id = id GROUP BY id HAVING head <> count(seq) OR head <> max(seq)"""
WRONG_BALANCE = """SELECT player, chips FROM balances WHERE chips <>
    (SELECT coalesce(sum(t.chips), 0) FROM transfers t WHERE target = 'player:' || player) -
    (SELECT coalesce(sum(t.chips), 0) FROM transfers t WHERE source = 'player:' || player)"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.db"


def writer_connection(store: SqliteStore) -> sqlite3.Connection:
    connection = store._writer._connection
    assert connection is not None
    return connection


# A commit that fails


def not_reached(connection: sqlite3.Connection) -> None:
    raise sqlite3.OperationalError("disk I/O error")


def reached(connection: sqlite3.Connection) -> None:
    connection.commit()
    raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("failing", [not_reached, reached])
async def test_after_a_failed_commit_the_same_append_is_written_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: Callable[[sqlite3.Connection], None]
) -> None:
    async with started(path) as store:
        ada = await guest(store, 100)
        tables = [await opened(store) for _ in range(3)]
        appends = [append(table, 1, paying(pay(ada, "house", 10))) for table in tables]
        # One that is refused shares the fate of the others, on which its refusal may rest.
        stale = append(tables[0], 7)
        with monkeypatch.context() as patch:
            replace_commit(patch, failing)
            assert await answers(store, *appends, stale) == [Unknown()] * 4
        assert await answers(store, *appends, stale) == [Durable()] * 3 + [Overtaken()]
        assert await store.balance(ada) == 70
        assert [len(await store.read(table, 0, 10)) for table in tables] == [2, 2, 2]
    assert peek(path, HALF_WRITTEN) == peek(path, WRONG_BALANCE) == []


@pytest.mark.parametrize("failing", [not_reached, reached])
async def test_who_awaits_a_failed_commit_is_told_to_ask_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: Callable[[sqlite3.Connection], None]
) -> None:
    async with started(path) as store:
        last = await store.new_table()
        with monkeypatch.context() as patch:
            replace_commit(patch, failing)
            for change in (
                store.new_table(),
                store.ping(),
                store.claim(1),
                store.add_token(1, b"", 0),
            ):
                with pytest.raises(errors.Unavailable):
                    await change
        assert await store.new_table() > last


async def test_an_append_in_doubt_is_not_called_unwritten(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NotWritten would say that it was not written, and nobody knows while the file is away."""

    def cannot_open(path: Path, *, create: bool) -> sqlite3.Connection:
        raise CannotOpen("the disk is away")

    async with started(path) as store:
        tables = [await opened(store), await opened(store)]
        doubtful, other = (append(table, 1) for table in tables)
        with monkeypatch.context() as patch:
            replace_commit(patch, reached)
            assert await answer(store, doubtful) == Unknown()
        with monkeypatch.context() as patch:
            patch.setattr(sqlite_writer, "open_writer", cannot_open)
            assert await answers(store, doubtful, other) == [Unknown(), NotWritten()]
            assert await answers(store, doubtful, other) == [Unknown(), NotWritten()]
            with pytest.raises(errors.Unavailable):
                await store.ping()
            assert await store.table(tables[0]) is not None
        assert await answers(store, doubtful, other) == [Durable(), Durable()]
        assert not store._doubts


async def test_an_append_in_doubt_stays_so_when_the_queue_is_full(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(path) as store:
        table = await opened(store)
        doubtful = append(table, 1)
        with monkeypatch.context() as patch:
            replace_commit(patch, not_reached)
            assert await answer(store, doubtful) == Unknown()
        with monkeypatch.context() as patch:
            patch.setattr(store._writer._queue, "_bytes_max", 0)
            assert await answer(store, doubtful) == Unknown()
        assert await answer(store, doubtful) == Durable()


async def test_what_is_forgotten_while_commits_fail_is_forgotten_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(path) as store:
        await opened(store, at_ms=1, summary=summary("closed"))
        with monkeypatch.context() as patch:
            replace_commit(patch, not_reached)
            with pytest.raises(errors.Unavailable):
                await store.forget(2, 10)
        assert await store.forget(2, 10) == 1
        assert await store.forget(2, 10) == 0


# A full disk


async def test_a_full_file_refuses_the_whole_group_and_recovers(path: Path) -> None:
    async with started(path) as store:
        ada = await guest(store, 100)
        tables = [await opened(store) for _ in range(3)]
        connection = writer_connection(store)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        stakes = [append(table, 1, paying(pay(ada, "house", 10))) for table in tables]
        too_large = append(tables[2], 1, NewRow(b"x" * 100_000))
        group = [*stakes[:2], too_large]
        assert await answers(store, *group) == [NotWritten()] * 3
        assert await answers(store, *group) == [NotWritten()] * 3
        assert await store.balance(ada) == 100
        assert peek(path, HALF_WRITTEN) == peek(path, WRONG_BALANCE) == []
        assert await answers(store, *stakes[:2]) == [Durable()] * 2
        connection.execute("PRAGMA max_page_count = 1000000")
        assert await answers(store, too_large, *stakes[:2]) == [Durable()] * 3
        assert await store.balance(ada) == 80
    assert peek(path, HALF_WRITTEN) == peek(path, WRONG_BALANCE) == []


async def test_files_that_cannot_grow(path: Path) -> None:
    program = await run_program("limited", str(path))
    async with asyncio.timeout(LIMIT_SECONDS):
        output, _ = await program.communicate()
    assert program.returncode == 0
    *log, last = output.splitlines()
    told = msgspec.json.decode(last)
    assert told == {
        # SQLite writes its log at COMMIT, so it is there that a full disk shows.
        "first": ["Unknown", "Unknown"],
        "again": ["Unknown", "Unknown"],
        "later": "NotWritten",
        "pings": False,
        "heads": [1, 1, 1],
        "lifted": ["Durable", "Durable", "Durable"],
        "pings after": True,
        "heads after": [2, 2, 2],
        "balance": 70,
    }
    assert [b"commit_failed" in log[0], b"store_recovered" in log[1], len(log)] == [True, True, 2]
    assert peek(path, HALF_WRITTEN) == peek(path, WRONG_BALANCE) == []


# Killed


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
async def test_what_was_acknowledged_survives_kills(path: Path, loop: str) -> None:
    heads: dict[int, int] = {}
    for _ in range(4):
        program = await run_program("appender", str(path), loop)
        assert program.stdout is not None
        async with asyncio.timeout(LIMIT_SECONDS):
            for _ in range(500):
                table, head = (await program.stdout.readline()).split()
                heads[int(table)] = int(head)
            program.kill()
            # What it said before it died counts too; a line that was cut off does not.
            for line in (await program.stdout.read()).splitlines(keepends=True):
                if line.endswith(b"\n"):
                    table, head = line.split()
                    heads[int(table)] = int(head)
            await program.wait()
        there = dict(peek(path, "SELECT table_id, count(*) FROM journal GROUP BY table_id"))
        assert all(there[table] >= head for table, head in heads.items())
        # One append for each table may have been on its way.
        assert all(there[table] <= head + 1 for table, head in heads.items())
        assert peek(path, HALF_WRITTEN) == peek(path, WRONG_BALANCE) == []
