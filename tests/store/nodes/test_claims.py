"""Several nodes on one PostgreSQL: who gets which table."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from gamehall.store.appends import Answer, Durable, Overtaken
from gamehall.store.nodes import Claim, Head, Owned
from gamehall.store.postgres import link as postgres_link
from gamehall.store.postgres import writer as postgres_writer
from gamehall.store.postgres.link import Connection
from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import LIMIT_SECONDS, answer, append, summary
from tests.contract.store_nodes_contract import LEASE_MS, claimed
from tests.store.nodes.nodes import owned_by, owner, run_out
from tests.store.postgres_server import peek
from tests.store.postgres_stores import WAITING, when
from tests.store.stores import until


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
