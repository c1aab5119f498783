"""A client that hangs up at a door without tokens: its rival waits for a short time only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Duelists
from tests.doors.four import playing as four
from tests.doors.four.halls import Visitors as FourVisitors
from tests.doors.four.natives import Native
from tests.doors.native.clients import Client
from tests.doors.practice import playing as practice
from tests.doors.practice.halls import Visitors as PracticeVisitors
from tests.support.processes import HallProcess

GRACE, DROP = 3600.0, 0.5
IN_TIME = 6.0
SETTINGS = (
    f"table.grace_seconds={GRACE}",
    f"table.drop_seconds={DROP}",
    "duel.size=3",
    "practice.begin_ms=0",
)
DOORS = ("native-tcp", "duel", "four", "practice")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall"), settings=SETTINGS, doors=DOORS) as hall:
        yield hall


@asynccontextmanager
async def watching(hall: HallProcess, table: int) -> AsyncIterator[Client]:
    client = await (await Client.connect(hall, "tcp")).hello("watcher")
    await client.ask("watch", table=table)
    yield client
    await client.close()


async def kept_for(watcher: Client, table: int) -> float:
    """How long the seat is kept of whoever drops next."""
    seconds: float = (await watcher.notice("player_dropped", table=table))["seconds"]
    return seconds


async def newest_table(hall: HallProcess) -> int:
    client = await (await Client.connect(hall, "tcp")).hello("looker")
    tables = (await client.ask("list_tables", game="bingo-duel", limit=200))["tables"]
    await client.close()
    return max(int(table["id"]) for table in tables)


@pytest.mark.parametrize("end", ["close", "reset"])
async def test_at_duel(hall: HallProcess, end: str) -> None:
    at = Duelists(hall)
    first, second, _ = at.pair()
    table = await newest_table(hall)
    async with watching(hall, table) as watcher:
        getattr(first, end)()
        assert await kept_for(watcher, table) == DROP
    await asyncio.to_thread(second.take, p.OTHER_LEFT)
    at.leave()


@pytest.mark.parametrize("end", ["close", "reset"])
async def test_at_four(hall: HallProcess, end: str) -> None:
    at = FourVisitors(hall)
    anna, bob = await at.pair()
    game = await four.start(anna, bob)
    async with watching(hall, game) as watcher:
        await ends(bob, end)
        assert await kept_for(watcher, game) == DROP
    await four.over_for(anna, anna)
    await at.leave()


@pytest.mark.parametrize("end", ["cut", "reset", "close", "shut"])
async def test_at_practice(hall: HallProcess, end: str) -> None:
    at = PracticeVisitors(hall)
    game = await practice.match(await at.player("carol"), await at.player("dave"))
    async with watching(hall, game.room) as watcher:
        await ends(game.first, end)
        assert await kept_for(watcher, game.room) == DROP
    await practice.over_for(game.second, game.room, 1, "left")
    await at.leave()


async def ends(client: Any, how: str) -> None:
    ended = getattr(client, how)()
    if ended is not None:
        await ended


@pytest.fixture
def patient_hall(tmp_path: Path) -> Iterator[HallProcess]:
    """Time enough to come back in, also on a busy machine."""
    settings = (*SETTINGS, f"table.drop_seconds={IN_TIME}")
    with HallProcess(tmp_path, settings=settings, doors=DOORS) as hall:
        yield hall


async def test_who_comes_back_in_time_plays_on(patient_hall: HallProcess) -> None:
    at = FourVisitors(patient_hall)
    anna, bob = await at.pair()
    await four.start(anna, bob)
    await bob.reset()
    again = await (await at.stranger()).register(bob.name)
    assert again.id == bob.id
    await again.take("GAME_START")
    await again.take("GAME_UPDATE")
    await someone_loses_by_hanging_up(at)
    await four.play(anna, again, four.WON_BY_FIRST)
    await four.over_for(again, anna)
    await at.leave()


async def test_the_native_door_keeps_its_grace(hall: HallProcess) -> None:
    at = FourVisitors(hall)
    anna, nora = await at.four("anna"), Native(await at.native("nora"))
    await nora.meets(anna, first=True)
    game = nora.table
    async with watching(hall, game) as watcher:
        nora.client.reset()
        assert await kept_for(watcher, game) == GRACE
    await at.leave()


async def test_whom_the_hall_has_closed_keeps_the_grace(hall: HallProcess) -> None:
    at = Duelists(hall)
    first, _, _ = at.pair()
    table = await newest_table(hall)
    async with watching(hall, table) as watcher:
        first.write(p.ints(7))
        first.take(p.REFUSED)
        assert await kept_for(watcher, table) == GRACE
    at.leave()


async def test_everyone_has_the_grace_after_a_restart(hall: HallProcess) -> None:
    at = FourVisitors(hall)
    anna, bob = await at.pair()
    await four.start(anna, bob)
    await asyncio.to_thread(hall.restart)
    for player in (anna, bob):
        await player.end()
    anna = await (await at.stranger()).register(anna.name)
    await anna.take("GAME_START")
    await anna.take("GAME_UPDATE")
    await someone_loses_by_hanging_up(at)
    # Bob has been away for longer than that, and is still waited for.
    bob = await (await at.stranger()).register(bob.name)
    await bob.take("GAME_START")
    await bob.take("GAME_UPDATE")
    await four.play(anna, bob, four.WON_BY_FIRST)
    await four.over(anna, bob, anna)
    await at.leave()


async def someone_loses_by_hanging_up(at: FourVisitors) -> None:
    """After this, the time of whoever hung up before is over, too."""
    carl, dora = await at.four("carl"), await at.four("dora")
    await four.start(carl, dora)
    await dora.reset()
    await four.over_for(carl, carl)
