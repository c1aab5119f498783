"""A portal of several nodes: a game server has its link at one of them, and is there for all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from gamehall.errors import NoSuchServer, ServerRefused, ServerUnreachable, Unavailable
from gamehall.hall.arena.as_portal.facts import Match, MatchStatus, Score
from gamehall.hall.arena.as_portal.line import Line
from gamehall.hall.arena.as_portal.servers import Offer
from tests.hall.halls import until
from tests.many_nodes.in_process.halls import NodeHall, named_nodes, until_true

pytestmark = pytest.mark.slow


BINGO = Offer("203.0.113.7", 27004, "Bingo", "", "")


class Server:
    """A game server, linked to one node."""

    def __init__(self) -> None:
        self.node: NodeHall
        self.line: Line
        self.keys: dict[int, str] = {}
        self.ended = ""
        self.refuses = False
        self.is_silent = False

    async def register(self, node: NodeHall, offer: Offer = BINGO) -> int:
        self.node, self.ended = node, ""
        self.line = await node.hall.portal.register(offer, self)
        return self.line.server

    def create(self, match: Match, key: str) -> None:
        self.keys[match.id] = key
        if self.refuses:
            self.line.rejected("full")
        elif not self.is_silent:
            self.node.hall.spawn(self.node.hall.portal.accepted(self.line))

    def ask_status(self, match: int) -> None:
        pass

    def end(self, reason: str) -> None:
        self.ended = reason
        self.node.hall.portal.unlink(self.line)

    async def result(self, match: int, *scores: int) -> None:
        await self.node.hall.portal.result(self.line, match, *scores)


async def reachable(node: NodeHall) -> dict[int, bool]:
    return {server.id: is_there for server, is_there in await node.hall.portal.servers()}


async def scores(node: NodeHall) -> list[Score]:
    return await node.hall.portal.scores()


async def until_reachable(node: NodeHall, server: int) -> None:
    async def is_there() -> bool:
        return (await reachable(node)).get(server, False)

    await until_true(is_there)


async def test_a_server_at_one_node_is_there_for_all() -> None:
    async with named_nodes("a", "b") as (north, south):
        server = Server()
        id = await server.register(north)
        await until_reachable(south, id)
        made = await south.hall.portal.create(id, 7, 8)
        assert (server.keys[made.match], made.port) == (made.key, BINGO.port)
        await server.node.hall.portal.started(server.line, made.match)
        for node in (north, south):
            (match,) = await node.hall.portal.newest_matches(None, 10)
            assert (match.id, match.status) == (made.match, "running")
        open = north.hall.portal.known.open_at(id)
        open[made.match] = _with_points(open[made.match])
        (match,) = await south.hall.portal.matches(0, 10)
        assert match.score1 == 5, "points that only the node with the link has heard of"
        await server.result(made.match, 9, 3)
        await server.result(made.match, 9, 3)
        for node in (north, south):
            (match,) = await node.hall.portal.matches(0, 10)
            assert (match.status, match.score1, match.score2) == ("over", 9, 3)

        async def is_counted() -> bool:
            return [(score.uid, score.won) for score in await scores(south)] == [(7, 1), (8, 0)]

        await until_true(is_counted)
        assert await scores(north) == await scores(south)


def _with_points(match: Match) -> Match:
    return replace(match, score1=5, score2=1)


async def test_errors_of_the_other_node_are_told() -> None:
    async with named_nodes("a", "b") as (north, south):
        server = Server()
        id = await server.register(north)
        await until_reachable(south, id)
        server.refuses = True
        with pytest.raises(ServerRefused, match="full"):
            await south.hall.portal.create(id, 7, 8)
        with pytest.raises(NoSuchServer):
            await south.hall.portal.create(id + 1, 7, 8)
        server.end("gone")
        await until(lambda: south.hall.portal.known.node_of(id) is None)
        with pytest.raises(ServerUnreachable):
            await south.hall.portal.create(id, 7, 8)
        assert await reachable(south) == {id: False}


async def test_a_link_that_ends_as_soon_as_it_is_there_is_as_none() -> None:
    async with named_nodes("a") as (north,):
        server = Server()
        server.is_silent = True
        id = await server.register(north)
        making = asyncio.create_task(north.hall.portal.create(id, 7, 8))
        await until(lambda: server.keys)
        server.end("gone")
        await server.register(north)
        server.end("gone again")  # Before who waits for a link was woken.
        server.is_silent = False
        await server.register(north)
        made = await making
        assert server.keys == {made.match: made.key}


@pytest.mark.parametrize("deaf", [False, True])
async def test_a_server_whose_node_is_gone_comes_to_another_with_its_matches(deaf: bool) -> None:
    """`deaf`: the others are told of nothing, as when Redis loses it."""
    async with named_nodes("a", "b", "c") as (north, south, west):
        for node in (south, west) if deaf else ():
            del node.hall.rooms.exchange._handlers["portal-match"]
        server = Server()
        id = await server.register(north)
        for node in (south, west):
            await until_reachable(node, id)
        first = await west.hall.portal.create(id, 7, 8)
        second = await north.hall.portal.create(id, 7, 8)
        await server.result(first.match, 1, 0)
        await north.crash()
        await until(lambda: west.hall.portal.known.node_of(id) is None)
        assert await reachable(west) == {id: False}
        assert await server.register(south) == id
        await server.result(first.match, 1, 0)
        await server.result(second.match, 0, 4)
        await until_reachable(west, id)
        third = await west.hall.portal.create(id, 7, 8)
        assert third.match == second.match + 1
        for node in (south, west):

            async def are_counted(node: NodeHall = node) -> bool:
                return [(s.uid, s.played, s.points_for) for s in await scores(node)] == [
                    (8, 2, 4),
                    (7, 2, 1),
                ]

            await until_true(are_counted)


async def test_a_server_that_comes_to_another_node_has_left_the_first() -> None:
    async with named_nodes("a", "b") as (north, south):
        before, after = Server(), Server()
        id = await before.register(north)
        assert await after.register(south) == id
        await until(lambda: before.ended)
        assert not after.ended
        await until_reachable(north, id)
        made = await north.hall.portal.create(id, 7, 8)
        assert made.match in after.keys
        assert not before.keys


async def test_servers_that_register_at_once_are_told_apart() -> None:
    async with named_nodes("a", "b") as (north, south):
        offers = [Offer("203.0.113.7", port, "Bingo", "", "") for port in range(1, 7)]
        registering = (
            Server().register(node, offer)
            for node, offer in zip([north, south] * 3, offers, strict=True)
        )
        ids = await asyncio.gather(*registering)
        assert len(set(ids)) == 6
        for node in (north, south):
            for id in ids:
                await until_reachable(node, id)


async def test_a_match_that_was_in_doubt_at_one_node_counts_there_when_it_ends_at_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with named_nodes("a", "b") as (north, south):
        matches = north.hall.portal._matches
        write = matches.write

        async def doubtful(id: int, only: tuple[MatchStatus, ...], **changes: Any) -> Match | None:
            if changes["status"] == "waiting":
                await write(id, only, **changes)
            raise Unavailable

        server = Server()
        id = await server.register(north)
        with monkeypatch.context() as broken:
            broken.setattr(matches, "write", doubtful)
            with pytest.raises(Unavailable):
                await north.hall.portal.create(id, 7, 8)
        (match,) = await south.hall.portal.newest_matches(None, 10)
        assert match.status == "waiting"
        await server.register(south)
        await server.result(match.id, 1, 0)
        for node in (south, north):

            async def is_counted(node: NodeHall = node) -> bool:
                return [(score.uid, score.won) for score in await scores(node)] == [(7, 1), (8, 0)]

            await until_true(is_counted)
