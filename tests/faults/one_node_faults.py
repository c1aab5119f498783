"""What befalls a hall of one process."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from collections.abc import Awaitable, Callable
from random import Random

from tests.faults.disk import LEFT, UNTIL_HEALED, WHEN
from tests.faults.one_node_world import World
from tests.support.people.traffic import Traffic

FAULTS = range(3, 6)
"""So many in a run."""
STEPS = range(25)
"""So many are made between two of them."""
POINTS = range(1, 60)
"""After so many changes or syncs of the disk something happens …"""
POINTS_OF_A_START = range(1, 15)
"""… and while the hall recovers."""
CLOCK_SECONDS = (-86_400, -3_600, -5, 0, 5, 3_600, 86_400)
LASTS_SECONDS = (0.05, 0.3, 0.8)
START_SECONDS = (0.02, 0.1, 0.2, 0.4)
"""After so long a start is frozen, if not at a write or sync: most are ready within a second."""


async def befall(world: World, traffic: Traffic) -> None:
    """One misfortune after the other. The hall runs at the end."""
    rng = world.rng
    for _ in range(rng.choice(FAULTS)):
        await traffic.more(rng.choice(STEPS))
        await world.read()
        what = rng.choice(MISFORTUNES)
        world.befalls(what.__name__)
        await what(world)
        if rng.random() < 0.5:
            await asyncio.to_thread(world.readers.finish)


async def back(world: World) -> None:
    """Starts the hall again, perhaps killed a few times while it recovers, its power cut or not, or
    by a clock that was set meanwhile. Someone reads beside each start."""
    rng = world.rng
    if rng.random() < 0.3:
        world.befalls("clock_set")
        world.disk.set_clock(rng.choice(CLOCK_SECONDS))
    for _ in range(rng.choice((0, 0, 0, 1, 3))):
        await world.read()
        world.befalls("killed_in_recovery")
        world.disk.strike(signal.SIGKILL, rng.choice(POINTS_OF_A_START), rng.choice(list(WHEN)))
        if await world.start() and not world.disk.failures_left:
            # It had no more to recover, and is struck later; on a full disk it writes nothing.
            await world.until_struck()
        await world.kill()
        if rng.random() < 0.3:
            cut(world)
    world.disk.heal()
    await world.read()
    if rng.random() < 0.5:
        await start_and_freeze(world)
    else:
        assert await world.start()


async def start_and_freeze(world: World) -> None:
    """Starts the hall, which is frozen for a while at a write or sync of its recovery, or at any
    moment of it. If it had no more to recover, it is frozen soon after."""
    rng = world.rng
    at_a_write = rng.random() < 0.7
    if at_a_write:
        point = rng.choice(POINTS_OF_A_START)
        world.disk.strike(signal.SIGSTOP, point, rng.choice(list(WHEN)))
    async with asyncio.TaskGroup() as group:
        starting = group.create_task(world.start())
        if at_a_write:
            await world.until_struck()
        else:
            await world.until_begun()
            await asyncio.sleep(rng.choice(START_SECONDS))
            os.kill(world.process.pid, signal.SIGSTOP)
        where = "at_a_write" if at_a_write else "at_a_moment"
        world.befalls(f"frozen_{'after' if starting.done() else 'in'}_recovery, {where}")
        await asyncio.sleep(rng.choice(LASTS_SECONDS))
        os.kill(world.process.pid, signal.SIGCONT)
    assert starting.result()


def cut(world: World) -> None:
    """The hall was killed: it was its machine that went."""
    world.readers.die()
    left = world.rng.choice(LEFT)
    world.befalls(f"power_cut, {left} left")
    # Of its own: how much of it is used depends on how much was not synced.
    world.disk.cut_power(left, Random(world.rng.random()))


# Killed


async def killed(world: World) -> None:
    await world.kill()
    await back(world)


async def killed_at_a_write(world: World) -> None:
    rng = world.rng
    world.disk.strike(signal.SIGKILL, rng.choice(POINTS), rng.choice(list(WHEN)))
    await world.until_struck()
    await killed(world)


async def power_cut(world: World) -> None:
    if world.rng.random() < 0.5:
        world.disk.strike(signal.SIGKILL, world.rng.choice(POINTS), world.rng.choice(list(WHEN)))
        await world.until_struck()
    await world.kill()
    cut(world)
    await back(world)


async def power_cut_after_a_failed_sync(world: World) -> None:
    await syncs_failed(world)
    await power_cut(world)


async def stopped(world: World) -> None:
    """By its operator, in peace."""
    code = await asyncio.to_thread(world.process.stop)
    assert code == 0, f"it did not stop well: {code}"
    await back(world)


# Frozen


async def frozen(world: World) -> None:
    os.kill(world.process.pid, signal.SIGSTOP)
    await asyncio.sleep(world.rng.choice(LASTS_SECONDS))
    os.kill(world.process.pid, signal.SIGCONT)


async def frozen_at_a_write(world: World) -> None:
    rng = world.rng
    world.disk.strike(signal.SIGSTOP, rng.choice(POINTS), rng.choice(list(WHEN)))
    await world.until_struck()
    await asyncio.sleep(rng.choice(LASTS_SECONDS))
    os.kill(world.process.pid, signal.SIGCONT)


async def clock_set_while_it_runs(world: World) -> None:
    world.disk.set_clock(world.rng.choice(CLOCK_SECONDS))


# The disk


async def writes_failed(world: World) -> None:
    world.disk.fail_writes(world.rng.randint(1, 5), errno.EIO)
    await world.until_failed()


async def disk_full(world: World) -> None:
    world.disk.fail_writes(UNTIL_HEALED, errno.ENOSPC)
    await asyncio.sleep(world.rng.choice(LASTS_SECONDS))
    if world.rng.random() < 0.3:
        await killed(world)
    world.disk.heal()


async def syncs_failed(world: World) -> None:
    world.disk.fail_syncs(world.rng.randint(1, 3), reverts=world.rng.random() < 0.5)
    await world.until_failed()


async def syncs_slow(world: World) -> None:
    world.disk.delay_syncs(world.rng.choice((10, 50, 200)))
    await asyncio.sleep(world.rng.choice(LASTS_SECONDS))
    if world.rng.random() < 0.5:
        await killed(world)
    world.disk.heal()


Misfortune = Callable[[World], Awaitable[None]]
MISFORTUNES: tuple[Misfortune, ...] = (
    killed,
    killed_at_a_write,
    power_cut,
    power_cut,
    power_cut_after_a_failed_sync,
    stopped,
    frozen,
    frozen_at_a_write,
    clock_set_while_it_runs,
    writes_failed,
    disk_full,
    syncs_failed,
    syncs_slow,
)
