"""Several nodes on one PostgreSQL: leases, and who owns which table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import asyncpg
import pytest

import gamehall.errors as errors
from gamehall.store.appends import Answer, Durable, Overtaken
from gamehall.store.nodes import Claim, Head, Owned
from gamehall.store.postgres import link as postgres_link
from gamehall.store.postgres import nodes as postgres_nodes
from gamehall.store.postgres import writer as postgres_writer
from gamehall.store.postgres.link import Connection
from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import LIMIT_SECONDS, answer, append, opened, opening, summary
from tests.contract.store_nodes_contract import LEASE_MS, claimed
from tests.store.cutting_proxy import CutAt, Side, proxied
from tests.store.postgres_server import new_url, peek, server
from tests.store.postgres_stores import check_books, started
from tests.store.stores import until

DAY_MS = 24 * 3_600_000
WAITING = """SELECT 1 FROM pg_stat_activity WHERE application_name = 'gamehall'
    AND wait_event_type = 'Lock'"""


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


async def run_out(url: str, node: str) -> None:
    """The node's lease ended just now."""
    await peek(url, "UPDATE nodes SET expires_at = clock_timestamp() WHERE name = $1", node)


async def when(condition: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        while not await condition():
            await asyncio.sleep(0.005)


async def owned_by(store: PostgresStore, node: str, **fields: object) -> int:
    return await opened(store, opening=opening(owner=node), **fields)


async def owner(store: PostgresStore, table: int) -> str | None:
    return (await store.heads([table]))[0].owner


# Claims


async def test_a_table_stays_with_its_owner_while_the_lease_runs(
    store: PostgresStore, other: PostgresStore
) -> None:
    await store.renew("one", LEASE_MS)
    await other.renew("two", LEASE_MS)
    table = await owned_by(store, "one", summary=summary("playing", 1))
    assert await other.claim(table, "two") == Owned("one", 1, 1, 1, f"{table}-0", "connect-four")
    assert await answer(store, append(table, 1)) == Durable()
    assert await store.heads([table]) == [Head(table, 2, 1, "one")]
    assert await claimed(store, table, "one") == 2
    found = await other.claim(table, "two")
    assert isinstance(found, Owned)
    assert (found.node, found.epoch, found.head) == ("one", 2, 2)


async def test_a_table_is_claimed_when_the_lease_has_run_out(
    store: PostgresStore, other: PostgresStore
) -> None:
    await store.renew("one", 100)
    await other.renew("two", LEASE_MS)
    table = await owned_by(store, "one")
    claims = []

    async def is_claimed() -> bool:
        claims.append(await other.claim(table, "two"))
        return isinstance(claims[-1], Claim)

    await when(is_claimed)
    assert claims[-1] == Claim(2, 1, 1, f"{table}-0", "connect-four")
    assert await owner(other, table) == "two"
    assert await answer(store, append(table, 1)) == Overtaken()
    await store.renew("one", LEASE_MS)
    assert isinstance(await store.claim(table, "one"), Owned)
    assert await answer(other, append(table, 1, epoch=2)) == Durable()


async def test_of_many_who_claim_an_orphan_one_gets_it(url: str, store: PostgresStore) -> None:
    nodes = [f"node {n}" for n in range(postgres_link.POOL_SIZE)]
    for node in nodes:
        await store.renew(node, LEASE_MS)
    table = await owned_by(store, "dead")
    locker = await asyncpg.connect(url)
    async with locker.transaction():
        await locker.execute("SELECT 1 FROM tables FOR UPDATE")
        claims = asyncio.gather(*(store.claim(table, node) for node in nodes))

        async def all_wait() -> bool:
            return len(await peek(url, WAITING)) == len(nodes)

        await when(all_wait)
    await locker.close()
    got = dict(zip(nodes, await claims, strict=True))
    (winner,) = [node for node, claim in got.items() if isinstance(claim, Claim)]
    assert await owner(store, table) == winner
    for node, claim in got.items():
        assert node == winner or (isinstance(claim, Owned) and claim.node == winner)
        assert claim is not None
        assert claim.epoch == 2


async def test_a_claim_that_had_to_wait_judges_the_lease_of_then(
    url: str, store: PostgresStore
) -> None:
    await store.renew("one", LEASE_MS)
    await store.renew("two", LEASE_MS)
    table = await owned_by(store, "one")
    await run_out(url, "one")
    locker = await asyncpg.connect(url)
    async with locker.transaction():
        await locker.execute("SELECT 1 FROM tables FOR UPDATE")
        claim = asyncio.ensure_future(store.claim(table, "two"))
        await when(lambda: peek(url, WAITING))
        await store.renew("one", LEASE_MS)
    await locker.close()
    assert isinstance(await claim, Owned)


async def test_a_claim_waits_for_an_append_and_knows_its_row(
    url: str, store: PostgresStore, other: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await owned_by(store, "dead")
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def commit(connection: Connection) -> None:
        reached.set()
        await go_on.wait()
        await postgres_link.commit(connection)

    monkeypatch.setattr(postgres_writer, "commit", commit)
    told: list[Answer] = []
    store.append(append(table, 1), told.append)
    async with asyncio.timeout(LIMIT_SECONDS):
        await reached.wait()
    claim = asyncio.ensure_future(other.claim(table, "two"))
    await when(lambda: peek(url, WAITING))
    go_on.set()
    assert await claim == Claim(2, 2, 1, f"{table}-1", "connect-four")
    await until(lambda: told)
    assert told == [Durable()]


async def test_whoever_asks_for_the_table_of_another_waits_for_no_append(
    url: str, store: PostgresStore
) -> None:
    await store.renew("one", LEASE_MS)
    table = await owned_by(store, "one")
    locker = await asyncpg.connect(url)
    async with locker.transaction():
        await locker.execute("SELECT 1 FROM tables FOR UPDATE")
        assert isinstance(await store.claim(table, "two"), Owned)
    await locker.close()


async def test_a_table_claimed_without_a_name_is_nobodys(store: PostgresStore) -> None:
    await store.renew("one", LEASE_MS)
    table = await owned_by(store, "one")
    assert await claimed(store, table) == 2
    assert await owner(store, table) is None
    assert await claimed(store, table, "two") == 3


async def test_only_the_last_owner_gives_a_table_up(store: PostgresStore) -> None:
    await store.renew("one", LEASE_MS)
    table = await owned_by(store, "one")
    assert await claimed(store, table, "one") == 2
    await store.release(table, 1)
    assert await owner(store, table) == "one"
    await store.release(table, 2)
    assert await owner(store, table) is None
    assert await store.orphans(0, 1, 10) == [table]


# Leases


async def test_who_is_live(url: str, store: PostgresStore, other: PostgresStore) -> None:
    assert (await store.renew("b", LEASE_MS)).live == ("b",)
    assert (await other.renew("a", LEASE_MS)).live == ("a", "b")
    assert (await other.renew("Z", LEASE_MS)).live == ("Z", "a", "b")
    await run_out(url, "b")
    assert (await other.renew("a", LEASE_MS)).live == ("Z", "a")
    assert (await store.renew("b", LEASE_MS)).live == ("Z", "a", "b")
    await other.retire("a")
    assert (await store.renew("b", LEASE_MS)).live == ("Z", "b")


async def test_leases_that_ran_out_long_ago_are_deleted(url: str, store: PostgresStore) -> None:
    for node in ("one", "two", "three"):
        await store.renew(node, LEASE_MS)
    await peek(url, "UPDATE nodes SET expires_at = expires_at - interval '2 hours'")
    await run_out(url, "three")
    assert (await store.renew("one", LEASE_MS)).live == ("one",)
    assert await peek(url, "SELECT name FROM nodes ORDER BY name") == [("one",), ("three",)]


async def test_the_databases_clock_judges_whatever_the_nodes_say(
    url: str, store: PostgresStore, other: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One node's clock is a day late: all that it is told and all that it owns is as it would be
    with a right one."""
    right_ms = time.time_ns() // 1_000_000
    monkeypatch.setattr(time, "time_ns", lambda: (right_ms - DAY_MS) * 1_000_000)
    monkeypatch.setattr(time, "time", lambda: (right_ms - DAY_MS) / 1000)
    renewed = await store.renew("one", LEASE_MS)
    monkeypatch.undo()
    (before,) = await peek(url, "SELECT extract(epoch FROM now()) * 1000")
    assert right_ms <= renewed.now_ms <= before[0]
    assert await other.renew("two", LEASE_MS)
    table = await owned_by(store, "one")
    assert isinstance(await other.claim(table, "two"), Owned)
    await run_out(url, "one")
    assert await claimed(other, table, "two") == 2


async def test_a_renewal_waits_for_nobodys_questions(url: str, store: PostgresStore) -> None:
    locker = await asyncpg.connect(url)
    async with locker.transaction():
        await locker.execute("LOCK TABLE tables")
        questions = [asyncio.ensure_future(store.table(n)) for n in range(20)]
        await when(lambda: peek(url, WAITING))
        assert (await store.renew("one", LEASE_MS)).live == ("one",)
        assert not any(question.done() for question in questions)
    await locker.close()
    assert await asyncio.gather(*questions) == [None] * 20


async def test_a_renewal_that_is_stuck_is_given_up_and_the_next_one_succeeds(
    url: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing else ends it.
    monkeypatch.setitem(postgres_link._SETTINGS, "lock_timeout", "60s")
    monkeypatch.setattr(postgres_link, "COMMAND_SECONDS", 60)
    await store.renew("one", LEASE_MS)
    locker = await asyncpg.connect(url)
    async with locker.transaction():
        await locker.execute("SELECT 1 FROM nodes FOR UPDATE")
        with monkeypatch.context() as patched:
            patched.setattr(postgres_nodes, "ATTEMPT_SECONDS_MIN", 0.05)
            async with asyncio.timeout(LIMIT_SECONDS):
                with pytest.raises(errors.Unavailable):
                    await store.renew("one", 100)
    await locker.close()
    assert (await store.renew("one", LEASE_MS)).live == ("one",)


async def test_a_renewal_over_a_connection_that_fell_silent_is_tried_on_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres_link, "COMMAND_SECONDS", 60)
    async with proxied(server().port) as proxy, started(await new_url(proxy.port)) as store:
        await store.renew("one", LEASE_MS)
        proxy.fall_silent()
        assert (await store.renew("one", 100)).live == ("one",)


@pytest.mark.parametrize("side", ["client", "server"])
async def test_a_renewal_whose_connection_is_cut_is_tried_again(
    side: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_link, "PAUSE_SECONDS", 0.002)
    async with proxied(server().port) as proxy, started(await new_url(proxy.port)) as store:
        await store.renew("one", LEASE_MS)
        for piece in range(3):
            proxy.cut = CutAt(side, piece)
            while proxy.cut is not None:
                assert (await store.renew("one", LEASE_MS)).live == ("one",)
        proxy.go_away()
        for question in (
            store.renew("one", LEASE_MS),
            store.claim(1, "one"),
            store.release(1, 1),
            store.retire("one"),
            store.heads([1]),
            store.orphans(0, 1, 1),
            store.seats_of([1]),
        ):
            with pytest.raises(errors.Unavailable):
                await question
        proxy.open = True
        assert (await store.renew("one", LEASE_MS)).live == ("one",)


async def test_a_renewal_before_the_start_and_after_the_end(url: str) -> None:
    store = PostgresStore(url)
    with pytest.raises(errors.Unavailable):
        await store.renew("one", LEASE_MS)
    async with started(url) as store:
        await store.renew("one", LEASE_MS)
    with pytest.raises(errors.Unavailable):
        await store.renew("one", LEASE_MS)


async def test_renewals_at_once(store: PostgresStore) -> None:
    nodes = [f"node {n}" for n in range(10)]
    renewed = await asyncio.gather(*(store.renew(node, LEASE_MS) for node in nodes))
    assert {*nodes} == {node for one in renewed for node in one.live}
    assert all(node in one.live for node, one in zip(nodes, renewed, strict=True))


# Nodes that go


async def test_a_node_retires_while_it_writes(
    url: str, store: PostgresStore, other: PostgresStore
) -> None:
    """Each table's journal is one row after the other: all of the old owner's up to the claim."""
    await store.renew("one", LEASE_MS)
    await other.renew("two", LEASE_MS)
    tables = [await owned_by(store, "one") for _ in range(20)]

    async def write(table: int) -> int:
        head = 1
        while (told := await answer(store, append(table, head))) == Durable():
            head += 1
        assert told == Overtaken()
        return head

    async def take(table: int) -> int:
        claims = []

        async def is_claimed() -> bool:
            claims.append(await other.claim(table, "two"))
            return isinstance(claims[-1], Claim)

        await when(is_claimed)
        assert claims[-1] is not None
        return claims[-1].head

    written = asyncio.gather(*map(write, tables))
    taken = asyncio.gather(*map(take, tables))
    await when(lambda: peek(url, "SELECT 1 FROM journal WHERE seq > 3"))
    assert not taken.done()
    await store.retire("one")
    heads = await taken
    assert await written == heads
    found = await other.heads(tables)
    assert found == [Head(*one, 2, "two") for one in zip(tables, heads, strict=True)]
    await check_books(url)


async def test_orphans_soonest_due_first(url: str, store: PostgresStore) -> None:
    for node in ("live", "lapsed", "retired"):
        await store.renew(node, LEASE_MS)
    idle = await opened(store)
    late = await owned_by(store, "lapsed", due_ms=3000)
    soon = await owned_by(store, "retired", due_ms=1000)
    middle = await owned_by(store, "unheard-of", due_ms=2000)
    await owned_by(store, "live", due_ms=1)
    for node in ("lapsed", ""):
        await owned_by(store, node, due_ms=1, summary=summary("closed"))
    assert await store.orphans(0, 1, 10) == [middle, idle]
    await run_out(url, "lapsed")
    await store.retire("retired")
    assert await store.orphans(0, 1, 10) == [soon, middle, late, idle]
    assert await store.orphans(0, 1, 2) == [soon, middle]
    shares = [await store.orphans(share, 3, 10) for share in range(3)]
    assert sorted(id for ids in shares for id in ids) == sorted([soon, middle, late, idle])
    assert all(id % 3 == share for share, ids in enumerate(shares) for id in ids)
    heads = await store.heads([idle, late, soon, middle])
    assert [one.owner for one in heads] == [None] * 4


async def test_timers_without_those_of_another_live_node(url: str, store: PostgresStore) -> None:
    await store.renew("one", LEASE_MS)
    own = await owned_by(store, "one", due_ms=1000)
    nobodys = await opened(store, due_ms=2000)
    dead = await owned_by(store, "dead", due_ms=3000)
    assert await store.due(10, node="two") == [(2000, nobodys), (3000, dead)]
    assert await store.due(10, node="one") == await store.due(10)
    await run_out(url, "one")
    assert await store.due(10, node="two") == [(1000, own), (2000, nobodys), (3000, dead)]


# Handing over


async def test_a_table_that_is_handed_over_is_the_other_nodes(store: PostgresStore) -> None:
    for node in ("one", "two"):
        await store.renew(node, LEASE_MS)
    table = await owned_by(store, "one")
    assert await store.hand_over(table, 1, "two")
    assert await store.heads([table]) == [Head(table, 1, 2, "two")]
    assert await answer(store, append(table, 1)) == Overtaken()
    assert isinstance(await store.claim(table, "one"), Owned)
    assert isinstance(await store.claim(table, "two"), Claim)
    assert not await store.hand_over(table, 2, "one"), "it was claimed since"


async def test_no_table_is_handed_to_a_node_that_is_gone_nor_a_closed_one(
    url: str, store: PostgresStore
) -> None:
    for node in ("one", "two"):
        await store.renew(node, LEASE_MS)
    table = await owned_by(store, "one")
    closed = await owned_by(store, "one", summary=summary("closed"))
    assert not await store.hand_over(closed, 1, "two")
    await run_out(url, "two")
    assert not await store.hand_over(table, 1, "two")
    assert not await store.hand_over(table, 1, "nobody")
    assert await store.heads([table]) == [Head(table, 1, 1, "one")]


async def test_how_many_tables_nodes_have_and_which_are_quietest(store: PostgresStore) -> None:
    late, early, middle = [
        await owned_by(store, "one", at_ms=at_ms) for at_ms in (3000, 1000, 2000)
    ]
    other = await owned_by(store, "two", at_ms=500)
    await owned_by(store, "two", summary=summary("closed"))
    await opened(store)
    assert await store.open_tables() == {"one": 3, "two": 1}
    assert await store.quietest("one", 10) == [early, middle, late]
    assert await store.quietest("one", 2) == [early, middle]
    assert await store.quietest("two", 10) == [other]
    assert await store.quietest("three", 10) == []


# What it costs


async def test_moves_change_the_row_of_an_owned_table_in_place(url: str) -> None:
    """No index is written: none has a column that changes with every move."""
    async with started(url) as store:
        table = await owned_by(store, "one")
        for head in range(1, 11):
            moved = append(table, head, due_ms=head, summary=summary("playing", 1, 2))
            assert await answer(store, moved) == Durable()
    counts = """SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables
        WHERE relname = 'tables' AND schemaname = current_schema()"""

    async def are_counted() -> bool:
        return await peek(url, f"{counts} AND n_tup_upd = 10") != []

    await when(are_counted)
    # The first one changes the status, which says in which indexes the table is.
    assert (await peek(url, counts))[0][1] >= 9
