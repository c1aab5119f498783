"""A hall of several nodes as a game server: one link to the portal, by whichever node leads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from gamehall.games.two_in_turn import Resign
from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.limits import Limits
from gamehall.wire.arena.portal_link import PortalLink
from tests.doors.arena.portal import Portal
from tests.many_nodes.in_process.capabilities.test_matches import FOUR, KEY, claim
from tests.many_nodes.in_process.halls import NodeHall, named_nodes

pytestmark = pytest.mark.slow


OFFER = Offer("hall.example", 8000, FOUR, "", "")


@pytest.fixture
def portal() -> Iterator[Portal]:
    portal = Portal("tcp")
    portal.start()
    yield portal
    portal.stop()


def link(portal: Portal, *halls: NodeHall) -> None:
    for node in halls:
        node.hall.spawn(PortalLink(node.hall.matches, portal.url, OFFER, Limits()).run())


async def do(work: Any, *args: Any) -> Any:
    return await asyncio.to_thread(work, *args)


async def test_the_portal_hears_every_result_whichever_node_is_gone(portal: Portal) -> None:
    async with named_nodes("a", "b", "c") as (north, south, west):
        link(portal, north, south, west)
        server = await do(portal.server, FOUR)
        assert server.registration[0] == "hall.example"
        for number in (1001, 1002):
            assert await do(server.create, number, 7, 8, KEY) is None
        anna, bob = await south.guest("anna"), await west.guest("bob")
        # The newest of those with the same key is meant.
        table = await claim(south, anna, 7)
        assert await claim(west, bob, 8) == table
        await do(server.waits_for, "started", 1002)
        await north.crash()
        after = await do(portal.server, FOUR, server)
        assert after.registration == server.registration
        await west.ask(bob, table, Resign())
        assert await do(portal.result, 1002) == (1, 0)
        second = await claim(south, anna, 7)
        assert await claim(west, bob, 8) == second
        assert second != table
        await south.ask(anna, second, Resign())
        assert await do(portal.result, 1001) == (0, 1)
        open_links = [link for link in portal.links if not link.ended]
        assert len(open_links) <= 2, "the one of the crashed node, perhaps, and one more"


async def test_a_node_that_leads_from_now_on_has_the_link(portal: Portal) -> None:
    async with named_nodes("m", "n") as (first, second):
        link(portal, first, second)
        server = await do(portal.server, FOUR)
        assert await do(server.create, 1001, 7, 8, KEY) is None
        await first.stop()
        after = await do(portal.server, FOUR, server)
        assert await do(after.status, 1001) == (0,)
