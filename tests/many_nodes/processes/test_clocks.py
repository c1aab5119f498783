"""Nodes whose clocks are an hour wrong, this way and that, play as if they were right."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gamehall.simulation.checker.journals import read_books
from tests.bus import redis_server
from tests.many_nodes.processes.hall_nodes import hall_nodes
from tests.many_nodes.processes.records import read_records
from tests.many_nodes.processes.runs import running
from tests.store.postgres_server import new_url
from tests.support.people.traffic import Traffic

HOUR_SECONDS = 3600


@pytest.mark.slow
async def test_clocks_that_differ(tmp_path: Path) -> None:
    url = await new_url()
    offsets = (HOUR_SECONDS, -HOUR_SECONDS, 0)
    begun_ms = time.time() * 1000
    with hall_nodes(tmp_path, url, redis_server.server()) as halls:
        async with running(halls, offsets_seconds=offsets) as run, Traffic(run) as traffic:
            for place in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                await traffic.pair(*place)
            for node in range(3):
                # Rounds open and close by the clock.
                await traffic.bettor(node)
            await traffic.goes_on()
            await halls[0].kill()
            await traffic.goes_on()
            await halls[1].kill()
            await traffic.goes_on()
    records = (await read_records(url)).records
    for journal in read_books(records).journals.values():
        for row in journal.rows:
            wrong_seconds = abs(row.at_ms - begun_ms) / 1000
            assert wrong_seconds < HOUR_SECONDS / 2, f"table {journal.table}: {row}"
