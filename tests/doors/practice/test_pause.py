"""Clients that build their game in a thread after 100004, and lose what comes before it is done."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from gamehall.limits import Limits
from gamehall.wire.practice.messages import Said
from gamehall.wire.practice.pause import Pause
from tests.doors.practice import stones
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors, open_hall
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    Match,
    match,
    move,
    moved,
    over,
    over_for,
    play,
    resumed,
)
from tests.doors.practice.shapes import OVER, ROOM, START, TOLD
from tests.support.processes import HallProcess
from tests.wire.net.doors import connect_tcp, open_doors

BUILD_SECONDS = 0.3
SETTINGS = ("practice.begin_ms=3000",)


class LateBuilder(Practice):
    """As the client that exists: whatever a room says before its game is built is lost."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._building: threading.Thread | None = None

    def _take(self, message: bytes) -> None:
        lost = self._building is not None and self._building.is_alive()
        super()._take(message)
        if self.messages and self.messages[-1]["code"] == START:
            self._building = threading.Thread(target=time.sleep, args=(BUILD_SECONDS,))
            self._building.start()
        elif lost and self.messages[-1]["code"] in (ROOM, OVER):
            del self.messages[-1]


class LateVisitors(Visitors):
    async def stranger(self, **how: Any) -> Practice:
        client = await LateBuilder.connect(self.port, **how)
        self._practices.append(client)
        return client


async def test_a_move_right_after_the_start_is_not_lost(hall: HallProcess) -> None:
    at = LateVisitors(hall)
    game = await match(*await at.pair())
    await play(game, stones.WATER_WINS)
    await over(game, 1, "one_stone")
    await at.leave()


async def test_who_comes_back_after_a_crash_sees_all_of_the_game(hall: HallProcess) -> None:
    at = LateVisitors(hall)
    game = await match(*await at.pair())
    moves = stones.WATER_WINS.split()
    await play(game, " ".join(moves[:4]))
    await asyncio.to_thread(hall.restart)
    for seat, player in enumerate(game.players):
        await player.end()
        game = game.with_(seat, await at.back(player))
    for seat, player in enumerate(game.players):
        await resumed(player, game, seat, " ".join(moves[:4]))
    await play(game, stones.WATER_WINS, so_far=4)
    await over(game, 1, "one_stone")
    await at.leave()


@pytest.fixture(scope="module")
def slow_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    """In which a test is over long before the pause is."""
    with open_hall(tmp_path_factory.mktemp("hall"), "practice.begin_ms=60000") as hall:
        yield hall


async def begun(at: Visitors, game: str) -> Match:
    """A match of which the native door says that its first move was made."""
    found = await match(*await at.pair(), game)
    watcher = await at.native()
    await watcher.ask("watch", table=found.room)
    if game == CONNECT_FOUR:
        found.first.act(found.room, "drop", column=3)
    else:
        move(found.first, 0, found.room, "0302")
    await watcher.notice("table_events", table=found.room)
    return found


async def test_nothing_is_told_of_the_room_until_the_pause_is_over(slow_hall: HallProcess) -> None:
    at = Visitors(slow_hall)
    game = await begun(at, CONNECT_FOUR)
    for player in game.players:
        await player.quiet()
    # Who logs out has no game to build.
    game.second.send(200003)
    await game.second.room("dropped", column=3)
    await game.second.room("view")
    assert (await game.second.take(TOLD))["code"] == "logged_out"
    await at.leave()


async def test_what_follows_a_game_comes_after_it(slow_hall: HallProcess) -> None:
    at = Visitors(slow_hall)
    game = await begun(at, "four_stone")
    await game.second.leave()
    await game.first.quiet()
    # The next game begins, so that what is left of the last one has to be told.
    game.first.seek("four_stone")
    await game.first.take(100002)
    third = await at.player("third")
    third.seek("four_stone")
    assert await game.first.take(ROOM) == moved(0, game.room, "0302")
    await over_for(game.first, game.room, 0, "left")
    await game.first.take(START)
    await at.is_closed(game.room)
    await at.leave()


@pytest.mark.parametrize("lost", ["crash", "reset"])
async def test_an_end_in_the_pause_is_told_to_who_comes_back(
    slow_hall: HallProcess, lost: str
) -> None:
    at = Visitors(slow_hall)
    game = await match(*await at.pair())
    await game.second.leave()
    await game.first.quiet()
    if lost == "crash":
        await asyncio.to_thread(slow_hall.restart)
        await game.first.end()
    else:
        await game.first.reset()
    # It may be lost a second time, too.
    for _ in range(2):
        back = await at.back(game.first)
        await resumed(back, game, 0, "")
        await back.quiet()
        await back.reset()
    back = await at.back(game.first)
    await resumed(back, game, 0, "")
    back.send(200003)
    await over_for(back, game.room, 0, "left")
    await at.is_closed(game.room)
    await at.leave()


async def test_who_comes_back_is_told_of_nothing_before_it_has_built(
    slow_hall: HallProcess,
) -> None:
    at = Visitors(slow_hall)
    game = await begun(at, "four_stone")
    await game.second.reset()
    back = await at.back(game.second)
    await back.take(START, room=game.room)
    await back.quiet()
    back.send(200003)
    assert await back.take(ROOM) == moved(0, game.room, "0302")
    await at.leave()


async def test_what_follows_an_end_waits_until_that_is_sent() -> None:
    done: list[str] = []
    async with open_doors() as doors:
        client = await connect_tcp(doors.tcp_port)
        channel = (await doors.echo()).channel
        pause = Pause(channel, 3600, lambda: None)
        pause.then(lambda: done.append("without a pause"))
        assert done.pop() == "without a pause"
        pause.offer([(Said.STARTED, b"start\n"), (Said.ENDED, b"end\n")])
        pause.then(lambda: done.append("after the end"))
        assert done == []
        pause.end()
        assert done.pop() == "after the end"
        assert [await client.receive() for _ in range(2)] == [b"start", b"end"]
        pause.offer([(Said.STARTED, b"start\n"), (Said.ENDED, b"end\n")])
        pause.then(lambda: done.append("never told"))
        channel.close()
        pause.end()
        assert done == []


async def test_what_is_held_back_is_bounded() -> None:
    resumed: list[bool] = []
    async with open_doors(Limits(unsent_bytes=1000)) as doors:
        client = await connect_tcp(doors.tcp_port)
        channel = (await doors.echo()).channel
        pause = Pause(channel, 3600, lambda: resumed.append(True))
        assert pause.offer([(Said.STARTED, b"start\n"), (Said.HAPPENED, b"0\n")])
        fitted = 0
        while pause.offer([(Said.HAPPENED, b"x" * 99 + b"\n")]):
            fitted += 1
        assert 1 <= fitted <= 5
        assert pause.offer([(Said.ENDED, b"end\n")]), "nobody may miss it"
        assert await client.receive() == b"start"
        pause.end()
        assert resumed == [True]
        heard = [await client.receive() for _ in range(fitted + 2)]
        assert heard == [b"0", *[b"x" * 99] * fitted, b"end"]
        assert pause.offer([(Said.HAPPENED, b"live\n")])
        assert await client.receive() == b"live"
