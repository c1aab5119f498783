"""Many players who do anything at any time: nothing is lost, and nobody is left as if in a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import all_of, legal, whole_game
from tests.doors.four.wanderers import Hall, Wanderer
from tests.support.waiting import WAIT_SECONDS

SETTINGS = (
    # Enough for those who want to accept in time, on a busy machine too.
    "lobby.challenge_seconds=5",
    "table.grace_seconds=0.3",
    "limits.messages_per_second=0",
    "limits.connections_per_address=0",
)
HAPPENED = {"dropped", "left", "challenged", "accepted", "refused", "was refused", "over"}


@pytest.mark.parametrize("seed", [1, 2])
async def test_everyone_is_free_again(at: Visitors, seed: int) -> None:
    await stress(at, seed, count=8, seconds=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 7))
async def test_for_a_long_time(at: Visitors, seed: int) -> None:
    await stress(at, seed, count=24, seconds=20)


async def stress(at: Visitors, seed: int, count: int, seconds: float) -> None:
    rng = Random(seed)
    hall = Hall(at)
    everyone = [Wanderer(hall, Random(rng.random())) for _ in range(count)]
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds

    def goes_on() -> bool:
        """For so long, and until everything has happened, which takes a busy machine longer."""
        assert loop.time() < until + WAIT_SECONDS, hall.counts
        return loop.time() < until or not hall.counts.keys() >= HAPPENED

    await all_of(*(wanderer.wander(goes_on) for wanderer in everyone))
    # Every challenge gets its outcome, and whoever is in a game has someone opposite.
    await settled(everyone, lambda: not any(wanderer.waits for wanderer in everyone))
    await settled(everyone, lambda: all(opposite(everyone, one) for one in everyone if one.game))
    await all_of(*(finish(wanderer) for wanderer in everyone))
    clients = [wanderer.client for wanderer in everyone]
    await all_free(clients)
    for pairs in rounds(clients):
        await all_of(*(whole_game(*pair) for pair in pairs))


async def settled(everyone: list[Wanderer], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            for wanderer in everyone:
                await wanderer.look()
            if holds():
                return
            await asyncio.sleep(0.05)


def opposite(everyone: list[Wanderer], one: Wanderer) -> bool:
    others = [other for other in everyone if other is not one and other.game == one.game]
    assert len(others) <= 1
    return bool(others) and others[0].number == 3 - one.number


async def finish(wanderer: Wanderer) -> None:
    while wanderer.game is not None:
        if wanderer.is_my_turn:
            await wanderer.play(legal(wanderer.board)[0])
        else:
            await wanderer.look()
            await asyncio.sleep(0.001)


async def all_free(clients: list[Four]) -> None:
    """Each sees all others and nobody else: none is hidden, and no one who went is left over."""
    ids = {client.id for client in clients}
    async with asyncio.timeout(WAIT_SECONDS):
        for client in clients:
            while set(await client.ids()) != ids - {client.id}:
                await asyncio.sleep(0.05)


def rounds(clients: list[Four]) -> list[list[tuple[Four, Four]]]:
    """Every pair once, and nobody twice in one round."""
    left, found = list(combinations(clients, 2)), []
    while left:
        busy: set[str] = set()
        chosen = []
        for pair in left:
            if not busy & {pair[0].id, pair[1].id}:
                chosen.append(pair)
                busy |= {pair[0].id, pair[1].id}
        left = [pair for pair in left if pair not in chosen]
        found.append(chosen)
    return found
