"""Waiting for someone to play with."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.doors.native.clients import Client
from tests.doors.practice.clients import NOTHING, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    FOUR_STONE,
    all_of,
    match,
    matched,
    over_for,
    play,
    whole_game,
)
from tests.doors.practice.shapes import SEEK, START, WAITING, WITHDRAW, WITHDRAWN
from tests.support.waiting import WAIT_SECONDS


async def waits(player: Practice, *games: str) -> None:
    for game in games:
        player.seek(game)
        assert await player.take(WAITING) is None


async def withdraws(player: Practice) -> None:
    player.send(WITHDRAW)
    assert await player.take(WITHDRAWN) is None


async def test_waiting_twice_is_waiting_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    await waits(anna, FOUR_STONE, FOUR_STONE, "four-stone", FOUR_STONE)
    await waits(bob, FOUR_STONE)
    game = await matched(anna, bob)
    for player in (anna, bob):
        await player.quiet()
    # Nobody is left in the list.
    await whole_game(*await at.pair())
    await play(game, "0302")


async def test_nobody_plays_against_oneself(at: Visitors) -> None:
    anna = await at.player()
    await waits(anna, FOUR_STONE, FOUR_STONE)
    await anna.quiet()


@pytest.mark.parametrize(
    "info", [None, {}, {"game_id": "four_stone"}, NOTHING], ids=lambda i: str(i)[:9]
)
async def test_out_of_the_wait_list(at: Visitors, info: Any) -> None:
    anna, bob = await at.pair()
    for _ in range(2):
        await waits(anna, FOUR_STONE)
        anna.send(WITHDRAW, info)
        assert await anna.take(WITHDRAWN) is None
    await waits(bob, FOUR_STONE)
    for player in (anna, bob):
        await player.quiet()
    await waits(anna, FOUR_STONE)
    await matched(anna, bob)


async def test_out_of_it_without_being_in_it(at: Visitors) -> None:
    anna, bob = await at.pair()
    await withdraws(anna)
    game = await match(anna, bob)
    await withdraws(anna)
    await play(game, "0302")


async def test_several_games_at_once(at: Visitors) -> None:
    """Whichever comes first; then one waits for none of the others."""
    anna, bob = await at.pair()
    carl, dora = await at.pair()
    await waits(anna, FOUR_STONE, CONNECT_FOUR, "nim")
    await waits(bob, CONNECT_FOUR)
    await matched(anna, bob, CONNECT_FOUR)
    await waits(carl, FOUR_STONE)
    await waits(dora, "nim")
    for player in (anna, bob, carl, dora):
        await player.quiet()
    await waits(dora, FOUR_STONE)
    await matched(carl, dora)
    # And it is out of the other list.
    await waits(await at.player(), "nim")
    await dora.quiet()


async def test_out_of_all_lists_at_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl = await at.player()
    await waits(anna, FOUR_STONE, CONNECT_FOUR)
    await withdraws(anna)
    await waits(bob, FOUR_STONE)
    await waits(carl, CONNECT_FOUR)
    for player in (anna, bob, carl):
        await player.quiet()


async def test_only_who_wants_the_same_game_is_matched(at: Visitors) -> None:
    anna, bob = await at.pair()
    await waits(anna, FOUR_STONE)
    await waits(bob, CONNECT_FOUR)
    for player in (anna, bob):
        await player.quiet()


async def test_in_a_room_one_cannot_wait(at: Visitors) -> None:
    game = await match(*await at.pair())
    for player in game.players:
        for name in (FOUR_STONE, CONNECT_FOUR, "bingo", "bingo-duel", "nim"):
            player.send(SEEK, {"game_id": name})
            assert await player.error() == "not_free"
        await player.quiet()
    await play(game, "0302")
    game.first.act(game.room, "resign")
    for player in game.players:
        await over_for(player, game.room, 1, "resigned")
        await waits(player, FOUR_STONE)
    await matched(*game.players)


@pytest.mark.parametrize("game", ["chess", "", "FOUR_STONE", "four stone", "x" * 1000, "🎲"])
async def test_a_game_that_is_not_there(at: Visitors, game: str) -> None:
    anna = await at.player()
    anna.seek(game)
    assert await anna.error() == "no_such_game"
    await anna.quiet()


@pytest.mark.parametrize("end", ["close", "reset", "shut"])
async def test_who_has_gone_is_not_matched(at: Visitors, end: str) -> None:
    anna, bob = await at.pair()
    nora = await at.native()
    await waits(anna, FOUR_STONE)
    if end == "shut":
        anna.shut()
    else:
        await getattr(anna, end)()
    await is_gone(nora, anna.name)
    await waits(bob, FOUR_STONE)
    await bob.quiet()
    carl = await at.player("carl")
    await waits(carl, FOUR_STONE)
    await matched(bob, carl)


async def is_gone(nora: Client, name: str) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while name in str((await nora.ask("list_players", limit=200))["players"]):
            await asyncio.sleep(0.02)


async def test_who_comes_back_does_not_wait_any_more(at: Visitors) -> None:
    anna, bob = await at.pair()
    await waits(anna, FOUR_STONE)
    await anna.reset()
    again = await at.back(anna)
    await again.quiet()
    await waits(bob, FOUR_STONE)
    await bob.quiet()
    await waits(again, FOUR_STONE)
    await matched(again, bob)


async def test_in_the_order_in_which_they_came(at: Visitors) -> None:
    players = [await at.player() for _ in range(6)]
    for player in players:
        player.seek(FOUR_STONE)
        await player.take(WAITING)
    for first, second in zip(players[::2], players[1::2], strict=True):
        await matched(first, second)


async def test_many_at_once(at: Visitors) -> None:
    """Everyone finds someone, and no two rooms are one."""
    players = await all_of(*(at.player() for _ in range(20)))
    for player in players:
        player.seek(FOUR_STONE)
    rooms: dict[int, list[int]] = {}
    for player in players:
        await player.take(WAITING)
        start = await player.take(START)
        rooms.setdefault(start["room"], []).append(start["move_turn"])
    assert len(rooms) == 10
    assert all(sorted(seats) == [0, 1] for seats in rooms.values())


async def test_seats_are_drawn(at: Visitors) -> None:
    """Who waited is not always the one who begins."""
    anna, bob = await at.pair()
    seats = set[bool]()
    async with asyncio.timeout(WAIT_SECONDS):
        while len(seats) < 2:
            game = await match(anna, bob)
            seats.add(game.first is anna)
            game.first.act(game.room, "resign")
            for player in game.players:
                await over_for(player, game.room, 1, "resigned")
