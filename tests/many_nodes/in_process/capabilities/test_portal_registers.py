"""A game server that registers at a node of many hears first whether it is registered: meanwhile
the node reads what became of its matches elsewhere, and asks nothing."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import ServerUnreachable, Unavailable
from gamehall.hall.arena.as_portal.matches import PortalMatches
from tests.hall.halls import until
from tests.many_nodes.in_process.capabilities.test_portal import Server, reachable
from tests.many_nodes.in_process.halls import named_nodes

pytestmark = pytest.mark.slow


async def test_nothing_is_asked_before_a_server_is_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, read_on = asyncio.Event(), asyncio.Event()
    read_again = PortalMatches.read_again

    async def slowly(self: PortalMatches, server: int) -> None:
        reading.set()
        await read_on.wait()
        await read_again(self, server)

    async with named_nodes("a", "b") as (north, south):
        server, portal = Server(), south.hall.portal
        id = await server.register(north)
        server.end("gone")
        await until(lambda: portal.known.node_of(id) is None)
        monkeypatch.setattr(PortalMatches, "read_again", slowly)
        registering = asyncio.create_task(server.register(south))
        await reading.wait()
        with pytest.raises(ServerUnreachable):
            await portal.create(id, 7, 8)
        assert not server.keys
        read_on.set()
        assert await registering == id
        made = await portal.create(id, 7, 8)
        assert server.keys == {made.match: made.key}


async def test_a_server_that_could_not_register_is_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails(self: PortalMatches, server: int) -> None:
        raise Unavailable

    async with named_nodes("a", "b") as (north, south):
        server = Server()
        id = await server.register(north)
        server.end("gone")
        with monkeypatch.context() as patched:
            patched.setattr(PortalMatches, "read_again", fails)
            with pytest.raises(Unavailable):
                await server.register(south)
        await until(lambda: south.hall.portal.known.node_of(id) is None)
        assert await reachable(south) == {id: False}
        await server.register(south)
        assert await reachable(south) == {id: True}


async def test_of_two_links_the_one_that_came_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    first_reads, read_on = asyncio.Event(), asyncio.Event()

    async def first_slowly(self: PortalMatches, server: int) -> None:
        if not first_reads.is_set():
            first_reads.set()
            await read_on.wait()

    async with named_nodes("a", "b") as (north, _):
        monkeypatch.setattr(PortalMatches, "read_again", first_slowly)
        first, last = Server(), Server()
        coming = asyncio.create_task(first.register(north))
        await first_reads.wait()
        id = await last.register(north)
        read_on.set()
        with pytest.raises(Unavailable):
            await coming
        assert not last.ended
        made = await north.hall.portal.create(id, 7, 8)
        assert last.keys == {made.match: made.key}
