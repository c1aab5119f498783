"""Many logins at once: whoever sends them waits, and others hardly do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gamehall.hall.people.fair_threads import spare_cores
from gamehall.hall.people.passwords import WAITING_MAX
from tests.support.processes import HallProcess

LIMIT_SECONDS = 60
FLOOD = 300
SETTINGS = (f"limits.connections_per_address={2 * FLOOD}",)


class Line:
    """A connection to the native door over TCP, from an address of our choice."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self.answers: list[str] = []

    def send(self, action: str, name: str) -> None:
        message = {"action": action, "payload": {"name": name, "password": "secret1"}}
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def answer(self) -> str:
        """The action of the answer, or the code of the refusal."""
        async with asyncio.timeout(LIMIT_SECONDS):
            told: dict[str, Any] = json.loads(await self._reader.readline())
        self.answers.append(told["payload"].get("code", told["action"]))
        return self.answers[-1]


@asynccontextmanager
async def lines(hall: HallProcess, number: int, address: str) -> AsyncIterator[list[Line]]:
    port = hall.ports["native-tcp"]
    opened = [
        Line(*await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0)))
        for _ in range(number)
    ]
    try:
        yield opened
    finally:
        for line in opened:
            line.writer.transport.abort()


async def register(hall: HallProcess, name: str) -> None:
    async with lines(hall, 1, "127.0.0.1") as (someone,):
        someone.send("register", name)
        assert await someone.answer() == "register"


@pytest.mark.parametrize("how", ["closed", "reset"])
async def test_who_hangs_up_keeps_nobody_waiting(tmp_path: Path, how: str) -> None:
    with HallProcess(tmp_path, settings=SETTINGS) as hall:
        await register(hall, "anna")
        async with lines(hall, FLOOD, "127.0.0.1") as flood:
            for line in flood:
                line.send("login", "anna")
                if how == "closed":
                    line.writer.close()
                else:
                    await line.writer.drain()
                    line.writer.transport.abort()
            # From the same address, and while the hall has hardly begun with the first of them.
            async with lines(hall, 1, "127.0.0.1") as (anna,):
                anna.send("login", "anna")
                assert await anna.answer() == "login"


async def test_a_flood_is_told_so_and_others_log_in(tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=SETTINGS) as hall:
        await register(hall, "anna")
        async with (
            lines(hall, FLOOD, "127.0.0.2") as flood,
            lines(hall, 1, "127.0.0.1") as (anna,),
        ):
            for line in flood:
                line.send("login", "anna")
            hearing = [asyncio.create_task(line.answer()) for line in flood]
            async with asyncio.timeout(LIMIT_SECONDS):
                while told(flood).count("unavailable") < FLOOD / 2:
                    await asyncio.sleep(0.01)
            anna.send("login", "anna")
            assert await anna.answer() == "login"
            # The hall was by far not done with those that it let wait.
            assert told(flood).count("login") < WAITING_MAX + spare_cores()
            for task in hearing:
                task.cancel()
            await asyncio.gather(*hearing, return_exceptions=True)


def told(lines: list[Line]) -> list[str]:
    return [answer for line in lines for answer in line.answers]
