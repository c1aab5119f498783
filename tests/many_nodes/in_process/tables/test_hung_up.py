"""A guest without a token comes back at another node than the one it was at."""

from __future__ import annotations

import asyncio

from gamehall.hall.people.notices import PlayerDropped
from gamehall.table_log.house import Person, Sit
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, nodes


class HangingLink(FakeLink):
    """A client that may have hung up; its node is about to notice."""

    has_hung_up = False
    hall: NodeHall

    @property
    def gone(self) -> bool:
        return self.has_hung_up

    @property
    def kept_briefly(self) -> bool:
        return self.has_hung_up

    def give_way(self) -> None:
        self.hall.hall.people.disconnected(self)


async def seated(a: NodeHall, b: NodeHall, bob: FakeLink | None = None) -> tuple[HangingLink, int]:
    """Anna, a guest of a door without tokens, has a seat and is known at both nodes."""
    anna, bob = HangingLink(), bob or await b.guest("bob")
    anna.hall = a
    player = (await a.hall.people.named_guest(anna, "four", "anna")).player
    table = await b.hall.rooms.tables.open("connect-four", {})
    await b.sit(bob, table)
    await a.hall.rooms.tables.load(table)
    await a.ask(anna, table, Sit(Person(player.id, player.name)))
    await until(lambda: player.id in b.hall.rooms.players.online)
    return anna, player.id


async def test_one_who_is_still_there_keeps_its_place() -> None:
    async with nodes(2) as (a, b):
        _, player = await seated(a, b)
        other = FakeLink()
        arrival = await b.hall.people.named_guest(other, "four", "anna")
        assert not arrival.back
        assert arrival.player.id != player


async def test_one_who_has_hung_up_is_taken_back_at_another_node_at_once() -> None:
    async with nodes(2) as (a, b):
        anna, player = await seated(a, b)
        anna.has_hung_up = True
        arrival = await b.hall.people.named_guest(FakeLink(), "four", "anna")
        assert (arrival.back, arrival.player.id) == (True, player)
        assert anna.online is None


async def test_one_whose_node_died_is_taken_back_when_that_is_known() -> None:
    async with nodes(2) as (a, b):
        _, player = await seated(a, b)
        a.bus.loses = frozenset({"answer"})
        arriving = asyncio.ensure_future(b.hall.people.named_guest(FakeLink(), "four", "anna"))
        await a.crash()
        arrival = await arriving
        assert (arrival.back, arrival.player.id) == (True, player)


async def test_the_owner_keeps_the_seat_briefly_of_one_who_hung_up_at_another_node() -> None:
    async with nodes(2) as (a, b):
        bob = await b.guest("bob")
        anna, player = await seated(a, b, bob)
        anna.has_hung_up = True
        a.hall.people.disconnected(anna)
        await until(lambda: bob.of(PlayerDropped))
        assert [(each.player, each.seconds) for each in bob.of(PlayerDropped)] == [(player, 10)]


async def test_the_owner_keeps_the_seat_for_the_grace_of_one_whose_node_died() -> None:
    async with nodes(2) as (a, b):
        bob = await b.guest("bob")
        _, player = await seated(a, b, bob)
        await a.crash()
        await until(lambda: bob.of(PlayerDropped))
        assert [(each.player, each.seconds) for each in bob.of(PlayerDropped)] == [(player, 60)]
