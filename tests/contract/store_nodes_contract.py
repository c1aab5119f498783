"""What holds for nodes and the tables that they own, also where there can be one node only."""

from __future__ import annotations

import time

from gamehall.store.appends import Durable, Overtaken
from gamehall.store.nodes import Claim, Head
from gamehall.store.store import Store
from tests.contract.store_builders import answer, append, opened, opening, summary

LEASE_MS = 60_000
HOUR_MS = 3_600_000


async def claimed(store: Store, table: int, node: str = "") -> int:
    """The epoch of a claim that succeeds."""
    claim = await store.claim(table, node)
    assert isinstance(claim, Claim)
    return claim.epoch


class NodesContract:
    async def test_a_lease_that_was_renewed_runs(self, store: Store) -> None:
        first = await store.renew("one", LEASE_MS)
        second = await store.renew("one", LEASE_MS)
        assert first.live == second.live == ("one",)
        assert abs(first.now_ms - time.time() * 1000) < HOUR_MS

    async def test_a_node_claims_what_is_nobodys(self, store: Store) -> None:
        table = await opened(store, summary=summary("playing", 1, round_seq=1))
        await store.renew("one", LEASE_MS)
        expected = Claim(2, 1, 1, f"{table}-0", "connect-four")
        assert await store.claim(table, "one") == expected
        assert await answer(store, append(table, 1)) == Overtaken()
        assert await answer(store, append(table, 1, epoch=2)) == Durable()

    async def test_a_node_claims_its_own_table_again(self, store: Store) -> None:
        await store.renew("one", LEASE_MS)
        table = await opened(store, opening=opening(owner="one"))
        assert await answer(store, append(table, 1)) == Durable()
        assert await claimed(store, table, "one") == 2
        assert await claimed(store, table, "one") == 3
        assert await answer(store, append(table, 2, epoch=2)) == Overtaken()
        assert await answer(store, append(table, 2, epoch=3)) == Durable()

    async def test_without_a_name_a_table_is_claimed_from_anyone(self, store: Store) -> None:
        await store.renew("one", LEASE_MS)
        table = await opened(store, opening=opening(owner="one"))
        assert await claimed(store, table) == 2
        assert await answer(store, append(table, 1)) == Overtaken()

    async def test_a_node_cannot_claim_what_is_not_there(self, store: Store) -> None:
        assert await store.claim(await store.new_table(), "one") is None

    async def test_whoever_gives_a_table_up_can_write_until_it_is_claimed(
        self, store: Store
    ) -> None:
        for node in ("one", "two"):
            await store.renew(node, LEASE_MS)
        table = await opened(store, opening=opening(owner="one"))
        await store.release(table, 1)
        assert await answer(store, append(table, 1)) == Durable()
        assert await claimed(store, table, "two") == 2
        assert await answer(store, append(table, 2)) == Overtaken()

    async def test_whoever_retires_can_write_until_its_tables_are_claimed(
        self, store: Store
    ) -> None:
        for node in ("one", "two"):
            await store.renew(node, LEASE_MS)
        table = await opened(store, opening=opening(owner="one"))
        await store.retire("one")
        assert await answer(store, append(table, 1)) == Durable()
        assert await claimed(store, table, "two") == 2
        assert await answer(store, append(table, 2)) == Overtaken()

    async def test_heads_of_those_tables_that_there_are(self, store: Store) -> None:
        await store.renew("one", LEASE_MS)
        first = await opened(store, opening=opening(owner="one"))
        second = await opened(store, opening=opening(owner="one"))
        closed = await opened(store, at_ms=0, summary=summary("closed"))
        assert await answer(store, append(second, 1)) == Durable()
        await claimed(store, second, "one")
        found = await store.heads([second, first, closed + 1, first, closed])
        assert [(one.table, one.head, one.epoch) for one in found] == [
            (first, 1, 1),
            (second, 2, 2),
            (closed, 1, 1),
        ]
        assert await store.heads([first]) in ([Head(first, 1, 1, x)] for x in ("one", ""))
        assert await store.heads([]) == []
        assert await store.heads(range(closed + 1, closed + 1001)) == []
        await store.forget(1, 10)
        assert await store.heads([closed]) == []

    async def test_tables_of_a_node_whose_lease_runs_are_no_orphans(self, store: Store) -> None:
        await store.renew("one", LEASE_MS)
        await opened(store, opening=opening(owner="one"))
        assert await store.orphans(0, 1, 10) == []

    async def test_timers_of_a_nodes_own_tables_and_of_nobodys(self, store: Store) -> None:
        await store.renew("one", LEASE_MS)
        own = await opened(store, due_ms=2000, opening=opening(owner="one"))
        nobodys = await opened(store, due_ms=1000)
        assert await store.due(10, node="one") == [(1000, nobodys), (2000, own)]
        assert await store.due(10, (1000, nobodys), "one") == [(2000, own)]
