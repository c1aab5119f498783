"""What holds for the facts and the ratings of any store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from gamehall.errors import Unavailable
from gamehall.store.appends import Durable
from gamehall.store.facts import ATTEMPTS_MAX, Fact, Facts, change_fact, every_fact
from gamehall.store.lists import Rating
from gamehall.store.store import Store
from tests.contract.store_builders import answer, append, finished, guest, opening


def rating(player: int, mu: float, sigma: float, *, bot: bool = False, rounds: int = 1) -> Rating:
    return Rating(player, "Ada", "connect-four", bot, mu, sigma, rounds)


class FasterFacts(Facts):
    """Someone else counts a fact up whenever it is read."""

    def __init__(self, store: Store) -> None:
        super().__init__(store._database)
        self._store = store

    async def fact(self, key: str) -> bytes | None:
        before = await self._store.fact(key)
        count = str(int(before or 0) + 1).encode()
        assert await self._store.put_fact(key, count, before)
        return before


class FactsContract:
    async def test_a_fact_is_written_where_nobody_came_first(self, store: Store) -> None:
        assert await store.fact("k") is None
        assert await store.put_fact("k", b"one", None)
        assert await store.fact("k") == b"one"
        assert not await store.put_fact("k", b"two", None), "it is there"
        assert not await store.put_fact("k", b"two", b"other")
        assert await store.put_fact("k", b"two", b"one")
        assert await store.put_fact("k", b"two", b"one"), "sent again"
        assert await store.fact("k") == b"two"

    async def test_of_two_at_once_one_writes(self, store: Store) -> None:
        both = (store.put_fact("k", value, None) for value in (b"a", b"b"))
        assert sorted(await asyncio.gather(*both)) == [False, True]

    async def test_facts_by_the_beginning_of_their_keys(self, store: Store) -> None:
        for key in ("a:2", "a:1", "b:1", "a", "a:10", "a:ü"):
            await store.put_fact(key, key.encode(), None)
        found = await store.facts("a:", "", 10)
        assert [fact.key for fact in found] == ["a:1", "a:10", "a:2", "a:ü"]
        assert found[0] == Fact("a:1", b"a:1")
        assert [fact.key for fact in await store.facts("a:", "a:10", 1)] == ["a:2"]
        assert await store.facts("a_", "", 10) == []

    async def test_a_change_rests_on_what_is_there(self, store: Store) -> None:
        def next_to(name: str) -> Callable[[list[str] | None], list[str] | None]:
            return lambda known: None if known and name in known else [*(known or ()), name]

        names = ("ada", "bob", "eve")
        changes = (change_fact(store, "k", list[str], next_to(name)) for name in names)
        assert all(await asyncio.gather(*changes))
        assert await change_fact(store, "k", list[str], next_to("ada")) is None
        assert sorted(msgspec.json.decode(await store.fact("k") or b"")) == [*names]

    async def test_a_change_that_is_always_too_late(self, store: Store) -> None:
        faster = FasterFacts(store)
        with pytest.raises(Unavailable):
            await change_fact(faster, "k", int, lambda last: (last or 0) + 10)
        assert await store.fact("k") == str(ATTEMPTS_MAX).encode()

    async def test_every_fact_comes_once_whatever_the_page(self, store: Store) -> None:
        for number in range(7):
            await store.put_fact(f"n:{number}", b"", None)
        for page in (1, 3, 7, 8):
            found = [fact.key async for fact in every_fact(store, "n:", page=page, after="n:1")]
            assert found == [f"n:{number}" for number in range(2, 7)]

    async def test_rounds_of_rated_tables_wait_to_be_rated(self, store: Store) -> None:
        ada, bob = await guest(store), await guest(store)
        results = {ada: "win", bob: "loss"}
        for rated in (True, False, True):
            table = await store.new_table()
            ended = append(table, opening=opening(rated=rated), finished=(finished(results),))
            assert await answer(store, ended) == Durable()
        waiting = await store.unrated_rounds(10)
        assert [round.game for round in waiting] == ["connect-four"] * 2
        assert waiting[0].id < waiting[1].id
        assert [seat.result for seat in waiting[0].results] == ["win", "loss"]
        assert await store.unrated_rounds(1) == waiting[:1]
        await store.put_ratings(waiting[0].id, waiting[0].id, [rating(ada, 27.0, 7.0)])
        assert await store.unrated_rounds(10) == waiting[1:]

    async def test_ratings_are_written_once(self, store: Store) -> None:
        ada = await guest(store)
        await store.put_ratings(1, 5, [rating(ada, 27.5, 7.25, rounds=3)])
        await store.put_ratings(1, 5, [rating(ada, 99.0, 1.0)])
        await store.put_ratings(4, 4, [rating(ada, 99.0, 1.0)])
        # Counted by someone who has seen a round more, and yet not what was written meanwhile.
        await store.put_ratings(1, 6, [rating(ada, 99.0, 1.0)])
        assert await store.ratings_of("connect-four", [ada, 999]) == [
            rating(ada, 27.5, 7.25, rounds=3)
        ]
        assert await store.ratings_of("bingo", [ada]) == []

    async def test_the_best_are_those_of_whom_one_can_be_sure(self, store: Store) -> None:
        sure, unsure, bot = await guest(store), await guest(store), await guest(store)
        ratings = [rating(unsure, 30, 8), rating(sure, 27, 1), rating(bot, 40, 1, bot=True)]
        await store.put_ratings(1, 1, ratings)
        best = await store.best_rated("connect-four", bots=False, limit=10)
        assert [r.player for r in best] == [sure, unsure]
        assert [r.player for r in await store.best_rated("connect-four", bots=True, limit=10)] == [
            bot
        ]
        assert len(await store.best_rated("connect-four", bots=False, limit=1)) == 1
