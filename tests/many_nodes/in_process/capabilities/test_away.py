"""Tournaments of other halls: one node follows them, all show them, also when that one is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gamehall.errors import NoSuchTournament
from gamehall.hall.tournaments.tournaments import Shown
from tests.hall.halls import TestHall, until
from tests.many_nodes.in_process.halls import NodeHall, named_nodes, until_true

pytestmark = pytest.mark.slow


URL = "http://north.example"


class North:
    """Another hall, asked without a network; it counts how often it was."""

    def __init__(self, house: TestHall) -> None:
        self._hall = house.hall
        self.asked = 0

    async def tournament(self, url: str, id: int) -> Shown:
        self.asked += 1
        await asyncio.sleep(0)
        return await self._hall.tournaments.shown(id)


async def opened(house: TestHall) -> int:
    id = await house.hall.tournaments.open({"game": "connect-four", "title": "Cup"})
    await house.hall.tournaments.enter_bots(id, ["random", "random"])
    return id


async def status_at(node: NodeHall, away: int) -> str:
    return (await node.hall.away.shown(away))[1].view.status


async def test_every_node_follows_shows_and_forgets(tmp_path: Path) -> None:
    house = TestHall(tmp_path)
    await house.start()
    north = North(house)
    async with named_nodes("a", "b", other_halls=north) as (first, second):
        first.hall.away.poll_seconds = 0.02
        id = await opened(house)
        away = await second.hall.away.follow(URL, id)
        assert await first.hall.away.follow(URL, id) == away
        assert not second.hall.away._followed, "the leading node alone asks"
        for node in (first, second):
            (followed,) = await node.hall.away.page(0, 10)
            assert (followed.id, followed.url, followed.reachable) == (away, URL, True)
            assert await status_at(node, away) == "open"
        await house.hall.tournaments.begin(id, None)

        async def is_over() -> bool:
            return await status_at(second, away) == "over"

        await until_true(is_over)
        await second.hall.away.forget(away)
        for node in (first, second):
            assert await node.hall.away.page(0, 10) == []
            with pytest.raises(NoSuchTournament):
                await node.hall.away.shown(away)
    await house.stop()


async def test_the_next_node_follows_when_the_first_is_gone(tmp_path: Path) -> None:
    house = TestHall(tmp_path)
    await house.start()
    north = North(house)
    async with named_nodes("a", "b", other_halls=north) as (first, second):
        second.hall.away.poll_seconds = 0.02
        id = await opened(house)
        away = await second.hall.away.follow(URL, id)
        await first.crash()
        (followed,) = await second.hall.away.page(0, 10)
        assert followed.id == away, "it is shown while nobody follows it"
        assert await status_at(second, away) == "open"
        await until(lambda: second.hall.rooms.nodes.leads)
        await house.hall.tournaments.begin(id, None)

        async def is_over() -> bool:
            return await status_at(second, away) == "over"

        await until_true(is_over)
    await house.stop()
