"""One round of called Bingo with hundreds and thousands of players."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.doors.caller.clients import Caller, has_bingo
from tests.doors.native.bystanders import undisturbed
from tests.support.processes import HallProcess, allow_many_files

DOORS = ("native-tcp", "caller")
AT_ONCE = 50
"""Connections that are being opened at a time."""
ROUND_SECONDS = 300.0


async def arrive(port: int, count: int) -> list[Caller]:
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> Caller:
        async with turn:
            return await Caller.join(port, f"player {number}", plays=True)

    return list(await asyncio.gather(*(one(number) for number in range(count))))


async def play_with(count: int, data: Path) -> None:
    """One round of so many, to its end, while two people play at another table."""
    allow_many_files(count + 200)
    settings = ("bingo.pause_seconds=0.2", "bingo.ready_seconds=60")
    no_limit = ("limits.connections_per_address=0", "limits.connections=0")
    with HallProcess(data, settings=(*settings, *no_limit), doors=DOORS) as hall:
        async with undisturbed(hall):
            crowd = await arrive(hall.ports["caller"], count)
            crowd[0].say("/start")
            ends = [
                await player.message("wins the round", seconds=ROUND_SECONDS) for player in crowd
            ]
        assert len(set(ends)) == 1, "some were told something else"
        numbers = crowd[0].numbers
        assert all(player.numbers == numbers for player in crowd)
        assert all(len(player.dealt) == 1 for player in crowd)
        assert len({str(player.dealt) for player in crowd}) == count
        winner = crowd[int(ends[0].split()[1])]
        assert winner.card is not None
        assert has_bingo(winner.card)
        listed = await asyncio.to_thread(read, f"{hall.web_url}/api/tables?game=bingo")
        assert [table["count"] for table in listed["tables"]] == [count]


def read(url: str) -> Any:
    with urlopen(url) as answer:
        return json.loads(answer.read())


async def test_a_round_of_two_hundred(tmp_path: Path) -> None:
    await play_with(200, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_round_of_five_thousand(tmp_path: Path) -> None:
    await play_with(5000, tmp_path)
