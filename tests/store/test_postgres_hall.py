"""A hall on PostgreSQL, as its users run it: killed, and with its database away for a while."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.doors.native.clients import Client
from tests.doors.native.playing import WON_BY_FIRST, check_story, drop, match
from tests.doors.native.visitors import Visitors
from tests.store.postgres_server import new_url, server
from tests.support.processes import HallProcess, Process

LIMIT_SECONDS = 60


async def examined(data: Path, url: str) -> str:
    """What the doctor says of books that it calls sound."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gamehall", "doctor", f"--data={data}", f"--set=store.url={url}",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(program.communicate(), LIMIT_SECONDS)
    assert program.returncode == 0, said.decode()
    return said.decode()


async def back(at: Visitors, client: Client, table: int) -> Client:
    again = await at.back(client)
    assert [seat["table"] for seat in again.welcome["tables"]] == [table]
    await again.ask("resume", table=table)
    return again


@pytest.mark.slow
async def test_a_game_goes_on_after_each_kill(tmp_path: Path) -> None:
    url = await new_url()
    with HallProcess(tmp_path, settings=[f"store.url={url}"]) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        table = await match(anna, bob)
        for turn, column in enumerate(WON_BY_FIRST):
            if turn in (2, 5):
                hall.restart()
                anna, bob = await back(at, anna, table), await back(at, bob, table)
            # Numbers of its own, since whoever comes back begins to count anew.
            move = {"table": table, "command": {"type": "drop", "column": column}}
            answer = await (anna, bob)[turn % 2].request("act", move, f"move {turn}")
            assert answer["action"] == "act", answer
        over = [await client.notice("table_over", table=table) for client in (anna, bob)]
        assert over[0] == over[1]
        for client in (anna, bob):
            check_story(client, table)
        said = await examined(tmp_path, url)
        assert said.startswith("postgresql://127.0.0.1:"), said
        assert "hall@" not in said
        with Process("verify", f"{hall.web_url}/api/tables/{table}/journal") as verify:
            assert verify.wait() == 0, verify.report()
        await at.leave()
        assert hall.stop() == 0
    assert not (tmp_path / "hall.db").exists()


@pytest.mark.slow
async def test_a_database_that_is_away_for_a_while(tmp_path: Path) -> None:
    url = await new_url()
    with HallProcess(tmp_path, settings=[f"store.url={url}"]) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        table = await match(anna, bob)
        await drop(anna, table, 3)
        move = {"table": table, "command": {"type": "drop", "column": 3}}
        server().stop()
        try:
            refused = await bob.request("act", move, "the same")
            assert refused["payload"]["code"] == "unavailable", refused
            assert await bob.refused("history") == "unavailable"
        finally:
            server().start()
        async with asyncio.timeout(LIMIT_SECONDS):
            while (answer := await bob.request("act", move, "the same"))["action"] == "error":
                assert answer["payload"]["code"] == "unavailable"
        told = await anna.notice("table_events", table=table, seq=answer["payload"]["seq"])
        assert told["events"][0]["column"] == 3
        await drop(anna, table, 3)
        for client in (anna, bob):
            await client.close()
            check_story(client, table)
        await examined(tmp_path, url)


async def test_another_data_folder_lacks_the_key_of_the_draws(tmp_path: Path) -> None:
    url = await new_url()
    with HallProcess(tmp_path / "one", settings=[f"store.url={url}"]):
        pass
    with Process("serve", f"--data={tmp_path / 'two'}", f"--set=store.url={url}") as other:
        assert other.wait() != 0
    assert "draw-key is missing" in "\n".join(other.stderr)


@pytest.mark.slow
def test_a_doctor_who_cannot_reach_the_database_says_so(tmp_path: Path) -> None:
    url = "postgresql://hall:hunter2@127.0.0.1:1/hall"
    with Process("doctor", f"--data={tmp_path}", f"--set=store.url={url}") as process:
        assert process.wait() != 0
    said = "\n".join(process.stderr)
    assert "PostgreSQL cannot be used" in said, process.report()
    assert "hunter2" not in said
    assert "Traceback" not in said
