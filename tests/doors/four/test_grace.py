"""The grace time is over, or the time to say a name, or the hall itself is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.doors.four.halls import Visitors, open_hall
from tests.doors.four.natives import Native
from tests.doors.four.playing import (
    WON_BY_FIRST,
    all_of,
    over_for,
    play,
    start,
    update,
    whole_game,
)
from tests.support.waiting import WAIT_SECONDS

SETTINGS = ("table.grace_seconds=0.8", "limits.hello_seconds=5")


@pytest.mark.parametrize("moves", [0, 1])
async def test_who_does_not_come_back_has_lost(at: Visitors, moves: int) -> None:
    anna, bob = await at.pair()
    await start(anna, bob)
    await play(anna, bob, (3,)[:moves])
    await bob.reset()
    reason = await over_for(anna, anna)
    assert bob.name in reason
    await anna.quiet()
    again = await (await at.stranger()).register(bob.name)
    assert again.id != bob.id
    await again.quiet()
    await whole_game(again, anna)


async def test_who_comes_back_in_time_plays_on(tmp_path: Path) -> None:
    # Time enough to come back on a busy machine.
    with open_hall(tmp_path, "table.grace_seconds=5") as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        await start(anna, bob)
        await bob.reset()
        again = await (await at.stranger()).register(bob.name)
        assert again.id == bob.id
        await again.take("GAME_START")
        await again.take("GAME_UPDATE")
        # Someone drops later and loses, so the time of the first would be over, too.
        carl, dora = await at.four("carl"), await at.four("dora")
        await start(carl, dora)
        await dora.reset()
        await over_for(carl, carl)
        for player in (anna, again):
            await player.quiet()
        await play(anna, again, WON_BY_FIRST)
        await over_for(again, anna)
        await at.leave()


async def test_a_game_from_which_both_have_dropped(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    watcher = await at.native("watcher")
    await watcher.ask("watch", table=game)
    await all_of(anna.reset(), bob.reset())
    await watcher.notice("table_over", table=game)
    # The other seat is given up right behind the one whose end it was.
    for _ in range(2):
        await watcher.notice("player_left", table=game)
    again = [await (await at.stranger()).register(gone.name) for gone in (anna, bob)]
    assert not {player.id for player in again} & {anna.id, bob.id}
    await whole_game(again[0], again[1])


async def test_a_native_one_who_does_not_come_back(at: Visitors) -> None:
    anna, nora = await at.four("anna"), Native(await at.native("nora"))
    await nora.meets(anna, first=True)
    nora.client.reset()
    await over_for(anna, anna)
    await anna.quiet()


async def test_one_who_never_says_its_name(at: Visitors) -> None:
    anna, bob = await at.pair()
    silent, asking = await at.stranger(), await at.stranger()
    for type in ("LIST_PLAYERS", "PLAY_MOVE", "CHALLENGE"):
        asking.send(type, {})
        await asking.error()
    asking.send("REGISTER", {"name": ""})
    await asking.error()
    for nobody in (silent, asking):
        assert await nobody.error()
        await nobody.end()
    # Who has a name may be silent.
    await whole_game(anna, bob)


async def test_a_hall_that_stops_says_so(at: Visitors) -> None:
    anna, bob = await at.pair()
    nobody = await at.stranger()
    await start(anna, bob)
    anna.play(3)
    for player in (anna, bob):
        assert await player.take("GAME_UPDATE") == update((3,), anna.id, bob.id)
    stopping = asyncio.create_task(asyncio.to_thread(at.hall.stop))
    for client in (anna, bob, nobody):
        assert await client.error()
        await client.end()
    async with asyncio.timeout(WAIT_SECONDS):
        assert await stopping == 0
