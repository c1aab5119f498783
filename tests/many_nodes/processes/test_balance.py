"""A rolling restart of real nodes, with people who play on at all of them: afterwards the tables
are shared evenly again, and nobody has noticed that they were handed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bus import redis_server
from tests.many_nodes.processes.hall_nodes import hall_nodes
from tests.many_nodes.processes.owners import shared_evenly
from tests.many_nodes.processes.runs import Run, running
from tests.store.postgres_server import new_url
from tests.support.people.traffic import Traffic

IDLE_TABLES = 20
"""At each node."""


async def open_idle(run: Run, node: int) -> None:
    """Tables at which nothing happens; whoever opened them comes back at another node."""
    for number in range(IDLE_TABLES // 10):
        player = await run.guest(f"idle {node}.{number}", node)
        for _ in range(10):
            await player.ask("open_table", game="connect-four")


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_rolling_restart(tmp_path: Path) -> None:
    # Seats of those who open a table and do not sit down are kept for the whole test.
    kept = "lobby.seat_seconds=600"
    with hall_nodes(tmp_path, await new_url(), redis_server.server(), kept) as halls:
        async with running(halls) as run, Traffic(run) as traffic:
            pairs = [await traffic.pair(*place) for place in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
            await traffic.bettor(1)
            for number in range(3):
                await open_idle(run, number)
            for node in halls:
                await node.stop()
                await node.start()
                await traffic.goes_on()
            everyone = [player for pair in pairs for player in pair.players]
            refused = [len(player.refusals) for player in everyone]
            await shared_evenly(halls)
            await traffic.goes_on()
            assert [len(player.refusals) for player in everyone] == refused
            logged = [line for node in halls for line in node.process.stderr]
            assert any("tables_handed_over" in line for line in logged)
