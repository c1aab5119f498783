"""A hall of one process on a disk that fails, killed and frozen, its power cut and its clock set,
while people play on. In the end it starts on a disk that is well, all goes on, and the checker
judges what everyone was told."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import TypedDict

from gamehall.simulation.checker.evidence import Evidence, judge
from tests.faults.disk import FaultyDisk, library
from tests.faults.duels import Duel
from tests.faults.played import Played
from tests.faults.readers import Readers
from tests.faults.sqlite_records import read_records
from tests.support.people.connections import Door
from tests.support.people.listeners import limit
from tests.support.people.players import Player
from tests.support.people.traffic import Traffic
from tests.support.processes import HallProcess, Process

SETTINGS = (
    # Tests are faster than people.
    "limits.messages_per_second=0",
    "bingo.pause_seconds=0.02",
    "bingo.ready_seconds=1",
    "sicbo.betting_seconds=1.5",
    "sicbo.reveal_seconds=0.2",
    "sicbo.pause_seconds=0.2",
)
DUELS = 3
LOOK_SECONDS = 0.01


class Program(TypedDict, total=False):
    """What is run in place of `gamehall`, if anything is."""

    program: tuple[str, ...]
    folder: Path


class World:
    """The hall, its disk, and the people who play there."""

    number = 0

    def __init__(self, rng: Random, folder: Path, program: Program) -> None:
        self.rng = rng
        self.data = folder / "data"
        self.data.mkdir()
        self.disk = FaultyDisk(self.data, folder, library())
        self.readers = Readers(self.data)
        self.faults: Counter[str] = Counter()
        self.process = HallProcess(
            self.data, settings=SETTINGS, environment=self.disk.environment, **program
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

    # The hall's process

    async def start(self) -> bool:
        """Whether the hall is ready; it is not if it was struck meanwhile, as it was told."""
        self.disk.prepare()
        try:
            await asyncio.to_thread(self.process.start)
        except AssertionError:
            if self.process.running or not self.disk.has_struck:
                raise
            return False
        return True

    async def kill(self) -> None:
        await asyncio.to_thread(self.process.kill)

    async def until_struck(self) -> None:
        """Until the signal has come that the disk sends."""
        async with limit("the hall writes"):
            while not self.disk.has_struck:
                await asyncio.sleep(LOOK_SECONDS)

    async def until_failed(self) -> None:
        """Until everything has failed that should."""
        async with limit("the hall writes"):
            while self.disk.failures_left:
                await asyncio.sleep(LOOK_SECONDS)

    # What is demanded of it in the end

    def check(self) -> None:
        """Raises AssertionError. The hall has stopped."""
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
        faults = [line for line in self.process.stderr if "Traceback" in line]
        assert not faults, faults

    @property
    def acknowledged(self) -> int:
        return sum(
            message.get("requestId") is not None and message["action"] != "error"
            for player in self.people
            for message in player.transcript.heard()
        )


async def all_play(world: World, traffic: Traffic) -> None:
    """Everyone comes, and begins."""
    await traffic.pair(0, 0, 0)
    for number in range(DUELS):
        rng = Random(world.rng.random())
        players = [await world.guest("fay"), await world.guest("gus")]
        traffic.add(Duel(rng, *players, seeks=number == 0))
    for _ in range(2):
        await traffic.bettor(0)
    await traffic.bingo(0, 0)
    await traffic.goes_on()


async def _played(seed: int, folder: Path, program: Program) -> Played:
    from tests.faults.misfortunes import befall

    world = World(Random(seed), folder, program)
    try:
        await world.start()
        async with Traffic(world) as traffic:
            try:
                await all_play(world, traffic)
                await befall(world, traffic)
                world.disk.heal()
                await traffic.goes_on()
            finally:
                await asyncio.gather(*(player.leave() for player in world.people))
        await asyncio.to_thread(world.readers.finish)
        code = await asyncio.to_thread(world.process.stop)
        assert code == 0, f"it did not stop well: {code}"
        await asyncio.to_thread(world.check)
    except BaseException as error:
        error.add_note(world.process.report())
        raise
    finally:
        world.readers.die()
        await world.kill()
    return Played(world.faults, world.acknowledged)


def play(seed: int, folder: Path, program: Program | None = None) -> Played:
    """Plays out the run of a seed. Raises AssertionError."""
    return asyncio.run(_played(seed, folder, program or {}))
