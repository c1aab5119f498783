"""Ratings follow from rated rounds: once each, also after a restart, and bots apart."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.hall.records.ratings import rated
from gamehall.store.appends import Durable, SeatResult
from gamehall.store.lists import Rating
from tests.contract.store_builders import NOW_MS, answer, append, finished, opening
from tests.hall.halls import LIMIT_SECONDS, TestHall

GAME = "connect-four"


async def player(house: TestHall, name: str, kind: str = "guest") -> int:
    added = await house.store.add_player(name, kind, chips=0, at_ms=NOW_MS)  # type: ignore[arg-type]
    return added.id


async def play(house: TestHall, results: dict[int, str], *, is_rated: bool = True) -> None:
    """A finished round, as a table would have written it."""
    table = await house.store.new_table()
    ended = append(table, opening=opening(rated=is_rated), finished=(finished(results),))
    assert await answer(house.store, ended) == Durable()


async def ratings(house: TestHall, *players: int) -> dict[int, Rating]:
    return {r.player: r for r in await house.store.ratings_of(GAME, players)}


async def count_anew(house: TestHall) -> None:
    """As a hall does that has just started."""
    await house.restart()
    house.hall.spawn(house.hall.rooms.ratings.run())
    async with asyncio.timeout(LIMIT_SECONDS):
        while await house.store.unrated_rounds(1):
            await asyncio.sleep(0.002)


async def test_who_wins_goes_up_and_both_are_known_better(house: TestHall) -> None:
    ada, bob = await player(house, "Ada"), await player(house, "Bob")
    await play(house, {ada: "win", bob: "loss"})
    await count_anew(house)
    found = await ratings(house, ada, bob)
    assert found[ada].mu > 25 > found[bob].mu
    assert found[ada].sigma < 25 / 3
    assert found[ada].rounds == found[bob].rounds == 1


async def test_a_round_counts_once_however_often_the_hall_starts(house: TestHall) -> None:
    ada, bob = await player(house, "Ada"), await player(house, "Bob")
    await play(house, {ada: "win", bob: "loss"})
    for _ in range(3):
        await count_anew(house)
    assert (await ratings(house, ada))[ada].rounds == 1


async def test_casual_rounds_and_mixed_ones_count_for_nobody(house: TestHall) -> None:
    ada, bob = await player(house, "Ada"), await player(house, "Bob")
    bot, other = await player(house, "Robo", "bot"), await player(house, "Tobo", "bot")
    await play(house, {ada: "win", bob: "loss"}, is_rated=False)
    await play(house, {ada: "win", bot: "loss"})
    await play(house, {bot: "win", other: "loss"})
    await count_anew(house)
    found = await ratings(house, ada, bob, bot, other)
    assert found.keys() == {bot, other}
    assert found[bot].bot
    assert [r.player for r in await house.store.best_rated(GAME, bots=True, limit=5)] == [
        bot,
        other,
    ]


@pytest.mark.parametrize(("result", "sign"), [("win", 1), ("draw", 0), ("loss", -1)])
def test_equals(result: str, sign: int) -> None:
    before = [Rating(n, "x", GAME, False, 25.0, 8.0, 3) for n in (1, 2)]
    opposite = {"win": "loss", "draw": "draw", "loss": "win"}[result]
    seats = [SeatResult(0, 1, "x", result), SeatResult(1, 2, "x", opposite)]  # type: ignore[arg-type]
    first, second = rated(before, seats)
    assert (first.mu > second.mu) - (first.mu < second.mu) == sign
    assert first.rounds == 4
