"""What holds for any store: requests of earlier rounds are found by their ids."""

from __future__ import annotations

from typing import Any

from gamehall.store.appends import Durable, NewRow, Request, Summary
from gamehall.store.journals import Line
from gamehall.store.store import Store
from tests.contract.store_builders import NOW_MS, answer, append, opened, summary

ODD_ID = 'a"\u2028\x00ö'


def asked(player: int, id: str, **how: Any) -> NewRow:
    return NewRow(f'{{"{player}":"…"}}'.encode(), Request(player, id, b"digest", **how))


class RequestsContract:
    async def begun(self, store: Store) -> int:
        """A table with rows 2 to 6 in its first round; rows 7 and 8 are in the second."""
        table = await opened(store)
        first = (asked(1, "a"), asked(2, "a"), asked(1, "bet", by_round=True), asked(1, ODD_ID))
        assert await answer(store, append(table, 1, *first, NewRow(b"{}"))) == Durable()
        assert await store.used_ids(table, 1, 10) == []
        # Those before the row that opens the round are of the round before, in the same append too.
        second = (asked(2, "b"), asked(1, "opens it"))
        assert await answer(store, append(table, 6, *second, summary=_second(8))) == Durable()
        return table

    async def test_ids_of_earlier_rounds(self, store: Store) -> None:
        table = await self.begun(store)
        assert sorted(await store.used_ids(table, 1, 10)) == sorted(["a", ODD_ID])
        assert sorted(await store.used_ids(table, 2, 10)) == ["a", "b"]
        assert len(await store.used_ids(table, 1, 1)) == 1
        assert await store.used_ids(table, 3, 10) == []
        assert await store.used_ids(await opened(store), 1, 10) == []
        # Nothing is entered twice, and the next round brings the rest.
        changed = append(table, 8, asked(1, "c"), summary=_second(8))
        assert await answer(store, changed) == Durable()
        third = append(table, 9, summary=Summary("playing", 3, 10, (), 0))
        assert await answer(store, third) == Durable()
        ids = await store.used_ids(table, 1, 10)
        assert sorted(ids) == sorted(["a", ODD_ID, "opens it", "c"])

    async def test_the_row_of_a_request(self, store: Store) -> None:
        table = await self.begun(store)
        found = await store.request(table, 1, ODD_ID)
        assert found == Line(5, '{"1":"…"}'.encode(), Request(1, ODD_ID, b"digest"))
        assert await store.request(table, 2, "a") == (await store.read(table, 2, 1))[0]
        for player, id in ((1, "bet"), (1, "b"), (1, "opens it"), (3, "a")):
            assert await store.request(table, player, id) is None
        assert await store.request(await opened(store), 1, "a") is None

    async def test_the_row_of_a_request_among_some(self, store: Store) -> None:
        table = await self.begun(store)
        again = append(table, 8, asked(1, "bet", by_round=True), asked(1, "bet", by_round=True))
        assert await answer(store, again) == Durable()

        async def seq(first: int, last: int, player: int = 1, id: str = "bet") -> int | None:
            found = await store.request_between(table, player, id, first, last)
            assert found is None or found.request is not None
            return None if found is None else found.seq

        assert await seq(1, 7) == await seq(4, 4) == 4
        assert await seq(1, 9) == 9
        assert await seq(1, 10) == 10
        assert await seq(5, 8) is None
        assert await seq(1, 10, player=2) is None
        assert await seq(1, 10, id="a") == 2
        assert await seq(1, 10, id=ODD_ID) == 5

    async def test_a_request_says_what_it_counts_in(self, store: Store) -> None:
        table = await self.begun(store)
        lines = [line.request for line in await store.read(table, 1, 4)]
        assert [request is not None and request.by_round for request in lines] == [
            False, False, True, False,
        ]  # fmt: skip

    async def test_what_is_forgotten_is_known_to_have_been(self, store: Store) -> None:
        table = await self.begun(store)
        closing = append(table, 8, summary=summary("closed", round=2, round_seq=8))
        assert await answer(store, closing) == Durable()
        assert await store.forget(NOW_MS + 1000, 10) == 1
        assert await store.table(table) is None
        assert await store.used_ids(table, 1, 10) == []
        assert await store.request(table, 1, "a") is None
        assert await store.had_table(table)
        for never in (table + 1, 0, -1, 2**31 - 1):
            assert not await store.had_table(never)


def _second(round_seq: int) -> Summary:
    return Summary("playing", 2, round_seq, (), 0)
