"""Several nodes on one PostgreSQL: who is live, by its clock."""

from __future__ import annotations

import asyncio
import time

import asyncpg
import pytest

import gamehall.errors as errors
from gamehall.store.nodes import Owned
from gamehall.store.postgres import link as postgres_link
from gamehall.store.postgres import nodes as postgres_nodes
from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import LIMIT_SECONDS
from tests.contract.store_nodes_contract import LEASE_MS, claimed
from tests.store.cutting_proxy import CutAt, Side, proxied
from tests.store.nodes.nodes import owned_by, run_out
from tests.store.postgres_server import new_url, peek, server
from tests.store.postgres_stores import WAITING, started, when

DAY_MS = 24 * 3_600_000


async def test_who_is_live(url: str, store: PostgresStore, other: PostgresStore) -> None:
    assert (await store.renew("b", LEASE_MS)).live == ("b",)
    assert (await other.renew("a", LEASE_MS)).live == ("a", "b")
    assert (await other.renew("Z", LEASE_MS)).live == ("Z", "a", "b")
    await run_out(url, "b")
    assert (await other.renew("a", LEASE_MS)).live == ("Z", "a")
    assert (await store.renew("b", LEASE_MS)).live == ("Z", "a", "b")
    await other.retire("a")
    assert (await store.renew("b", LEASE_MS)).live == ("Z", "b")


async def test_of_two_nodes_that_come_at_once_one_sees_the_other(
    store: PostgresStore, other: PostgresStore
) -> None:
    """Otherwise each would take itself for the only one, and both would lead."""
    await asyncio.gather(store.renew("a", LEASE_MS), other.renew("b", LEASE_MS))
    for pair in range(50):
        first, second = f"first-{pair}", f"second-{pair}"
        one, two = await asyncio.gather(store.renew(first, LEASE_MS), other.renew(second, LEASE_MS))
        assert second in one.live or first in two.live


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
