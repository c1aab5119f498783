"""The suite of stores on SQLite, and how it groups, waits and bounds what it writes."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import gamehall.errors as errors
from gamehall.store.appends import Answer, Durable, NewRow, NotWritten, Overtaken, Request
from gamehall.store.sqlite import writer as sqlite_writer
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.store import CannotOpen, Store
from tests.contract.store_builders import (
    NOW_MS,
    answer,
    answers,
    append,
    finished,
    opened,
    opening,
    summary,
)
from tests.contract.store_contract import StoreContract
from tests.store.stores import peek, replace_commit, started, until


class TestContract(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        async with started(tmp_path / "hall.db") as store:
            yield store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.db"


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows of journals were written in each commit."""
    rows = [0]
    grown: list[int] = []

    def commit(connection: sqlite3.Connection) -> None:
        count = connection.execute("SELECT count(*) FROM journal").fetchone()[0]
        connection.commit()
        if count > rows[0]:
            grown.append(count - rows[0])
        rows[0] = count

    replace_commit(monkeypatch, commit)
    return grown


# Groups


async def test_a_group_has_at_most_256_rows(path: Path, groups: list[int]) -> None:
    async with started(path) as store:
        tables = [append(id, 0, NewRow(b"1"), NewRow(b"2"), NewRow(b"3")) for id in range(1, 201)]
        assert await answers(store, *tables) == [Durable()] * 200
    assert groups == [255, 255, 90]


async def test_a_group_has_at_most_a_megabyte(path: Path, groups: list[int]) -> None:
    async with started(path) as store:
        tables = [append(id, 0, NewRow(b"x" * 300_000)) for id in range(1, 6)]
        tables.insert(3, append(9, 0, NewRow(b"x" * 1_500_000)))
        assert await answers(store, *tables) == [Durable()] * 6
    assert groups == [3, 1, 2]


async def test_what_gathers_during_a_commit_is_the_next_group(
    path: Path, groups: list[int]
) -> None:
    async with started(path) as store:
        told: list[Answer] = []

        def first_told(answer: Answer) -> None:
            told.append(answer)
            for table in range(2, 12):
                store.append(append(table), told.append)

        store.append(append(1), first_told)
        await until(lambda: len(told) == 11)
    assert groups == [1, 10]


async def test_the_interpreter_switches_threads_often_enough(path: Path) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    try:
        async with started(path):
            assert sys.getswitchinterval() == pytest.approx(0.0005)
    finally:
        sys.setswitchinterval(before)


async def test_rows_of_many_tables_are_written_together(path: Path, groups: list[int]) -> None:
    async with started(path) as store:
        await answers(store, *map(append, range(1, 5)))
        rows = [NewRow(b"a", Request(7, "id", b"digest")), NewRow(b"b")]
        group = [append(id, 1, *rows) for id in range(1, 5)]
        assert await answers(store, *group) == [Durable()] * 4
        for id in range(1, 5):
            lines = await store.read(id, 0, 10)
            assert [(line.seq, line.line) for line in lines[1:]] == [(2, b"a"), (3, b"b")]
    assert groups == [4, 8]


async def test_of_rows_written_together_each_gets_its_own_answer(
    path: Path, groups: list[int]
) -> None:
    async with started(path) as store:
        await answers(store, *map(append, range(1, 6)))
        again = append(2, 1, NewRow(b"again"))
        assert await answer(store, again) == Durable()
        overtaken = append(3, 5, NewRow(b"late"))
        broken = append(4, 1, NewRow(b"{}", Request(1, "\ud800", b"")))
        group = [append(1, 1), again, overtaken, broken, append(5, 1)]
        assert await answers(store, *group) == [
            Durable(),
            Durable(),
            Overtaken(),
            NotWritten(),
            Durable(),
        ]
        heads = [len(await store.read(id, 0, 10)) for id in range(1, 6)]
        assert heads == [2, 2, 1, 1, 2]
    assert groups == [5, 1, 2]


# Bounds


async def test_what_waits_is_bounded(path: Path) -> None:
    async with started(path, queue_bytes=10_000) as store:
        tables = [append(id, 0, NewRow(b"x" * 4000)) for id in range(1, 5)]
        assert await answers(store, *tables) == [Durable()] * 2 + [NotWritten()] * 2
        assert await answers(store, *tables[2:]) == [Durable()] * 2
        waiting = [asyncio.ensure_future(store.new_table()) for _ in range(11)]
        got = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(one) for one in got] == [int] * 10 + [errors.Unavailable]


async def test_pages_that_wait_are_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamehall.store.sqlite.reader.WAITING_MAX", 3)
    async with started(path) as store:
        pages = [store.due(10) for _ in range(4)]
        got = await asyncio.gather(*pages, return_exceptions=True)
        assert [type(one) for one in got] == [list, list, list, errors.Unavailable]
        assert await store.due(10) == []


# Callers


