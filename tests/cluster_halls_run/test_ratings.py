"""Ratings: rounds of any node count once, whichever node counts them."""

from __future__ import annotations

import asyncio

from gamehall.games.connect_four import Resign
from gamehall.hall.ratings import PAGE
from gamehall.store.store import Rating
from tests.cluster_halls_run.many_halls import Node, me, nodes, until_true
from tests.hall.halls import FakeLink

GAME = "connect-four"


async def play_rated(node: Node, winner: FakeLink, loser: FakeLink, origin: str) -> None:
    people = [me(winner), me(loser)]
    table = await node.hall.seating.open_match(
        people, GAME, {}, drawn=False, rated=True, origin=origin
    )

    async def is_on() -> bool:
        info = await node.store.table(table)
        return info is not None and info.status == "playing"

    await until_true(is_on)
    await node.ask(loser, table, Resign())
    for link in (winner, loser):
        node.hall.seating.leave(link, me(link), table, None, lambda answer: None)

    async def are_free() -> bool:
        return all(online.free for online in people)

    await until_true(are_free)


async def rounds_of(node: Node, link: FakeLink) -> int:
    found: list[Rating] = await node.store.ratings_of(GAME, [me(link).player.id])
    return found[0].rounds if found else 0


async def test_the_leading_node_counts_what_has_ended_elsewhere() -> None:
    async with nodes("a", "b") as (north, south):
        anna, bob = await south.guest("anna"), await south.guest("bob")
        await play_rated(south, anna, bob, "one")
        assert north.hall.nodes.leads

        async def is_counted(count: int = 1) -> bool:
            return await rounds_of(south, anna) == count

        await until_true(is_counted)
        await north.crash()
        await play_rated(south, anna, bob, "two")

        async def are_counted() -> bool:
            return await is_counted(2)

        await until_true(are_counted)
        assert await rounds_of(south, bob) == 2


async def test_a_round_counts_once_when_all_count_at_once() -> None:
    async with nodes("a", "b") as (north, south):
        anna, bob = await south.guest("anna"), await south.guest("bob")
        for number in range(3):
            await play_rated(south, anna, bob, f"game {number}")
            counting = (node.hall.ratings._count() for node in (north, south) * 3)
            await asyncio.gather(*counting)

        async def are_counted() -> bool:
            return not await south.store.unrated_rounds(PAGE)

        await until_true(are_counted)
        assert await rounds_of(south, anna) == 3
