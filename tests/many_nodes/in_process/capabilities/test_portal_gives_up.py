"""A match that was asked for long ago, by a node that was frozen perhaps, is given up by another:
whoever wanted it is not told a key then, as its result would not count."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import ServerUnreachable
from gamehall.hall.arena.as_portal import matches
from gamehall.hall.arena.as_portal.facts import Made, Match
from tests.hall.halls import until
from tests.many_nodes.in_process.capabilities.test_portal import Server
from tests.many_nodes.in_process.halls import NodeHall, named_nodes

pytestmark = pytest.mark.slow


class SlowServer(Server):
    """Answers when it is told to."""

    def create(self, match: Match, key: str) -> None:
        self.keys[match.id] = key


async def given_up(
    server: Server, north: NodeHall, south: NodeHall, monkeypatch: pytest.MonkeyPatch
) -> asyncio.Task[Made]:
    """Who waits at one node for a match that the other one has given up."""
    await south.hall.portal.servers()
    id = await server.register(north)
    waits = asyncio.create_task(north.hall.portal.create(id, 7, 8))
    await until(lambda: bool(server.keys))
    monkeypatch.setattr(matches, "ASKED_MS", -1000)
    await south.hall.portal._matches.heal()
    (match,) = await north.hall.portal.matches(0, 10)
    assert match.status == "failed"
    return waits


async def test_a_match_that_was_given_up_cannot_be_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with named_nodes("a", "b") as (north, south):
        server = SlowServer()
        waits = await given_up(server, north, south, monkeypatch)
        await north.hall.portal.accepted(server.line)
        with pytest.raises(ServerUnreachable):
            await waits


async def test_a_match_that_was_given_up_is_not_made_when_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with named_nodes("a", "b") as (north, south):
        north.hall.portal.create_seconds = 1.0
        server = SlowServer()
        waits = await given_up(server, north, south, monkeypatch)
        with pytest.raises(ServerUnreachable):
            await waits