async def test_a_caller_that_raises_does_not_keep_others_from_their_answers(path: Path) -> None:
    def fail(_: Answer) -> None:
        raise KeyError("caller")

    async with started(path) as store:
        told: list[Answer] = []
        with capture_logs() as logged:
            store.append(append(1), fail)
            store.append(append(2), told.append)
            await until(lambda: told)
        assert await answer(store, append(3)) == Durable()
    assert [entry["event"] for entry in logged] == ["answer_failed"]


async def test_what_cannot_be_written_concerns_its_own_table_only(path: Path) -> None:
    async with started(path) as store:
        broken = append(2, 0, NewRow(b"{}", Request(1, "\ud800", b"")))
        group = [append(1), broken, append(3)]
        assert await answers(store, *group) == [Durable(), NotWritten(), Durable()]
        assert await store.table(2) is None
        assert await answer(store, append(2)) == Durable()


async def test_before_the_start_and_after_the_end(path: Path) -> None:
    store = SqliteStore(path)
    assert await answer(store, append(1)) == NotWritten()
    await store.stop()
    async with started(path) as store:
        await opened(store)
    assert await answer(store, append(2)) == NotWritten()
    for late in (store.new_table(), store.player(1), store.due(1), store.ping()):
        with pytest.raises(errors.Unavailable):
            await late
    await store.stop()


async def test_a_caller_that_has_gone_is_not_missed(path: Path) -> None:
    async with started(path) as store:
        gone = asyncio.ensure_future(store.new_table())
        await asyncio.sleep(0)
        gone.cancel()
        assert await answer(store, append(1)) == Durable()


# Others at the same file


async def test_a_second_store_at_one_file_is_refused(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    async with started(path) as store:
        for name in (path, link):
            with pytest.raises(CannotOpen, match="in use by another hall"):
                async with started(name):
                    pass
        assert await answer(store, append(1)) == Durable()
    async with started(link):
        pass


async def test_a_file_with_two_names_is_refused(path: Path) -> None:
    async with started(path):
        pass
    other = path.with_name("other.db")
    other.hardlink_to(path)
    for name in (path, other):
        with pytest.raises(CannotOpen, match="hard links"):
            async with started(name):
                pass
    other.unlink()
    async with started(path):
        pass


async def test_a_group_waits_while_another_process_writes(path: Path) -> None:
    async with started(path) as store:
        table = await opened(store)
        lock = sqlite3.connect(path, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        told: list[Answer] = []
        store.append(append(table, 1), told.append)
        for _ in range(10):
            # Reads and the loop go on meanwhile.
            assert await store.table(table) is not None
            await asyncio.sleep(0.002)
        assert not told
        lock.close()
        await until(lambda: told)
        assert told == [Durable()]


async def test_a_group_does_not_wait_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_writer, "LOCKED_SECONDS_MAX", 0.05)
    async with started(path) as store:
        table = await opened(store)
        lock = sqlite3.connect(path, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        assert await answer(store, append(table, 1)) == NotWritten()
        lock.close()
        assert await answer(store, append(table, 1)) == Durable()


async def test_readers_cannot_write(path: Path) -> None:
    async with started(path) as store:
        with pytest.raises(errors.Unavailable):
            store._reader.few(lambda connection: connection.execute("DELETE FROM tables"))
        with pytest.raises(errors.Unavailable):
            await store._reader.page(lambda connection: connection.execute("DELETE FROM tables"))
        assert await store.due(1) == []
        assert await store.table(1) is None


# Over the end of the process


async def test_all_of_it_is_there_after_a_restart(path: Path) -> None:
    async with started(path) as store:
        table = await opened(store, opening=opening("origin"))
        last = await store.new_table()
    async with started(path) as store:
        assert await store.table_by_origin("origin") == table
        assert len(await store.read(table, 0, 10)) == 1
        assert await store.new_table() == last + 1


async def test_the_id_of_a_forgotten_table_is_not_given_again(path: Path) -> None:
    async with started(path) as store:
        last = await opened(store, at_ms=0, summary=summary("closed"))
        assert await store.forget(NOW_MS, 10) == 1
    async with started(path) as store:
        assert await store.new_table() == last + 1


async def test_a_long_journal_is_forgotten_in_parts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamehall.store.journals.FORGET_ROWS", 10)
    async with started(path) as store:
        steps = [NewRow(b"{}")] * 25
        past = await store.new_table()
        won = finished({1: "win"})
        end = append(past, 0, *steps, at_ms=0, summary=summary("closed", 1), finished=(won,))
        assert await answer(store, end) == Durable()
        other, forgotten = await asyncio.gather(opened(store), store.forget(NOW_MS, 10))
        assert forgotten == 1
        assert [row[0] for row in peek(path, "SELECT DISTINCT table_id FROM journal")] == [other]
        for name in ("rounds", "played", "seated"):
            assert peek(path, f"SELECT * FROM {name}") == []
