"""`gamehall doctor` beside a hall that is played in, and over what a killed one left behind."""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

import pytest

from tests.doors.native.clients import Client, Json
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

SETTINGS = (
    "sicbo.betting_seconds=0.3",
    "sicbo.reveal_seconds=0.01",
    "sicbo.pause_seconds=0.01",
    "limits.messages_per_second=0",
)
LIMIT_SECONDS = 60


async def examined(data: Path) -> str:
    """What the doctor says of books that it calls sound."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gamehall", "doctor", "--data", str(data),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(program.communicate(), LIMIT_SECONDS)
    assert program.returncode == 0, said.decode()
    return said.decode()


async def bet_on(client: Client, table: int) -> None:
    """Bets without a pause, round after round; between rounds it is refused."""
    for number in count(1):
        command: Json = {
            "type": "bet",
            "side": ("BIG", "SMALL")[number % 2],
            "amount": number % 50 + 1,
        }
        await client.request("act", {"table": table, "command": command})


@pytest.mark.slow
async def test_a_hall_that_is_played_in_and_is_then_killed(tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=SETTINGS) as hall:
        at = Visitors(hall)
        people = [await at.guest(door="tcp") for _ in range(3)]
        for client in people:
            await client.ask("seek", game="sicbo")
            view = await client.notice("table_view", game="sicbo")
        betting = [asyncio.create_task(bet_on(client, view["table"])) for client in people]
        for rounds in (2, 4):
            await people[0].until(
                lambda rounds=rounds: len(people[0].heard("table_over")) >= rounds or None,  # type: ignore[misc]
                f"the end of round {rounds}",
            )
            said = await examined(tmp_path)
            assert "3 players" in said
            assert not [task for task in betting if task.done()], "they bet all the while"
        hall.kill()
        for task in betting:
            task.cancel()
        await asyncio.gather(*betting, return_exceptions=True)
        log = tmp_path / "hall.db-wal"
        assert log.stat().st_size > 0, "what a killed hall leaves behind"
        before = log.read_bytes(), (tmp_path / "hall.db").read_bytes()
        said = await examined(tmp_path)
        assert (log.read_bytes(), (tmp_path / "hall.db").read_bytes()) == before
        assert "1 running rounds" in said or "0 running rounds" in said
        hall.start()
        await examined(tmp_path)
        assert hall.stop() == 0
        await examined(tmp_path)
