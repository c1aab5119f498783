"""A hall of one process on a disk that fails, and the people who play there."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from pathlib import Path
from random import Random

from gamehall.simulation.checker.evidence import Evidence, judge
from tests.faults import small_folds
from tests.faults.disk import FaultyDisk, library
from tests.faults.readers import Readers
from tests.faults.sqlite_records import read_records
from tests.support import hall_logs
from tests.support.people.connections import Door
from tests.support.people.listeners import limit, renew_limits
from tests.support.people.players import Player
from tests.support.processes import HallProcess, Process
from tests.system.e2e.programs import Program

SETTINGS = (
    # Tests are faster than people.
    "limits.messages_per_second=0",
    "bingo.pause_seconds=0.02",
    "bingo.ready_seconds=1",
    "sicbo.betting_seconds=1.5",
    "sicbo.reveal_seconds=0.2",
    "sicbo.pause_seconds=0.2",
)
LOOK_SECONDS = 0.01
FAILING_POINTS_MAX = 100
"""In so many writes and syncs there are some of both."""


class World:
    """What all of a run share."""

    number = 0

    def __init__(self, rng: Random, folder: Path, program: Program | None) -> None:
        self.rng = rng
        self.data = folder / "data"
        self.data.mkdir()
        self.disk = FaultyDisk(self.data, folder, library())
        self.readers = Readers(self.data)
        self.faults: Counter[str] = Counter()
        self.story: list[str] = []
        """What befell the hall, and when: for the report of a broken run."""
        self._began = time.monotonic()
        self.process = HallProcess(
            self.data,
            settings=SETTINGS,
            environment=self.disk.environment,
            **(program or small_folds.HALL),
        )
        self.people: list[Player] = []

    def url(self, door: str) -> str:
        return self.process.ws_url if door == "ws" else self.process.tcp_url

    async def guest(self, name: str, at: int = 0) -> Player:
        """Someone new; every other one comes over WebSocket."""
        door: Door = "ws" if len(self.people) % 2 else "tcp"
        player = Player([self], f"{name}-{len(self.people)}", at, door=door)
        self.people.append(player)
        return await player.enter()

    def befalls(self, what: str) -> None:
        """Counts a fault."""
        self.faults[what] += 1
        self.tell(what)

    def tell(self, what: str) -> None:
        self.story.append(f"{time.monotonic() - self._began:.2f} s: {what}")

    # The hall's process

    async def start(self) -> bool:
        """Whether the hall is ready; it is not if it was struck meanwhile, as it was told, and need
        not be while its disk fails."""
        self.disk.prepare()
        self.tell("started")
        renew_limits()
        try:
            await asyncio.to_thread(self.process.start)
        except AssertionError:
            if self.process.running or not (self.disk.has_struck or self.disk.failures_left):
                raise
            self.tell("it ends before it is ready")
            return False
        self.tell("ready")
        self.readers.hall_is_ready()
        renew_limits()
        return True

    async def kill(self) -> None:
        await asyncio.to_thread(self.process.kill)
        self.tell("killed")

    async def until_begun(self) -> None:
        """Until the hall's process is there that is being started."""
        async with limit("the hall is started"):
            while not self.process.running:
                await asyncio.sleep(LOOK_SECONDS)

    async def until_struck(self) -> None:
        """Until the signal has come that the disk sends."""
        async with limit("the hall writes"):
            while not self.disk.has_struck:
                await asyncio.sleep(LOOK_SECONDS)

    async def until_failed(self) -> None:
        """Until everything has failed that should, or would have."""
        enough = self.disk.points + FAILING_POINTS_MAX
        async with limit("the hall writes"):
            while self.disk.failures_left and self.disk.points < enough:
                await asyncio.sleep(LOOK_SECONDS)

    async def read(self) -> None:
        """Someone begins to read, beside the hall or what a dead one has left."""
        running = self.process.running
        who = await asyncio.to_thread(self.readers.begin, self.rng, beside_a_hall=running)
        self.befalls(f"{who} beside {'a hall' if running else 'a recovery'}")

    # What is demanded of it in the end

    async def end(self) -> None:
        """Stops the hall, which was started if it had ended. Raises AssertionError for whatever was
        not as it should be."""
        self.disk.heal()
        if not self.process.running:
            await self.start()
        os.kill(self.process.pid, signal.SIGCONT)
        await asyncio.to_thread(self.readers.finish)
        code = await asyncio.to_thread(self.process.stop)
        assert code == 0, f"it did not stop well: {code}"
        await asyncio.to_thread(self._check)

    def _check(self) -> None:
        records, ledger, order = read_records(self.data / "hall.db")
        judge(
            Evidence(
                [player.transcript for player in self.people],
                records,
                ledger,
                moments=self.readers.moments,
                order=order,
            )
        )
        with Process("doctor", f"--data={self.data}") as doctor:
            assert doctor.wait() == 0, doctor.report()
        allowed = hall_logs.FAILING_DISK if self.disk.has_failed else ()
        faults = hall_logs.faults(self.process.stderr, allowed)
        assert not faults, faults

    @property
    def acknowledged(self) -> int:
        return sum(
            message.get("requestId") is not None and message["action"] != "error"
            for player in self.people
            for message in player.transcript.heard()
        )
