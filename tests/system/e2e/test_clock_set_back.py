"""A hall that is killed, and started again on a machine whose clock is an hour behind by then."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from websockets.asyncio.client import connect

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json

QUICK = ("sicbo.betting_seconds=0.5", "sicbo.reveal_seconds=0.2", "sicbo.pause_seconds=0.3")


async def rounds(hall: HallProcess, finished: int) -> list[Json]:
    """What the `rfc` door tells of the rounds until so many have finished."""
    told: list[Json] = []
    url = f"ws://127.0.0.1:{hall.ports['rfc']}/"
    async with asyncio.timeout(WAIT_SECONDS), connect(url, proxy=None) as connection:
        await connection.send(json.dumps({"action": "subscribe_rounds"}))
        while [state["status"] for state in told].count("FINISH") < finished:
            message = json.loads(await connection.recv())
            if message["action"] == "round_state":
                told.append(message["payload"])
    return told


async def test_rounds_go_on_after_a_start_an_hour_before_the_last_row(tmp_path: Path) -> None:
    ahead = (*QUICK, "dev.clock_offset_seconds=3600")
    with HallProcess(tmp_path, settings=ahead, doors=("rfc",)) as hall:
        before = await rounds(hall, 1)
        hall.kill()
    with HallProcess(tmp_path, settings=QUICK, doors=("rfc",)) as hall:
        after = await rounds(hall, 2)
    assert before[-1]["closeAt"] < after[-1]["openAt"]
    # Told by the table's own time, and not as an hour that is still to come.
    assert all(state["elapsedTime"] < 600 for state in after)
