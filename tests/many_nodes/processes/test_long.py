"""One misfortune after the other, at random, while people play on at every node."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from tests.bus import redis_server
from tests.many_nodes.processes.hall_nodes import LEASE_SECONDS, HallNode, hall_nodes
from tests.many_nodes.processes.runs import running
from tests.many_nodes.processes.traffic import Traffic
from tests.store import postgres_server

log = logging.getLogger(__name__)

MISFORTUNES = 12
LASTS_SECONDS = tuple(part * LEASE_SECONDS for part in (0, 0.3, 1, 2))
"""Shorter and longer than a lease."""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.parametrize("seed", [1, 2])
async def test_misfortunes(tmp_path: Path, seed: int, at_once: int) -> None:
    """`at_once`: the next comes before the hall has got over the one before."""
    rng = Random(seed)
    url = await postgres_server.new_url()
    with hall_nodes(tmp_path, url, redis_server.server()) as halls:
        async with running(halls) as run, Traffic(run) as traffic:
            for place in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                await traffic.pair(*place)
            for node in range(3):
                await traffic.bettor(node)
            await traffic.bingo(0, 1, 2)
            for number in range(MISFORTUNES):
                await traffic.goes_on()
                befall = []
                for what, whom in zip(
                    rng.sample(BEFALLS, at_once), rng.sample(halls.nodes, at_once), strict=True
                ):
                    lasts_seconds = rng.choice(LASTS_SECONDS)
                    told = f"{what.__name__}, node {whom.number}, {lasts_seconds:g} seconds"
                    log.warning("%d: %s", number, told)
                    befall.append(what(whom, lasts_seconds))
                await asyncio.gather(*befall)
            await traffic.goes_on()


async def killed(node: HallNode, lasts_seconds: float) -> None:
    await node.kill()
    await asyncio.sleep(lasts_seconds)
    await node.start()


async def stopped(node: HallNode, lasts_seconds: float) -> None:
    await node.stop()
    await asyncio.sleep(lasts_seconds)
    await node.start()


async def frozen(node: HallNode, lasts_seconds: float) -> None:
    node.freeze()
    await asyncio.sleep(lasts_seconds)
    node.thaw()


async def cut_off_from_redis(node: HallNode, lasts_seconds: float) -> None:
    node.redis.refuse()
    await asyncio.sleep(lasts_seconds)
    node.redis.heal()


async def lost_way_to_redis(node: HallNode, lasts_seconds: float) -> None:
    node.redis.hang()
    await asyncio.sleep(lasts_seconds)
    node.redis.heal()


async def cut_off_from_postgresql(node: HallNode, lasts_seconds: float) -> None:
    node.postgres.refuse()
    await asyncio.sleep(lasts_seconds)
    node.postgres.heal()


async def lost_way_to_postgresql(node: HallNode, lasts_seconds: float) -> None:
    node.postgres.hang()
    await asyncio.sleep(lasts_seconds)
    node.postgres.heal()


async def redis_killed(_: HallNode, lasts_seconds: float) -> None:
    redis_server.server().kill()
    await asyncio.sleep(lasts_seconds)
    redis_server.server().start()


async def postgresql_killed(_: HallNode, lasts_seconds: float) -> None:
    postgres_server.server().stop(signal.SIGQUIT)
    await asyncio.sleep(lasts_seconds)
    postgres_server.server().start()


Befalls = Callable[[HallNode, float], Awaitable[None]]
BEFALLS: tuple[Befalls, ...] = (
    killed,
    stopped,
    frozen,
    cut_off_from_redis,
    lost_way_to_redis,
    cut_off_from_postgresql,
    lost_way_to_postgresql,
    redis_killed,
    postgresql_killed,
)
