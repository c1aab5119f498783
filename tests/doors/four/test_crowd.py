"""Two hundred games at once, and a list of three hundred players."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import all_of, legal, over, start, update
from tests.doors.four.shapes import board_of
from tests.doors.native.clients import Client

GAMES = 200
LISTED = 300
COMING_AT_ONCE = 50
SETTINGS = ("limits.connections_per_address=0",)


@pytest.fixture
async def crowd(at: Visitors) -> list[Four]:
    """More than the queue of those who wait to be let in would be refused."""
    gate = asyncio.Semaphore(COMING_AT_ONCE)

    async def come(number: int) -> Four:
        async with gate:
            return await at.four(f"player {number}")

    return await all_of(*(come(number) for number in range(2 * GAMES)))


def random_game(rng: Random) -> list[int]:
    """Columns up to the end, one way or the other."""
    columns: list[int] = []
    while not update(columns, "1", "2")["game_over"]:
        columns.append(rng.choice(legal(board_of(columns))))
    return columns


@pytest.mark.slow
async def test_200_games(crowd: list[Four]) -> None:
    rng = Random(200)
    rng.shuffle(crowd)
    games = [(crowd[n], crowd[n + GAMES], random_game(rng)) for n in range(GAMES)]
    assert len({player.id for player in crowd}) == 2 * GAMES
    numbers = await all_of(*(start(first, second) for first, second, _ in games))
    assert len(set(numbers)) == GAMES
    assert await crowd[0].players() == []
    winners = await all_of(*(whole(*game) for game in games))
    assert {1, 2} <= set(winners)
    assert len(await crowd[0].players()) == 2 * GAMES - 1
    for player in crowd[1:]:
        assert not player.left_over


async def whole(first: Four, second: Four, columns: list[int]) -> int:
    """The number of the winner."""
    for turn, column in enumerate(columns):
        (first, second)[turn % 2].play(column)
        for player in (first, second):
            told = await player.take("GAME_UPDATE")
        if turn % 8 == 0:
            assert told == update(columns[: turn + 1], first.id, second.id)
    assert told == update(columns, first.id, second.id)
    number: int = told["winner"] or 0
    await over(first, second, (None, first, second)[number])
    return number


async def test_a_list_of_300(at: Visitors) -> None:
    asking = await at.four("asking")
    names = {}
    for n in range(LISTED):
        if n % 10:
            player = await at.four(f"listed {n}")
            names[player.id] = player.name
        else:
            native: Client = await at.native(f"native {n}")
            names[f"player_{native.id}"] = native.name
    listed = await asking.players()
    assert {player["id"]: player["name"] for player in listed} == names
    assert len(listed) == LISTED
    numbers = [int(player["id"].removeprefix("player_")) for player in listed]
    assert numbers == sorted(numbers)
