"""How long a game stands still when the node that owns its table is killed, or stops as planned."""

from __future__ import annotations

import asyncio
import signal
import statistics
import time

from nodes_load import Load
from nodes_processes import Hall, Node
from nodes_servers import Shared

MOVE_SECONDS = 0.02
"""Between two moves of each game."""
APART_SECONDS = 0.37
"""Between two kills, so that they come at any moment of a lease."""
CALM_SECONDS = 0.5
"""That a game is played before its node ends, and after it went on."""
PATIENCE_SECONDS = 20.0


async def measure_kills(shared: Shared, lease_seconds: float, times: int) -> None:
    """`times` nodes are killed one after the other; the players of their tables are at one that
    stays."""
    with await shared.new_hall() as hall:
        stays, *victims = await _started(hall, times + 1, lease_seconds)
        runs = []
        for node in victims:
            runs.append(asyncio.create_task(_killed(stays, node)))
            await asyncio.sleep(APART_SECONDS)
        waits = [await run for run in runs]
    multiples = sorted(wait / lease_seconds for wait in waits)
    print(
        f"killed, lease {lease_seconds:.0f} s, {times} times: "
        f"median {statistics.median(waits):.2f} s "
        f"= {statistics.median(multiples):.2f} leases "
        f"({multiples[0]:.2f}–{multiples[-1]:.2f})"
    )


async def measure_stops(shared: Shared, times: int) -> None:
    """Planned stops: the longest that any move took, beside the usual."""
    longest, usual, unavailable = [], [], 0
    with await shared.new_hall() as hall:
        stays, *victims = await _started(hall, times + 1, 3)
        for node in victims:
            load = await _game(stays, node)
            playing = asyncio.create_task(load.pace(1 / MOVE_SECONDS, PATIENCE_SECONDS))
            await asyncio.sleep(CALM_SECONDS)
            before = [timed.seconds for timed in load.acts]
            await asyncio.to_thread(node.end, signal.SIGTERM)
            await asyncio.sleep(CALM_SECONDS)
            playing.cancel()
            load.check()
            longest.append(max(timed.seconds for timed in load.acts[len(before) :]))
            usual += before
            unavailable += load.unavailable
    print(
        f"stopped, {times} times: the longest move took "
        f"{statistics.median(longest) * 1000:.0f} ms (median; at worst {max(longest) * 1000:.0f}), "
        f"the usual {statistics.median(usual) * 1000:.1f} ms: "
        f"{statistics.median(longest) / statistics.median(usual):.1f} times; "
        f"{unavailable} refused as unavailable"
    )


async def _started(hall: Hall, number: int, lease_seconds: float) -> list[Node]:
    return await asyncio.to_thread(hall.start, number, f"store.lease_seconds={lease_seconds}")


async def _game(players_at: Node, owner: Node) -> Load:
    load = Load(careful=True)
    await load.begin(1, owner.url, (players_at.url, players_at.url))
    return load


async def _killed(stays: Node, node: Node) -> float:
    """Seconds from the kill to the answer to the first move that was sent after it."""
    load = await _game(stays, node)
    playing = asyncio.create_task(load.pace(1 / MOVE_SECONDS, PATIENCE_SECONDS))
    await asyncio.sleep(CALM_SECONDS)
    killed_at = time.perf_counter()
    node.end()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not load.acts or load.acts[-1].sent_at < killed_at:
            await asyncio.sleep(0.005)
    first = next(timed for timed in load.acts if timed.sent_at > killed_at)
    await asyncio.sleep(CALM_SECONDS)
    playing.cancel()
    load.check()
    return first.came_at - killed_at
