"""People at doors of several nodes: taken back by name, told apart, reported, and not broke."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.bots.house_bots import HouseBots
from gamehall.errors import NotBroke
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import Bet
from gamehall.hall.beat.requests import Done
from gamehall.hall.people.guests import Arrival
from gamehall.hall.visitors.duel_hello import Hello
from gamehall.hall.visitors.duel_matches import Place
from tests.hall.halls import FakeLink, answer_of, until
from tests.many_nodes.in_process.halls import NodeHall, me, named_nodes, until_true

pytestmark = pytest.mark.slow


FOUR = "connect-four"


async def arrive(node: NodeHall, name: str) -> tuple[FakeLink, Arrival]:
    link = FakeLink("192.0.2.1")
    return link, await node.hall.people.named_guest(link, "caller", name)


async def sit_down(node: NodeHall, link: FakeLink) -> int:
    opened = await node.hall.new_tables.open_table(
        me(link), FOUR, {}, private=False, bots=["random"], request=None
    )
    answer = await answer_of(
        lambda reply: node.hall.spawn(
            node.hall.seating.sit(link, me(link), opened.table, None, None, None, reply)
        )
    )
    assert isinstance(answer, Done)
    return opened.table


async def test_a_guest_is_taken_back_at_another_node() -> None:
    async with named_nodes("a", "b") as (north, south):
        link, first = await arrive(north, "Ada")
        table = await sit_down(north, link)
        north.hall.people.disconnected(link)
        await until(lambda: not _is_here(south, first.player.id))
        back, again = await arrive(south, "Ada")
        assert (again.player.id, again.back) == (first.player.id, True)
        await until(lambda: table in me(back).seated)


async def test_a_guest_is_taken_back_when_its_node_is_gone() -> None:
    async with named_nodes("a", "b") as (north, south):
        link, first = await arrive(north, "Ada")
        table = await sit_down(north, link)
        await until(lambda: _is_here(south, first.player.id))
        await north.crash()
        await until(lambda: not _is_here(south, first.player.id))
        back, again = await arrive(south, "Ada")
        assert (again.player.id, again.back) == (first.player.id, True)
        await until(lambda: table in me(back).seated)


async def test_namesakes_who_come_to_two_nodes_at_once_are_told_apart() -> None:
    async with named_nodes("a", "b") as (north, south):
        for name in ("Ada", "Bob", "Eve"):
            arrivals = await asyncio.gather(*(arrive(node, name) for node in (north, south) * 2))
            assert len({arrival.player.id for _, arrival in arrivals}) == 4
            assert len({arrival.player.name for _, arrival in arrivals}) == 4


async def test_one_who_dropped_is_taken_back_once() -> None:
    async with named_nodes("a", "b") as (north, south):
        link, first = await arrive(north, "Ada")
        await sit_down(north, link)
        north.hall.people.disconnected(link)
        await until(lambda: not _is_here(south, first.player.id))
        arrivals = await asyncio.gather(*(arrive(node, "Ada") for node in (north, south) * 2))
        assert [arrival.back for _, arrival in arrivals].count(True) == 1
        assert len({arrival.player.id for _, arrival in arrivals}) == 4


def _is_here(node: NodeHall, player: int) -> bool:
    online = node.hall.rooms.players.online.get(player)
    return online is not None and online.here


async def test_both_players_of_a_duel_may_come_at_once_to_two_nodes() -> None:
    async with named_nodes("a", "b") as (north, south):
        duels = [node.hall.duels for node in (north, south)]
        for match in range(5):
            hello = Hello((7, 8), match, "key", fast=False)
            places: list[Place] = []
            await asyncio.gather(
                *(each.enter(FakeLink(), hello, places.append, casual=True) for each in duels)
            )
            assert {place.uid for place in places} == {7, 8}
            assert len({place.table for place in places}) == 1
            for node in (north, south):
                found = node.hall.rooms.tables.loaded(places[0].table)
                assert found is not None
                assert found.kind.game.name == BingoDuel.name


async def test_a_report_is_kept_whoever_else_reports() -> None:
    async with named_nodes("a", "b") as (north, south):
        anna, bob = await north.guest("anna"), await south.guest("bob")
        reports = [
            node.hall.reports.take(me(one).player, me(other).player.id, None, f"{number}")
            for number in range(3)
            for node, one, other in ((north, anna, bob), (south, bob, anna))
        ]
        ids = await asyncio.gather(*reports)
        assert sorted(ids) == [1, 2, 3, 4, 5, 6]
        for node in (north, south):
            assert [report.id for report in await node.hall.reports.page(None, 10)] == [
                6, 5, 4, 3, 2, 1,
            ]  # fmt: skip


async def test_chips_at_stake_at_another_node_count() -> None:
    async with named_nodes("a", "b", start_balance=10_000) as (north, south):
        table = await north.hall.house_tables.table(SicBo.name)
        assert await south.hall.house_tables.table(SicBo.name) == table
        anna = await south.guest("anna")
        await south.hall.seating.watch(anna, table, None)

        async def bets() -> bool:
            answer = await answer_of(
                lambda reply: south.hall.seating.act(
                    me(anna), table, Bet("BIG", 10_000), None, reply
                )
            )
            return isinstance(answer, Done)

        await until_true(bets)
        assert north.owns(table)
        with pytest.raises(NotBroke, match="at stake"):
            await south.hall.people.refill(me(anna))
        assert await south.hall.rooms.stakes.of(me(anna).player.id) == 10_000
        assert await south.hall.house_tables.walked_into(me(anna).player.id) == [table]
        assert isinstance(south.hall.bots, HouseBots)


async def test_the_halls_own_table_is_one_and_outlives_its_node() -> None:
    async with named_nodes("a", "b") as (north, south):
        tables = await asyncio.gather(
            *(node.hall.house_tables.table(SicBo.name) for node in (north, south))
        )
        assert len(set(tables)) == 1
        (table,) = set(tables)
        await south.hall.rooms.tables.load(table)
        for node in (north, south):
            node.hall.house_tables.close_deserted()
        (owner,) = [node for node in (north, south) if node.owns(table)]
        (other,) = [node for node in (north, south) if node is not owner]
        await owner.crash()
        assert await other.hall.house_tables.table(SicBo.name) == table
        anna = await other.guest("anna")
        await other.hall.seating.watch(anna, table, None)
        await until(lambda: other.owns(table))
        assert table in other.hall.rooms.tables.of_the_house
