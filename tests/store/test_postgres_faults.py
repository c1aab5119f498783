"""When PostgreSQL fails or cannot be reached: nothing is lost, and nothing written twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from itertools import count

import asyncpg
import pytest
from structlog.testing import capture_logs

import gamehall.errors as errors
from gamehall.hall.audit.doctor import examine
from gamehall.store.appends import Answer, Durable, NewRow, NotWritten, Overtaken, Short, Unknown
from gamehall.store.postgres import link as postgres_link
from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import (
    answer,
    answers,
    append,
    guest,
    opened,
    opening,
    pay,
    paying,
)
from tests.store.cutting_proxy import CutAt, CutCommit, CuttingProxy, Side, proxied
from tests.store.postgres_server import new_url, peek, server
from tests.store.postgres_stores import check_books, started
from tests.store.stores import until
from tests.support.waiting import WAIT_SECONDS

pytestmark = pytest.mark.usefixtures("short_pauses")


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_link, "PAUSE_SECONDS", 0.002)


@pytest.fixture
async def proxy() -> AsyncIterator[CuttingProxy]:
    async with proxied(server().port) as proxy:
        yield proxy


@pytest.fixture
async def url(proxy: CuttingProxy) -> str:
    return await new_url(proxy.port)


@pytest.fixture
def running() -> Iterator[None]:
    """The server runs again afterwards, whatever happened."""
    yield
    server().stop()
    server().start()


# A connection that is cut


@pytest.mark.parametrize("side", ["client", "server"])
async def test_an_append_is_written_once_wherever_the_connection_is_cut(
    proxy: CuttingProxy, url: str, side: Side
) -> None:
    async with started(url) as store:
        ada = await guest(store, 1000)
        table = await opened(store)
        for number in count():
            proxy.cut = CutAt(side, number)
            step = paying(pay(ada, "house", 1))
            assert await answer(store, append(table, number + 1, step)) == Durable()
            if proxy.cut is not None:
                break
        proxy.cut = None
        assert number > 6, "it has at least that many steps"
        assert len(await store.read(table, 0, 100)) == number + 2
        assert await store.balance(ada) == 1000 - number - 1
    await check_books(url)


@pytest.mark.parametrize("side", ["client", "server"])
async def test_an_opening_is_written_once_if_its_commit_is_cut_off(
    proxy: CuttingProxy, url: str, side: Side
) -> None:
    async with started(url) as store:
        proxy.cut = CutCommit(side)
        table = await opened(store)
        assert proxy.cut is None
        assert len(await store.read(table, 0, 10)) == 1


@pytest.mark.parametrize(("side", "written"), [("client", False), ("server", True)])
async def test_nobody_knows_what_became_of_a_commit_while_the_database_is_away(
    proxy: CuttingProxy, url: str, side: Side, written: bool
) -> None:
    async with started(url) as store:
        ada = await guest(store, 100)
        tables = [await opened(store) for _ in range(3)]
        appends = [append(table, 1, paying(pay(ada, "house", 10))) for table in tables]
        stale = append(await opened(store), 7)
        proxy.cut = CutCommit(side)
        proxy.open = False
        assert await answers(store, *appends, stale) == [Unknown()] * 4
        # NotWritten would say that it was not written.
        other = append(stale.table, 1)
        assert await answers(store, *appends, other) == [Unknown()] * 3 + [NotWritten()]
        rows = await peek(url.replace(str(proxy.port), str(server().port)), "SELECT * FROM journal")
        assert len(rows) == (7 if written else 4)
        proxy.open = True
        assert await answers(store, *appends, stale) == [Durable()] * 3 + [Overtaken()]
        assert not store._writer._doubts
        assert await store.balance(ada) == 70
    await check_books(url)


async def test_what_never_came_to_its_commit_is_not_written(proxy: CuttingProxy, url: str) -> None:
    async with started(url) as store:
        table = await opened(store)
        proxy.cut = CutAt("client", 1)
        proxy.open = False
        assert await answer(store, append(table, 1)) == NotWritten()
        proxy.go_away()
        for question in (store.ping(), store.table(table), store.new_table(), store.claim(table)):
            with pytest.raises(errors.Unavailable):
                await question
        proxy.open = True
        assert await answer(store, append(table, 1)) == Durable()
        await store.ping()


async def test_a_commit_that_arrives_late_is_waited_for(proxy: CuttingProxy, url: str) -> None:
    """The writer is cut off, and its COMMIT reaches the server when it is writing again."""
    async with started(url) as store:
        table = await opened(store)
        proxy.hold_commit = True
        told: list[Answer] = []
        store.append(append(table, 1), told.append)
        await until(lambda: proxy.held)
        direct = url.replace(str(proxy.port), str(server().port))
        waits = """SELECT 1 FROM pg_stat_activity WHERE application_name = 'gamehall'
            AND wait_event_type = 'Lock' AND state = 'active'"""
        async with asyncio.timeout(WAIT_SECONDS):
            while not await peek(direct, waits):
                assert not told
                await asyncio.sleep(0.005)
        await proxy.release()
        await until(lambda: told)
        assert told == [Durable()]
        assert len(await store.read(table, 0, 10)) == 2


async def test_a_change_whose_commit_is_cut_off_is_not_repeated(
    proxy: CuttingProxy, url: str
) -> None:
    async with started(url) as store:
        proxy.cut = CutCommit("server")
        with pytest.raises(errors.Unavailable):
            await guest(store, 5)
        await guest(store)
        proxy.cut = CutAt("client", 2)
        ada = await guest(store, 5)
        assert proxy.cut is None
        assert await store.balance(ada) == 5
        assert await peek(url, "SELECT count(*) FROM players") == [(3,)]


# A server that ends


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_server_that_restarts_while_it_is_written_to(how: int) -> None:
    """Every append is repeated until its answer is definite; what was acknowledged is there."""
    url = await new_url()
    async with started(url) as store:
        ada = await guest(store, 10**6)
        heads = {await opened(store): 1 for _ in range(10)}
        seen: set[str] = set()
        goes_on = True

        async def keep_appending(table: int) -> None:
            while goes_on:
                one = append(table, heads[table], paying(pay(ada, "house", 1)))
                while not isinstance(told := await answer(store, one), Durable):
                    assert isinstance(told, Unknown | NotWritten)
                    seen.add(type(told).__name__)
                heads[table] += 1

        playing = [asyncio.create_task(keep_appending(table)) for table in heads]
        for _ in range(2):
            floor = sum(heads.values()) + 50
            await until(lambda floor=floor: sum(heads.values()) > floor)  # type: ignore[misc]
            await asyncio.to_thread(server().stop, how)
            seen.clear()
            await until(lambda: seen)
            with pytest.raises(errors.Unavailable):
                await store.balance(ada)
            await asyncio.to_thread(server().start)
        floor = sum(heads.values()) + 50
        await until(lambda: sum(heads.values()) > floor)
        goes_on = False
        await asyncio.gather(*playing)
        for table, head in heads.items():
            assert [line.seq for line in await store.read(table, 0, 10**6)] == list(
                range(1, head + 1)
            )
        assert await store.balance(ada) == 10**6 - sum(heads.values()) + len(heads)
    await check_books(url)


@pytest.mark.usefixtures("running")
async def test_a_store_can_be_stopped_while_the_database_is_away() -> None:
    async with started(await new_url()) as store:
        table = await opened(store)
        server().stop()
        told: list[Answer] = []
        for after in range(1, 100):
            store.append(append(table, after), told.append)
        await store.stop()
        assert told == [NotWritten()] * 99


# Locks


async def test_a_deadlock_is_tried_again() -> None:
    url = await new_url()
    # Whoever looks for a deadlock first is the one who gives way.
    async with started(f"{url}&deadlock_timeout=1200ms") as store:
        ada = await guest(store, 100)
        table = await opened(store)
        other = await asyncpg.connect(f"{url}&deadlock_timeout=60s")
        told: list[Answer] = []
        with capture_logs() as logged:
            async with other.transaction():
                await other.execute(f"SELECT 1 FROM balances WHERE player = {ada} FOR UPDATE")
                store.append(append(table, 1, paying(pay(ada, "house", 1))), told.append)
                await _until_locked(url)
                await other.execute(f"SELECT 1 FROM tables WHERE id = {table} FOR UPDATE")
            await until(lambda: told)
        await other.close()
        assert told == [Durable()]
        assert [entry.get("kind") for entry in logged] == ["DeadlockDetectedError", None]
    await check_books(url)


async def test_a_lock_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(postgres_link._SETTINGS, "lock_timeout", "30ms")
    url = await new_url()
    async with started(url) as store:
        table = await opened(store)
        other = await asyncpg.connect(url)
        async with other.transaction():
            await other.execute("SELECT 1 FROM tables FOR UPDATE")
            assert await answer(store, append(table, 1)) == NotWritten()
            with pytest.raises(errors.Unavailable):
                await store.claim(table)
        await other.close()
        assert await answer(store, append(table, 1)) == Durable()


async def _until_locked(url: str) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not await peek(url, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
            await asyncio.sleep(0.002)


# Two nodes


async def test_two_owners_are_fenced() -> None:
    url = await new_url()
    async with started(url) as one, started(url) as two:
        tables = [await opened(one) for _ in range(20)]
        claims = [await two.claim(table) for table in tables]
        assert all(claim is not None and claim.epoch == 2 for claim in claims)
        mine = answers(one, *(append(table, 1) for table in tables))
        theirs = answers(two, *(append(table, 1, epoch=2) for table in reversed(tables)))
        assert list(await asyncio.gather(mine, theirs)) == [[Overtaken()] * 20, [Durable()] * 20]
    await check_books(url)


async def test_two_owners_who_believe_the_same() -> None:
    """Of two that open for one origin, or know the same head, exactly one is written."""
    url = await new_url()
    async with started(url) as one, started(url) as two:
        ids = [[await store.new_table() for _ in range(10)] for store in (one, two)]
        openings = [
            [append(id, opening=opening(f"origin {n}")) for n, id in enumerate(of)] for of in ids
        ]
        first, second = await asyncio.gather(
            answers(one, *openings[0]), answers(two, *reversed(openings[1]))
        )
        for n, (a, b) in enumerate(zip(first, reversed(second), strict=True)):
            assert {a, b} in ({Durable(), Overtaken(ids[0][n])}, {Durable(), Overtaken(ids[1][n])})
        table = await opened(one)
        for head in range(1, 20):
            got = await asyncio.gather(
                answer(one, append(table, head)), answer(two, append(table, head))
            )
            assert set(got) == {Durable(), Overtaken()}
    await check_books(url)


@pytest.mark.usefixtures("running")
async def test_an_audit_whose_database_goes_away_says_so(url: str) -> None:
    """The doctor ends with a sentence then, not with a traceback."""

    async def audit(store: PostgresStore) -> None:
        async with store.audit() as audit:
            await asyncio.to_thread(server().stop, signal.SIGQUIT)
            await examine(audit, {})

    async with started(url) as store:
        await opened(store)
        with pytest.raises(errors.Unavailable, match="The database cannot be read"):
            await audit(store)


async def test_two_nodes_move_the_chips_of_the_same_players() -> None:
    url = await new_url()
    async with started(url) as one, started(url) as two:
        players = [await guest(one, 50) for _ in range(6)]

        async def move(store: PostgresStore, step: int) -> None:
            heads = {await opened(store): 1 for _ in range(8)}
            for turn in range(10):
                appends = [
                    append(table, head, _moved(players, place * step + turn, step))
                    for place, (table, head) in enumerate(heads.items())
                ]
                for one, told in zip(appends, await answers(store, *appends), strict=True):
                    assert isinstance(told, Durable | Short)
                    heads[one.table] += isinstance(told, Durable)
            assert sum(heads.values()) > 40, "most can be paid"

        await asyncio.gather(move(one, 1), move(two, 5))
        balances = [await one.balance(player) for player in players]
        assert sum(balances) == 300
        for player, balance in zip(players, balances, strict=True):
            items = await one.statement(player, before=None, limit=1000)
            assert sum(item.chips for item in items) == balance
            assert [item.id for item in items] == sorted((item.id for item in items), reverse=True)
    await check_books(url)


def _moved(players: list[int], seed: int, step: int) -> NewRow:
    return paying(pay(players[seed % 6], players[(seed + step) % 6], 7))
