"""A hall of one process on a disk that fails, killed and frozen, its power cut and its clock set,
while people play on. In the end it starts on a disk that is well, all goes on, and the checker
judges what everyone was told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from tests.faults.duels import Duel
from tests.faults.one_node_faults import befall
from tests.faults.one_node_world import World
from tests.faults.played import Played
from tests.support.people.traffic import Traffic
from tests.system.e2e.programs import Program

DUELS = 3


async def all_play(world: World, traffic: Traffic) -> None:
    """Everyone comes, and begins."""
    await traffic.pair(0, 0, 0)
    for number in range(DUELS):
        rng = Random(world.rng.random())
        players = [await world.guest("fay"), await world.guest("gus")]
        traffic.add(Duel(rng, *players, seeks=number == 0))
    for _ in range(2):
        await traffic.bettor(0)
    await traffic.bingo(0, 0)
    await traffic.goes_on()


async def _played(seed: int, folder: Path, program: Program | None) -> Played:
    world = World(Random(seed), folder, program)
    try:
        await world.start()
        stuck: Exception | None = None
        try:
            await _play_on(world)
        except (AssertionError, ExceptionGroup) as error:
            # What was told and what is written may say why.
            stuck = error
        await world.end()
        if stuck is not None:
            raise stuck
    except BaseException as error:
        error.add_note("\n".join([*world.story, world.process.report()]))
        raise
    finally:
        world.readers.die()
        await world.kill()
    return Played(world.faults, world.acknowledged)


async def _play_on(world: World) -> None:
    try:
        async with Traffic(world, clocks_are_set=True) as traffic:
            await all_play(world, traffic)
            await befall(world, traffic)
            world.disk.heal()
            await traffic.goes_on()
        await asyncio.gather(*(player.catch_up() for player in world.people))
    finally:
        await asyncio.gather(*(player.leave() for player in world.people))


def play(seed: int, folder: Path, program: Program | None = None) -> Played:
    """Plays out the run of a seed, with `program` in place of the hall. Raises AssertionError."""
    return asyncio.run(_played(seed, folder, program))
