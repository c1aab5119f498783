"""What holds for appends to any store: fences, answers, what is read back, and the chips."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from gamehall.store.appends import Answer, Durable, NewRow, NotWritten, Overtaken, Request, Short
from gamehall.store.journals import Line
from gamehall.store.store import Store
from tests.contract.store_builders import (
    answer,
    answers,
    append,
    guest,
    opened,
    opening,
    pay,
    paying,
    summary,
)


class AppendContract:
    # Fences

    async def test_what_is_durable_is_read_back(self, store: Store) -> None:
        table = await store.new_table()
        first = append(table, 0, NewRow(b'{"a":"\xc3\xa4"}'), NewRow(b"\x00\xff"))
        request = Request(7, "r1", b"\x01\xfe")
        assert await answer(store, first) == Durable()
        assert await answer(store, append(table, 2, NewRow(b"{}", request))) == Durable()
        lines = [Line(1, b'{"a":"\xc3\xa4"}', None), Line(2, b"\x00\xff", None)]
        assert await store.read(table, 0, 10) == [*lines, Line(3, b"{}", request)]

    async def test_requests_and_origins_are_any_text(self, store: Store) -> None:
        text = "a\x00'\"b\\ü\u2028"
        request = Request(7, text, b"")
        table = await store.new_table()
        one = append(table, 0, NewRow(b"{}", request), opening=opening(text))
        assert await answer(store, one) == Durable()
        assert await store.read(table, 0, 10) == [Line(1, b"{}", request)]
        assert await store.table_by_origin(text) == table

    async def test_reads_pages(self, store: Store) -> None:
        table = await store.new_table()
        steps = [NewRow(b"%d" % seq) for seq in range(1, 8)]
        assert await answer(store, append(table, 0, *steps)) == Durable()
        assert [line.seq for line in await store.read(table, 0, 3)] == [1, 2, 3]
        assert [line.seq for line in await store.read(table, 3, 3)] == [4, 5, 6]
        assert [line.line for line in await store.read(table, 6, 3)] == [b"7"]
        assert await store.read(table, 7, 3) == []
        assert await store.read(table + 1000, 0, 3) == []

    async def test_reads_some_rows(self, store: Store) -> None:
        table, other = await store.new_table(), await store.new_table()
        request = Request(1, "id", b"digest")
        steps = [NewRow(b"%d" % seq, request if seq == 2 else None) for seq in range(1, 8)]
        for one in (table, other):
            assert await answer(store, append(one, 0, *steps)) == Durable()
        found = await store.read_at(table, [6, 2, 99, 2])
        assert found == [Line(2, b"2", request), Line(6, b"6", None)]
        assert await store.read_at(table, []) == []
        assert await store.read_at(table + 1000, [1]) == []

    async def test_only_an_append_that_knows_the_head_is_written(self, store: Store) -> None:
        table = await opened(store)
        assert await answer(store, append(table, 2)) == Overtaken()
        assert await answer(store, append(table, 1)) == Durable()
        assert await answer(store, append(table, 1)) == Overtaken()
        assert len(await store.read(table, 0, 10)) == 2

    async def test_of_two_that_know_the_same_head_one_is_written(self, store: Store) -> None:
        table = await opened(store)
        both = [append(table, 1, NewRow(b"first")), append(table, 1, NewRow(b"second"))]
        assert await answers(store, *both) == [Durable(), Overtaken()]
        assert [line.line for line in await store.read(table, 1, 10)] == [b"first"]

    async def test_appends_follow_each_other_within_a_group(self, store: Store) -> None:
        table = await store.new_table()
        row = [append(table, after) for after in range(20)]
        assert await answers(store, *row) == [Durable()] * 20
        assert len(await store.read(table, 0, 100)) == 20

    async def test_a_table_has_to_be_opened(self, store: Store) -> None:
        table = await store.new_table()
        assert await answer(store, append(table, 1)) == Overtaken()
        assert await answer(store, append(table, 0, opening=None)) == Overtaken()
        assert await store.table(table) is None

    async def test_a_table_is_opened_once(self, store: Store) -> None:
        table = await opened(store)
        assert await answer(store, append(table)) == Overtaken()
        assert await answer(store, append(table, 1, opening=opening())) == Overtaken()
        assert len(await store.read(table, 0, 10)) == 1

    async def test_whoever_claims_last_owns_the_table(self, store: Store) -> None:
        table = await opened(store, due_ms=5, summary=summary("playing", 1, round_seq=1))
        first, second = await asyncio.gather(store.claim(table), store.claim(table))
        assert first is not None
        assert second is not None
        assert {first.epoch, second.epoch} == {2, 3}
        late, early = sorted((first, second), key=lambda claim: -claim.epoch)
        assert msgspec.structs.replace(late, epoch=early.epoch) == early
        assert (late.head, late.round_seq, late.hash) == (1, 1, f"{table}-0")
        assert late.game == "connect-four"
        assert await answer(store, append(table, 1)) == Overtaken()
        assert await answer(store, append(table, 1, epoch=early.epoch)) == Overtaken()
        assert await answer(store, append(table, 1, epoch=late.epoch)) == Durable()

    async def test_a_claim_knows_where_the_round_began(self, store: Store) -> None:
        table = await opened(store)
        again = summary("playing", 1, round=2, round_seq=3)
        steps = [NewRow(b"{}"), NewRow(b"{}"), NewRow(b"{}")]
        assert await answer(store, append(table, 1, *steps, summary=again)) == Durable()
        claim = await store.claim(table)
        assert claim is not None
        assert (claim.head, claim.round_seq, claim.hash) == (4, 3, f"{table}-1")

    async def test_a_table_that_is_not_there_cannot_be_claimed(self, store: Store) -> None:
        assert await store.claim(await store.new_table()) is None

    async def test_table_ids_are_never_given_twice(self, store: Store) -> None:
        ids = await asyncio.gather(*(store.new_table() for _ in range(50)))
        assert len(set(ids)) == 50
        assert all(0 < id < 2**31 for id in ids)

    # Saying it again

    async def test_the_same_append_again_is_durable_and_written_once(self, store: Store) -> None:
        player = await guest(store, 100)
        table = await store.new_table()
        first = append(table)
        second = append(table, 1, paying(pay(player, "pot:1:1", 30)))
        third = append(table, 2)
        assert await answers(store, first, second, third) == [Durable()] * 3
        assert await answers(store, second, first, third) == [Durable()] * 3
        await store.claim(table)
        assert await answer(store, second) == Durable()
        assert len(await store.read(table, 0, 10)) == 3
        assert await store.balance(player) == 70

    async def test_the_same_append_twice_in_a_group_is_written_once(self, store: Store) -> None:
        table = await opened(store)
        one = append(table, 1)
        assert await answers(store, one, one) == [Durable(), Durable()]
        assert len(await store.read(table, 0, 10)) == 2

    # Origins

    async def test_an_origin_opens_one_table(self, store: Store) -> None:
        first = await opened(store, opening=opening("challenge 1"))
        other = append(await store.new_table(), opening=opening("challenge 1"))
        assert await answer(store, other) == Overtaken(first)
        assert await store.table(other.table) is None
        assert await store.table_by_origin("challenge 1") == first
        assert await store.table_by_origin("challenge 2") is None

    async def test_an_origin_opens_one_table_within_a_group(self, store: Store) -> None:
        ids = [await store.new_table(), await store.new_table()]
        both = [append(id, opening=opening("pairing")) for id in ids]
        assert await answers(store, *both) == [Durable(), Overtaken(ids[0])]
        assert await store.read(ids[1], 0, 10) == []

    async def test_tables_without_an_origin_do_not_clash(self, store: Store) -> None:
        assert await opened(store) != await opened(store)

    # Chips

    async def test_chips_move_with_the_step(self, store: Store) -> None:
        ada, bob = await guest(store, 100), await guest(store, 100)
        stakes = [paying(pay(ada, "pot:1:1", 40)), paying(pay(bob, "pot:1:1", 40))]
        prize = paying(pay("pot:1:1", ada, 76), pay("pot:1:1", "house", 4))
        table = await store.new_table()
        assert await answer(store, append(table, 0, *stakes, prize)) == Durable()
        assert await store.balance(ada) == 136
        assert await store.balance(bob) == 60

    async def test_short_names_the_steps_that_cannot_be_paid(self, store: Store) -> None:
        ada, bob = await guest(store, 100), await guest(store, 10)
        table = await opened(store)
        steps = [
            paying(pay(ada, "pot:1:1", 60)),
            paying(pay(ada, "pot:1:1", 60)),
            paying(pay(bob, "pot:1:1", 10)),
            NewRow(b"{}"),
            paying(pay(bob, "pot:1:1", 1)),
            paying(pay(ada, "pot:1:1", 40)),
        ]
        assert await answer(store, append(table, 1, *steps)) == Short((1, 4), ((ada,), (bob,)))
        assert await store.balance(ada) == 100
        assert len(await store.read(table, 0, 10)) == 1
        assert len(await store.statement(ada, before=None, limit=10)) == 1

    async def test_what_an_earlier_step_pays_out_can_be_spent(self, store: Store) -> None:
        ada, bob = await guest(store, 100), await guest(store)
        table = await store.new_table()
        there_and_back = [paying(pay(ada, bob, 100)), paying(pay(bob, ada, 100))]
        assert await answer(store, append(table, 0, *there_and_back)) == Durable()
        backwards = [paying(pay(bob, ada, 1)), paying(pay(ada, bob, 100))]
        assert await answer(store, append(table, 2, *backwards)) == Short((0,), ((bob,),))
        assert (await store.balance(ada), await store.balance(bob)) == (100, 0)

    async def test_a_step_that_cannot_be_paid_moves_nothing(self, store: Store) -> None:
        ada, bob = await guest(store, 50), await guest(store)
        table = await opened(store)
        steps = [
            paying(pay(ada, bob, 50), pay(ada, bob, 1)),
            paying(pay(bob, ada, 50)),
            paying(pay(ada, bob, 50)),
        ]
        assert await answer(store, append(table, 1, *steps)) == Short((0, 1), ((ada,), (bob,)))

    async def test_a_player_pays_once_at_two_tables_within_a_group(self, store: Store) -> None:
        ada = await guest(store, 100)
        ids = [await opened(store), await opened(store), await opened(store)]
        stakes = [append(id, 1, paying(pay(ada, f"pot:{id}:1", 60))) for id in ids]
        stakes[2] = append(ids[2], 1, paying(pay(ada, f"pot:{ids[2]}:1", 40)))
        assert await answers(store, *stakes) == [Durable(), Short((0,), ((ada,),)), Durable()]
        assert await store.balance(ada) == 0

    async def test_a_conflict_goes_before_a_lack_of_chips(self, store: Store) -> None:
        ada = await guest(store)
        table = await opened(store)
        assert await answer(store, append(table, 5, paying(pay(ada, "house", 1)))) == Overtaken()

    async def test_a_player_who_is_not_there_has_no_chips(self, store: Store) -> None:
        table = await opened(store)
        unpaid = append(table, 1, paying(pay(999, "house", 1)))
        assert await answer(store, unpaid) == Short((0,), ((999,),))

    async def test_short_names_all_who_cannot_pay_a_step(self, store: Store) -> None:
        ada, bob, eve = [await guest(store, chips) for chips in (5, 100, 9)]
        table = await opened(store)
        antes = paying(*(pay(player, f"pot:{table}:1", 10) for player in (eve, bob, ada)))
        assert await answer(store, append(table, 1, antes)) == Short((0,), ((ada, eve),))
        assert await store.balance(bob) == 100

    async def test_a_transfer_is_never_backwards(self, store: Store) -> None:
        for chips in (0, -5):
            with pytest.raises(ValueError, match="at least one chip"):
                store.append(append(1, 0, paying(pay("house", 1, chips))), lambda _: None)

    async def test_nobody_pays_himself(self, store: Store) -> None:
        with pytest.raises(ValueError, match="between two accounts"):
            store.append(append(1, 0, paying(pay(1, 1, 5))), lambda _: None)

    async def test_an_append_has_steps(self, store: Store) -> None:
        empty = msgspec.structs.replace(append(1), rows=())
        with pytest.raises(ValueError, match="at least one row"):
            store.append(empty, lambda _: None)

    # The end

    async def test_stopping_writes_what_was_accepted(self, store: Store) -> None:
        table = await store.new_table()
        told: list[Answer] = []
        for after in range(2000):
            store.append(append(table, after), told.append)
        await store.stop()
        assert told == [Durable()] * 2000
        assert await answer(store, append(table, 2000)) == NotWritten()
