"""Ratings: rounds of any node count once, whichever node counts them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from gamehall.games.two_in_turn import Resign
from gamehall.hall.records.ratings import Ratings
from gamehall.store.lists import RatedRound, Rating
from tests.hall.halls import FakeLink
from tests.many_nodes.in_process.halls import NodeHall, me, named_nodes, until_true

pytestmark = pytest.mark.slow


GAME = "connect-four"


async def play_rated(node: NodeHall, winner: FakeLink, loser: FakeLink, origin: str) -> None:
    people = [me(winner), me(loser)]
    table = await node.hall.new_tables.open_match(
        people, GAME, {}, drawn=False, rated=True, origin=origin
    )

    async def is_on() -> bool:
        info = await node.database.table(table)
        return info is not None and info.status == "playing"

    await until_true(is_on)
    await node.ask(loser, table, Resign())
    for link in (winner, loser):
        node.hall.seating.leave(link, me(link), table, None, lambda answer: None)

    async def are_free() -> bool:
        return all(online.free for online in people)

    await until_true(are_free)


async def rounds_of(node: NodeHall, link: FakeLink) -> int:
    found: list[Rating] = await node.database.ratings_of(GAME, [me(link).player.id])
    return found[0].rounds if found else 0


async def test_the_leading_node_counts_what_has_ended_elsewhere() -> None:
    async with named_nodes("a", "b") as (north, south):
        anna, bob = await south.guest("anna"), await south.guest("bob")
        await play_rated(south, anna, bob, "one")
        assert north.hall.rooms.nodes.leads

        async def is_counted(count: int = 1) -> bool:
            return await rounds_of(south, anna) == count

        await until_true(is_counted)
        await north.crash()
        await play_rated(south, anna, bob, "two")

        async def are_counted() -> bool:
            return await is_counted(2)

        await until_true(are_counted)
        assert await rounds_of(south, bob) == 2


async def nothing(ratings: Ratings) -> None:
    pass


async def test_a_round_counts_once_when_two_nodes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ratings, "run", nothing)
    async with named_nodes("a", "b") as (north, south):
        anna, bob = await south.guest("anna"), await south.guest("bob")
        await play_rated(south, anna, bob, "one")
        has_counted, may_write = asyncio.Event(), asyncio.Event()
        put_ratings, unrated_rounds = south.database.put_ratings, north.database.unrated_rounds

        async def put_late(first: int, upto: int, ratings: Sequence[Rating]) -> None:
            has_counted.set()
            await may_write.wait()
            await put_ratings(first, upto, ratings)

        monkeypatch.setattr(south.database, "put_ratings", put_late)
        counting = asyncio.create_task(south.hall.rooms.ratings._count())
        await has_counted.wait()
        await play_rated(south, anna, bob, "two")

        async def read_then_wait(limit: int) -> list[RatedRound]:
            found = await unrated_rounds(limit)
            may_write.set()
            await counting
            return found

        monkeypatch.setattr(north.database, "unrated_rounds", read_then_wait)
        await north.hall.rooms.ratings._count()
        assert await rounds_of(south, anna) == 1, "it rested on what was changed meanwhile"
        monkeypatch.setattr(north.database, "unrated_rounds", unrated_rounds)
        await north.hall.rooms.ratings._count()
        assert await rounds_of(south, anna) == await rounds_of(south, bob) == 2
