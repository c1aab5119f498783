"""The suite of stores on PostgreSQL, and how it groups and bounds what it writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
from structlog.testing import capture_logs

import gamehall.errors as errors
from gamehall.store import journals as store_journals
from gamehall.store.appends import Answer, Durable, NewRow, NotWritten, Overtaken, Request, Short
from gamehall.store.postgres import database as postgres_database
from gamehall.store.postgres import link as postgres_link
from gamehall.store.postgres import writer as postgres_writer
from gamehall.store.postgres.link import Connection
from gamehall.store.postgres.store import PostgresStore
from gamehall.store.store import Store
from tests.contract.store_builders import (
    NOW_MS,
    answer,
    answers,
    append,
    finished,
    guest,
    opened,
    opening,
    pay,
    paying,
    summary,
)
from tests.contract.store_contract import StoreContract
from tests.store.postgres_server import new_url, peek
from tests.store.postgres_stores import WAITING, check_books, started, when
from tests.store.stores import until


class TestContract(StoreContract):
    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        async with started(await new_url()) as store:
            yield store


@pytest.fixture
async def url() -> str:
    return await new_url()


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows of journals were written in each commit."""
    grown: list[int] = []

    async def commit(connection: Connection) -> None:
        rows = await connection.fetchval("SELECT count(*) FROM journal")
        grown.append(rows - sum(grown))
        await postgres_link.commit(connection)

    monkeypatch.setattr(postgres_writer, "commit", commit)
    return grown


# Groups


async def test_a_group_has_at_most_1000_rows(url: str, groups: list[int]) -> None:
    async with started(url) as store:
        tables = [append(id, 0, *[NewRow(b"1")] * 30) for id in range(1, 51)]
        assert await answers(store, *tables) == [Durable()] * 50
    assert groups == [990, 510]


async def test_a_group_has_at_most_a_megabyte(url: str, groups: list[int]) -> None:
    async with started(url) as store:
        tables = [append(id, 0, NewRow(b"x" * 300_000)) for id in range(1, 6)]
        tables.insert(3, append(9, 0, NewRow(b"x" * 1_500_000)))
        assert await answers(store, *tables) == [Durable()] * 6
    assert groups == [3, 1, 2]


async def test_what_gathers_during_a_commit_is_the_next_group(url: str, groups: list[int]) -> None:
    async with started(url) as store:
        told: list[Answer] = []

        def first_told(answer: Answer) -> None:
            told.append(answer)
            for table in range(2, 12):
                store.append(append(table), told.append)

        store.append(append(1), first_told)
        await until(lambda: len(told) == 11)
    assert groups == [1, 10]


async def test_a_group_in_which_everything_happens(url: str, groups: list[int]) -> None:
    """Refusals neither fail the transaction nor touch what the others write."""
    async with started(url) as store:
        ada, bob = await guest(store, 10), await guest(store, 10)
        one, two, three = [await opened(store) for _ in range(3)]
        taken = await opened(store, opening=opening("taken"))
        new, unpaid = await store.new_table(), await store.new_table()
        written = append(three, 1)
        assert await answer(store, written) == Durable()
        stakes = [paying(pay(ada, f"pot:{one}:1", 6)), paying(pay(bob, f"pot:{one}:1", 6))]
        groups.clear()
        groups.append(len(await peek(url, "SELECT 1 FROM journal")))
        assert await answers(
            store,
            append(one, 1, *stakes),
            append(unpaid, 0, paying(pay(ada, "house", 5)), opening=opening("unpaid")),
            append(two, 9, paying(pay(bob, "house", 1))),
            written,
            append(new, opening=opening("taken")),
            append(new + 10, 0, paying(pay(bob, "house", 4))),
        ) == [
            Durable(),
            Short((0,), ((ada,),)),
            Overtaken(),
            Durable(),
            Overtaken(taken),
            Durable(),
        ]
        assert groups[1:] == [3], "all in one commit"
        assert [await store.balance(player) for player in (ada, bob)] == [4, 0]
        assert await store.table(unpaid) is None
        assert await store.table_by_origin("unpaid") is None
        again = append(unpaid, 0, paying(pay(ada, "house", 4)), opening=opening("unpaid"))
        assert await answer(store, again) == Durable()
    await check_books(url)


async def test_a_commit_waits_for_the_disk_whatever_the_server_says(url: str) -> None:
    async with started(f"{url}&synchronous_commit=off") as store:
        await opened(store)
        setting = "SELECT current_setting('synchronous_commit')"
        connection = store._writer._connection
        assert connection is not None
        assert await connection.fetchval(setting) == "on"
        assert await store._pool.few(str, setting) == ["on"]


# Bounds


async def test_what_waits_is_bounded(url: str) -> None:
    async with started(url, queue_bytes=10_000) as store:
        tables = [append(id, 0, NewRow(b"x" * 4000)) for id in range(1, 5)]
        assert await answers(store, *tables) == [Durable()] * 2 + [NotWritten()] * 2
        assert await answers(store, *tables[2:]) == [Durable()] * 2


