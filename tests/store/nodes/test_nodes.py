"""Several nodes on one PostgreSQL: those that go, tables handed over, and what it costs."""

from __future__ import annotations

import asyncio

from gamehall.store.appends import Durable, Overtaken
from gamehall.store.nodes import Claim, Head, Owned
from gamehall.store.postgres.store import PostgresStore
from tests.contract.store_builders import answer, append, opened, summary
from tests.contract.store_nodes_contract import LEASE_MS
from tests.store.nodes.nodes import owned_by, run_out
from tests.store.postgres_server import peek
from tests.store.postgres_stores import check_books, started, when

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
