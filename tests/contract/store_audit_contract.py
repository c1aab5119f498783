"""What holds for the audit of any store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

from gamehall.store.appends import Durable, NewRow
from gamehall.store.audit import AccountSum, AuditedTable, Entry, PotSum
from gamehall.store.store import Store
from tests.contract.store_builders import (
    NOW_MS,
    answer,
    append,
    guest,
    opened,
    pay,
    paying,
    summary,
)

T = TypeVar("T")


async def whole(pages: AsyncIterator[list[T]]) -> list[T]:
    return [item async for page in pages for item in page]


class AuditContract:
    async def test_an_empty_store(self, store: Store) -> None:
        async with store.audit() as audit:
            assert await whole(audit.accounts()) == []
            assert await whole(audit.pots()) == []
            assert await whole(audit.tables()) == []
            assert await whole(audit.lines(1)) == []
            assert await whole(audit.transfers(0)) == []

    async def test_every_account_with_its_sum(self, store: Store) -> None:
        ada, bob, eve = await guest(store, 100), await guest(store, 50), await guest(store)
        table = await opened(store)
        pot = f"pot:{table}:1"
        steps = [
            paying(pay(ada, pot, 40), pay(bob, pot, 50)),
            paying(pay(pot, ada, 70), pay(pot, "house", 5)),
        ]
        assert await answer(store, append(table, 1, *steps)) == Durable()
        async with store.audit() as audit:
            assert sorted(await whole(audit.accounts()), key=lambda sum: sum.account) == [
                AccountSum("house", 1, 5, None, None),
                AccountSum("mint", 2, -150, None, None),
                AccountSum(f"player:{ada}", 3, 130, 130, 130),
                AccountSum(f"player:{bob}", 2, 0, 0, 0),
                AccountSum(f"player:{eve}", 0, 0, 0, 0),
            ]
            assert await whole(audit.pots()) == [PotSum(pot, table, 15)]

    async def test_pots_come_in_the_order_of_their_tables(self, store: Store) -> None:
        ada = await guest(store, 100)
        table = await opened(store)
        names = ["pot:10:1", "pot:9:2", "pot:9:1", "pot:x"]
        steps = [paying(pay(ada, name, 1)) for name in names]
        back = paying(pay("pot:9:1", ada, 1))
        assert await answer(store, append(table, 1, *steps, back)) == Durable()
        async with store.audit() as audit:
            assert await whole(audit.pots()) == [
                PotSum("pot:x", 0, 1),
                PotSum("pot:9:1", 9, 0),
                PotSum("pot:9:2", 9, 1),
                PotSum("pot:10:1", 10, 1),
            ]

    async def test_transfers_lie_under_their_tables_and_rows(self, store: Store) -> None:
        ada, bob = await guest(store, 100), await guest(store, 50)
        await store.refill(bob, below=60, to=70, at_ms=NOW_MS)
        table = await opened(store)
        steps = [
            paying(pay(ada, bob, 1), pay(bob, ada, 2)),
            NewRow(b"{}"),
            paying(pay(ada, bob, 3)),
        ]
        assert await answer(store, append(table, 1, *steps)) == Durable()
        first, second = f"player:{ada}", f"player:{bob}"
        async with store.audit() as audit:
            assert await whole(audit.transfers(table)) == [
                Entry(2, 0, first, second, 1),
                Entry(2, 1, second, first, 2),
                Entry(4, 0, first, second, 3),
            ]
            assert await whole(audit.transfers(0)) == [
                Entry(ada, 0, "mint", first, 100),
                Entry(bob, 0, "mint", second, 50),
                Entry(bob, 1, "mint", second, 20),
            ]
            assert await whole(audit.transfers(table + 1)) == []

    async def test_tables_and_their_journals(self, store: Store) -> None:
        first = await store.new_table()
        never_opened = await store.new_table()
        assert (
            await answer(store, append(first, 0, NewRow(b"\x00\xff"), NewRow(b"two"))) == Durable()
        )
        second = await opened(store, summary=summary("playing", 1, round=3))
        async with store.audit() as audit:
            assert await whole(audit.tables()) == [
                AuditedTable(first, True, "connect-four", "waiting", 0, 2, f"{first}-0"),
                AuditedTable(second, True, "connect-four", "playing", 3, 1, f"{second}-0"),
            ]
            assert await whole(audit.lines(first)) == [(1, b"\x00\xff"), (2, b"two")]
            assert await whole(audit.lines(never_opened)) == []

    async def test_of_a_forgotten_table_its_transfers_stay(self, store: Store) -> None:
        ada = await guest(store, 100)
        table = await opened(store)
        closing = append(table, 1, paying(pay(ada, "house", 1)), at_ms=0, summary=summary("closed"))
        assert await answer(store, closing) == Durable()
        assert await store.forget(NOW_MS, 10) == 1
        async with store.audit() as audit:
            (forgotten,) = await whole(audit.tables())
            assert forgotten == AuditedTable(table, True, None, None, None, None, None)
            assert len(await whole(audit.transfers(table))) == 1

    async def test_long_lists_come_in_pages(self, store: Store) -> None:
        crowd = await asyncio.gather(*(guest(store, 10) for _ in range(600)))
        table = await opened(store)
        steps = [paying(pay(player, f"pot:{table}:{player}", 1)) for player in crowd]
        for first in range(0, 600, 200):
            one = append(table, 1 + first, *steps[first : first + 200])
            assert await answer(store, one) == Durable()
        async with store.audit() as audit:
            for pages, count in (
                (audit.accounts(), 601),
                (audit.pots(), 600),
                (audit.lines(table), 601),
                (audit.transfers(table), 600),
            ):
                sizes = [len(page) async for page in pages]
                assert sum(sizes) == count
                assert max(sizes) < 600

    async def test_what_is_written_later_is_not_in_it(self, store: Store) -> None:
        ada = await guest(store, 100)
        table = await opened(store)
        async with store.audit() as audit:
            assert await answer(store, append(table, 1, paying(pay(ada, "house", 9)))) == Durable()
            await guest(store, 5)
            other = await opened(store)
            async with store.audit() as later:
                assert len(await whole(later.lines(table))) == 2
                assert [known.id for known in await whole(later.tables())] == [table, other]
            accounts = {sum.account: sum for sum in await whole(audit.accounts())}
            assert accounts[f"player:{ada}"] == AccountSum(f"player:{ada}", 1, 100, 100, 100)
            assert len(accounts) == 2
            assert len(await whole(audit.lines(table))) == 1
            assert await whole(audit.transfers(table)) == []
            assert [known.head for known in await whole(audit.tables())] == [1]