async def test_questions_that_wait_are_bounded(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_database, "WAITING_MAX", 3)
    async with started(url) as store:
        pages = [store.due(10) for _ in range(4)]
        got = await asyncio.gather(*pages, return_exceptions=True)
        assert [type(one) for one in got] == [list, list, list, errors.Unavailable]
        assert await store.due(10) == []


async def test_more_questions_at_once_than_connections(url: str) -> None:
    async with started(url) as store:
        players = await asyncio.gather(*(guest(store, 5) for _ in range(100)))
        assert len(set(players)) == 100
        assert await asyncio.gather(*map(store.balance, players)) == [5] * 100


# Callers


async def test_a_caller_that_raises_does_not_keep_others_from_their_answers(url: str) -> None:
    def fail(_: Answer) -> None:
        raise KeyError("caller")

    async with started(url) as store:
        told: list[Answer] = []
        with capture_logs() as logged:
            store.append(append(1), fail)
            store.append(append(2), told.append)
            await until(lambda: told)
        assert await answer(store, append(3)) == Durable()
    assert [entry["event"] for entry in logged] == ["answer_failed"]


async def test_what_cannot_be_written_concerns_its_own_table_only(url: str) -> None:
    async with started(url) as store:
        broken = append(2, hash="\x00")
        group = [append(1), broken, append(3)]
        with capture_logs() as logged:
            assert await answers(store, *group) == [Durable(), NotWritten(), Durable()]
        assert [entry["event"] for entry in logged] == ["write_impossible"]
        assert await store.table(2) is None
        assert await answer(store, append(2)) == Durable()


async def test_clients_may_write_what_they_like(url: str) -> None:
    """What they wrote is kept as it is, and keeps nobody else's beat from being written."""
    strange = "\x00'\ud800ü"
    async with started(url) as store:
        step = NewRow(b"{}", Request(1, strange, b"\x00"))
        table = await store.new_table()
        first = append(table, 0, step, opening=opening(strange))
        assert await answers(store, first, append(table + 1)) == [Durable(), Durable()]
        assert [line.request for line in await store.read(table, 0, 10)] == [step.request]
        assert await store.table_by_origin(strange) == table
        other = append(table + 2, opening=opening(strange))
        assert await answer(store, other) == Overtaken(table)
        assert await store.put_fact(strange, b"", None)
        assert [fact.key for fact in await store.facts("\x00", "", 10)] == [strange]
        assert await store.player_named(strange) is None
        assert await store.member(strange) is None


async def test_before_the_start_and_after_the_end(url: str) -> None:
    store = PostgresStore(url)
    assert await answer(store, append(1)) == NotWritten()
    await store.stop()
    async with started(url) as store:
        await opened(store)
    assert await answer(store, append(2)) == NotWritten()
    for late in (store.new_table(), store.player(1), store.due(1), store.ping()):
        with pytest.raises(errors.Unavailable):
            await late
    await store.stop()


async def test_a_caller_that_has_gone_leaves_nothing_behind(url: str) -> None:
    async with started(url) as store:
        await guest(store)
        locker = await asyncpg.connect(url)
        for _ in range(2 * postgres_link.POOL_SIZE):
            async with locker.transaction():
                await locker.execute("LOCK TABLE players")
                gone = asyncio.ensure_future(guest(store, name="Eve"))
                await when(lambda: peek(url, WAITING))
                gone.cancel()
                await asyncio.gather(gone, return_exceptions=True)
        await locker.close()
        assert await store.player_named("Eve") is None
        assert await guest(store) > 0
        assert await peek(url, "SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in%'") == []


# Over the end of the process


async def test_all_of_it_is_there_after_a_restart(url: str) -> None:
    assert not await PostgresStore(url).exists()
    async with started(url) as store:
        table = await opened(store, opening=opening("origin"))
        last = await store.new_table()
    assert await PostgresStore(url).exists()
    async with started(url) as store:
        assert await store.table_by_origin("origin") == table
        assert len(await store.read(table, 0, 10)) == 1
        assert await store.new_table() == last + 1


async def test_a_long_journal_is_forgotten_in_parts(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_journals, "FORGET_ROWS", 10)
    async with started(url) as store:
        past = await store.new_table()
        won = finished({1: "win"})
        end = append(
            past, 0, *[NewRow(b"{}")] * 25, at_ms=0, summary=summary("closed", 1), finished=(won,)
        )
        assert await answer(store, end) == Durable()
        other, forgotten = await asyncio.gather(opened(store), store.forget(NOW_MS, 10))
        assert forgotten == 1
        assert await peek(url, "SELECT DISTINCT table_id FROM journal") == [(other,)]
        for name in ("rounds", "played", "seated"):
            assert await peek(url, f"SELECT * FROM {name}") == []
