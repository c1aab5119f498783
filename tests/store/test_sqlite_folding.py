"""The journal in the SQLite file is a log, and readers do not notice how far it is folded."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from threading import Event
from typing import TypeVar

import pytest
from structlog.testing import capture_logs

from gamehall.store.appends import Answer, Durable, NewRow, NotWritten, Request
from gamehall.store.sqlite import folding
from gamehall.store.sqlite.folding import fold
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.store import Store
from tests.contract.store_builders import (
    LIMIT_SECONDS,
    NOW_MS,
    answer,
    answers,
    append,
    opened,
    summary,
)
from tests.contract.store_contract import StoreContract
from tests.store.stores import peek, replace_commit, started, until

T = TypeVar("T")

PLACED = "SELECT value FROM counters WHERE name = 'placed'"
TWICE_OR_LOST = """SELECT row, count(seq) FROM lines LEFT JOIN journal USING (table_id, seq)
    GROUP BY row HAVING count(journal.line) <> 1"""
STEPS_MAX = 3000
"""Of SQLite's machine, for what looks at a few rows: far fewer than a journal has."""


class TestContractWhileEachRowIsFolded(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
        fold_every(monkeypatch, 1, at_most=3)
        async with started(tmp_path / "hall.db") as store:
            yield store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.db"


def fold_every(monkeypatch: pytest.MonkeyPatch, rows: int, *, at_most: int) -> None:
    monkeypatch.setattr(folding, "FOLD_ROWS", rows)
    monkeypatch.setattr(folding, "FOLD_ROWS_MAX", at_most)


async def folded(store: SqliteStore) -> None:
    assert not await store._writer.write(fold, apart=True)


def placed(path: Path) -> int:
    return int(peek(path, PLACED)[0][0])


def asked(id: str) -> NewRow:
    return NewRow(b"{}", Request(1, id, b"digest"))


# When, and how much


async def test_rows_are_folded_when_enough_have_gathered(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_every(monkeypatch, 10, at_most=100)
    async with started(path) as store:
        table = await opened(store)
        for after in range(1, 9):
            assert await answer(store, append(table, after)) == Durable()
        assert placed(path) == 0
        assert await answer(store, append(table, 9)) == Durable()
        await until(lambda: placed(path) == 10)
        for after in (10, 11):
            assert await answer(store, append(table, after)) == Durable()
        assert placed(path) == 10
        rows = [NewRow(b"{}")] * 11
        assert await answer(store, append(table, 12, *rows)) == Durable()
        await until(lambda: placed(path) == 23)
    assert peek(path, TWICE_OR_LOST) == []


async def test_a_fold_is_bounded_and_others_have_their_turn(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(path) as store:
        table = await opened(store)
        assert await answer(store, append(table, 1, *[NewRow(b"{}")] * 34)) == Durable()
    seen: list[tuple[int, int]] = []

    def commit(connection: sqlite3.Connection) -> None:
        rows = connection.execute("SELECT count(*) FROM lines").fetchone()[0]
        seen.append((connection.execute(PLACED).fetchone()[0], rows))
        connection.commit()

    replace_commit(monkeypatch, commit)
    fold_every(monkeypatch, 1000, at_most=10)
    async with started(path) as store:
        assert await answer(store, append(table, 35, epoch=1)) == Durable()
        await until(lambda: placed(path) == 36)
    # What was left is folded from the start on, and an append waits for one part of it.
    assert seen == [(10, 35), (10, 36), (20, 36), (30, 36), (36, 36)]


async def test_a_fold_that_fails_is_made_up_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_every(monkeypatch, 5, at_most=10)

    def commit(connection: sqlite3.Connection) -> None:
        if connection.execute(PLACED).fetchone() != (0,):
            raise sqlite3.OperationalError("disk I/O error")
        connection.commit()

    async with started(path) as store:
        tables = [await opened(store) for _ in range(4)]
        with monkeypatch.context() as patch:
            replace_commit(patch, commit)
            with capture_logs() as logs:
                assert await answer(store, append(tables[0], 1)) == Durable()
                await until(lambda: logs)
            assert (
                await answers(store, *(append(table, 1) for table in tables[1:])) == [Durable()] * 3
            )
        assert logs[0]["event"] == "commit_failed"
        assert placed(path) == 0
        assert await answer(store, append(tables[0], 2, *[NewRow(b"{}")] * 5)) == Durable()
        await until(lambda: placed(path) == 13)
    assert peek(path, TWICE_OR_LOST) == []


async def test_folds_do_not_gather_in_a_queue_that_is_full(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_every(monkeypatch, 1, at_most=10)
    disk_is_back = Event()

    def commit(connection: sqlite3.Connection) -> None:
        assert disk_is_back.wait(LIMIT_SECONDS)
        connection.commit()

    async with started(path, queue_bytes=10_000) as store:
        with monkeypatch.context() as patch:
            replace_commit(patch, commit)
            told: list[Answer] = []
            for table in range(1, 101):
                store.append(append(table), told.append)
            assert len(store._writer._queue) < 50
            disk_is_back.set()
            await until(lambda: len(told) == 100)
    assert told.count(Durable()) > 1
    assert told.count(NotWritten()) > 50


async def test_a_fold_waits_while_another_process_writes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_every(monkeypatch, 2, at_most=10)
    async with started(path) as store:
        table = await opened(store)
        commits: list[str] = []
        lock = sqlite3.connect(path, isolation_level=None, check_same_thread=False)

        def commit(connection: sqlite3.Connection) -> None:
            connection.commit()
            if not commits:
                lock.execute("BEGIN IMMEDIATE")
            commits.append("")

        replace_commit(monkeypatch, commit)
        with capture_logs() as logs:
            assert await answer(store, append(table, 1)) == Durable()
            assert len(await store.read(table, 0, 10)) == 2
            lock.close()
            await until(lambda: placed(path) == 2)
        assert logs == []


# What readers see


async def test_both_sides_are_read_as_one(path: Path) -> None:
    async with started(path) as store:
        tables = [await opened(store) for _ in range(3)]
        for after in range(1, 6):
            steps = [append(table, after, asked(f"{after % 2}")) for table in tables]
            assert await answers(store, *steps) == [Durable()] * 3
            if after == 3:
                await folded(store)
        assert placed(path) == 12
        for table in tables:
            assert [line.seq for line in await store.read(table, 0, 10)] == [1, 2, 3, 4, 5, 6]
            assert [line.seq for line in await store.read(table, 2, 3)] == [3, 4, 5]
            assert [line.seq for line in await store.read(table, 5, 3)] == [6]
            assert [line.seq for line in await store.read_at(table, [6, 2, 9])] == [2, 6]
            for first, last, seq in ((1, 6, 6), (1, 5, 4), (1, 3, 2), (5, 5, None)):
                found = await store.request_between(table, 1, "1", first, last)
                assert (None if found is None else found.seq) == seq
            async with store.audit() as audit:
                pages = [page async for page in audit.lines(table)]
            assert [seq for seq, _ in pages[0]] == [1, 2, 3, 4, 5, 6]
    in_order = [(table, seq) for seq in range(2, 7) for table in tables]
    assert peek(path, "SELECT table_id, seq FROM lines ORDER BY row")[3:] == in_order


@pytest.mark.parametrize("at_most", [100, 4, 1])
async def test_requests_of_earlier_rounds_are_found_on_both_sides(
    path: Path, monkeypatch: pytest.MonkeyPatch, at_most: int
) -> None:
    """Also where a fold ends within a round, or before the row that opens the next."""
    monkeypatch.setattr(folding, "FOLD_ROWS_MAX", at_most)
    async with started(path) as store:
        table = await opened(store)
        first = [asked(id) for id in "abcab"]
        assert await answer(store, append(table, 1, *first)) == Durable()
        second = append(table, 6, asked("d"), asked("x"), summary=summary("over", round_seq=8))
        assert await answer(store, second) == Durable()
        while True:
            assert sorted(await store.used_ids(table, 1, 10)) == ["a", "b", "c", "d"]
            lines = {id: await store.request(table, 1, id) for id in "abcdx"}
            assert {id: line and line.seq for id, line in lines.items()} == {
                "a": 5, "b": 6, "c": 4, "d": 7, "x": None,
            }  # fmt: skip
            found = peek(path, "SELECT seq FROM earlier_requests ORDER BY seq")
            assert found == [(2,), (3,), (4,), (5,), (6,), (7,)]
            if placed(path) == 8:
                break
            await store._writer.write(fold, apart=True)
        third = append(table, 8, summary=summary("over", round_seq=9))
        assert await answer(store, third) == Durable()
        assert "x" in await store.used_ids(table, 1, 10)
        await folded(store)
        assert "x" in await store.used_ids(table, 1, 10)
    assert peek(path, "SELECT count(*) FROM requests") == [(7,)]


async def test_a_long_journal_is_not_read_to_find_a_few_rows(path: Path) -> None:
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def count(query: Callable[[sqlite3.Connection], T]) -> Callable[[sqlite3.Connection], T]:
        def counted(connection: sqlite3.Connection) -> T:
            connection.set_progress_handler(step, 1)
            return query(connection)

        return counted

    async with started(path) as store:
        table = await opened(store)
        rows = [asked(f"{number}") for number in range(2000)]
        over = summary("over", round_seq=2001)
        assert await answer(store, append(table, 1, *rows, summary=over)) == Durable()
        await folded(store)
        reads = store._reader.page
        store._reader.page = lambda query: reads(count(query))  # type: ignore[method-assign]
        for read in (
            lambda: store.read(table, 1990, 2),
            lambda: store.read_at(table, [7, 1000]),
            lambda: store.request(table, 1, "700"),
            lambda: store.request_between(table, 1, "700", 690, 710),
            lambda: store.used_ids(table, 1, 5),
        ):
            steps = 0
            assert await read()
            assert 0 < steps < STEPS_MAX


async def test_a_backup_has_both_sides(path: Path) -> None:
    """SQLite may give rows other numbers in a copy, unless they are columns."""
    async with started(path) as store:
        await opened(store, at_ms=0, summary=summary("closed"))
        tables = [await opened(store), await opened(store)]
        await folded(store)
        assert await store.forget(NOW_MS, 10) == 1
        assert await answer(store, append(tables[0], 1)) == Durable()
        peek(path, "VACUUM INTO ?", str(path.with_name("copy.db")))
    every = "SELECT * FROM journal ORDER BY table_id, seq"
    assert peek(path, "SELECT row FROM lines") == [(2,), (3,), (4,)]
    assert peek(path.with_name("copy.db"), every) == peek(path, every)


# What is forgotten


async def test_rows_of_both_sides_are_forgotten(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamehall.store.journals.FORGET_ROWS", 10)
    async with started(path) as store:
        table, other = await store.new_table(), await opened(store)
        rows = [NewRow(b"{}")] * 15
        assert await answer(store, append(table, 0, *rows)) == Durable()
        await folded(store)
        end = append(table, 15, *rows, at_ms=0, summary=summary("closed"))
        assert await answer(store, end) == Durable()
        assert [await store._forget_part(table) for _ in range(4)] == [True, True, True, False]
        assert len(await store.read(other, 0, 10)) == 1
    assert peek(path, "SELECT table_id FROM lines") == [(other,)]
    assert peek(path, "SELECT table_id FROM places") == [(other,)]


async def test_the_places_of_forgotten_rows_are_taken_by_others(path: Path) -> None:
    async with started(path) as store:
        other = await opened(store)
        past = await opened(store, at_ms=0, summary=summary("closed"))
        await folded(store)
        assert await store.forget(NOW_MS, 10) == 1
        assert await answer(store, append(other, 1)) == Durable()
        assert [line.seq for line in await store.read(other, 0, 10)] == [1, 2]
        assert await store.read(past, 0, 10) == []
        await folded(store)
        assert [line.seq for line in await store.read(other, 0, 10)] == [1, 2]
    assert peek(path, TWICE_OR_LOST) == []
