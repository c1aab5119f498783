"""Three real nodes on a real PostgreSQL and Redis. People play at all of them while a seed decides
what befalls nodes, servers and the ways between them.

The people are those of the simulated worlds (`gamehall.simulation.clients.person`), over real
sockets. In the end all is well again: everything is played out, and judged by the one checker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from gamehall.simulation.checker.transcripts import Transcript
from gamehall.simulation.clients.person import Person
from gamehall.simulation.peace import Peace
from gamehall.simulation.story import DEEDS, PEOPLE
from tests.bus import redis_server
from tests.faults.disk import FaultyDisk, library
from tests.faults.played import Played
from tests.faults.three_nodes_faults import CLOCKS_SECONDS, LEASE_SECONDS, Faults
from tests.faults.three_nodes_streets import Streets
from tests.many_nodes.processes.hall_nodes import HallNodes, hall_nodes
from tests.many_nodes.processes.owners import OwnerWatch, shared_evenly
from tests.many_nodes.processes.runs import check_hall
from tests.store.postgres_server import new_url
from tests.support.people.players import Player
from tests.system.e2e.programs import Program

NODES = 3
FAULTS = (2, 3, 4, 6)
STEPS = (0, 1, 1, 2)
"""Of clocks, beside them."""
FAULTS_SECONDS = 9.0
"""In which all of them begin."""
BEFORE_SECONDS = 1.0
DEED_SECONDS = 0.12
"""Between two deeds of one person, about."""
PATIENCE_SECONDS = 6.0
"""After so long without an answer a person tries another node: far less than a run takes."""
PEACE_SECONDS = 90.0
"""How long anything may take when all is well again, on a machine that is busy with much else."""
MOVES = 4
"""So often everyone moves wherever it can, before those who still play give in."""
ROLLS = 0.2
"""How many runs have a rolling restart, after which the tables are shared evenly again."""
IDLE_TABLES = 10
"""That someone opens at each node in such a run. Nobody else sits down there."""
SETTINGS = (
    f"store.lease_seconds={LEASE_SECONDS}",
    "table.grace_seconds=10",
    "table.rematch_seconds=10",
    "lobby.challenge_seconds=10",
    "duel.size=4",
)


def play(seed: int, folder: Path, program: Program | None = None) -> Played:
    """Raises AssertionError, which says what was broken. `program`: in place of `gamehall`."""
    return asyncio.run(_play(seed, folder, program))


async def _play(seed: int, folder: Path, program: Program | None) -> Played:
    url, redis = await new_url(), redis_server.server()
    rolls = Random(f"{seed} rolls").random() < ROLLS
    seats = f"lobby.seat_seconds={600 if rolls else 10}"
    data = folder / "data"
    data.mkdir()
    machines = [_machine(data, folder / f"machine-{number}") for number in range(NODES)]
    environments = [machine.environment for machine in machines]
    settings = (*SETTINGS, seats)
    with hall_nodes(
        data, url, redis, *settings, program=program, environments=environments
    ) as halls:
        run = Run(seed, halls, machines, rolls=rolls)
        try:
            return await run.play()
        except BaseException as error:
            error.add_note(f"faults: {dict(run.faults.happened)}\n{halls.report()}")
            error.add_note("\n".join(run.story()))
            raise


def _machine(data: Path, folder: Path) -> FaultyDisk:
    """One for each node, which has its clock."""
    folder.mkdir()
    return FaultyDisk(data, folder, library())


class Run:
    def __init__(
        self, seed: int, halls: HallNodes, machines: Sequence[FaultyDisk], *, rolls: bool
    ) -> None:
        self._rng = Random(f"{seed} three nodes")
        self._halls = halls
        self._rolls = rolls
        self._idle = [Player(halls.nodes, f"idle {at}", at) for at in range(NODES if rolls else 0)]
        self._streets = Streets(halls.nodes, Random(f"{seed} streets"))
        self._people = [Person(self._streets, name) for name in PEOPLE]
        for person in self._people:
            person.patience_seconds = PATIENCE_SECONDS
        self._peace = Peace(self._people, (), PEACE_SECONDS)
        self.faults = Faults(halls, machines, Random(f"{seed} faults"))
        self._clocks_rng = Random(f"{seed} clocks")

    async def play(self) -> Played:
        clocks = [self._rng.choice(CLOCKS_SECONDS) for _ in range(NODES)]
        await self._halls.start(NODES, offsets_seconds=clocks)
        owners = OwnerWatch(self._halls.url)
        try:
            for number, person in enumerate(self._people):
                person.come((number + 0.5) / len(self._people))
            await self._peace.all_let_in()
            for player in self._idle:
                await player.enter()
                for _ in range(IDLE_TABLES):
                    await player.ask("open_table", game="connect-four")
            lives = asyncio.gather(*(self._live(person) for person in self._people))
            await self._misfortunes()
            lives.cancel()
            with suppress(asyncio.CancelledError):
                await lives
            await self._end_in_peace()
            self.faults.happened += await self.faults.doctors.finish()
            self.faults.happened += await self.faults.backups.finish()
            await self._streets.close()
            await asyncio.gather(*(player.leave() for player in self._idle))
        finally:
            await owners.stop()
            self.faults.doctors.end()
            self.faults.backups.end()
        assert not self._streets.faults, self._streets.faults
        transcripts = [person.transcript for person in self._people]
        transcripts += [player.transcript for player in self._idle]
        await check_hall(self._halls, transcripts, owners)
        return Played(self.faults.happened, sum(map(acknowledged, transcripts)))

    def story(self) -> Iterator[str]:
        """What everyone has sent and heard."""
        for person in self._people:
            for line in person.transcript.lines:
                yield f"{person.name} {line.connection} {line.what} {line.text}"

    async def _live(self, person: Person) -> None:
        """Does one thing after the other, as those of a story do."""
        rng = Random(self._rng.random())
        deeds, weights = list(DEEDS), list(DEEDS.values())
        while True:
            await asyncio.sleep(rng.expovariate(1 / DEED_SECONDS))
            person.do(rng.choices(deeds, weights)[0], rng.random())

    async def _misfortunes(self) -> None:
        """Returns when the last of them is over."""
        rng = self._rng
        await asyncio.sleep(BEFORE_SECONDS)
        begin = sorted(rng.uniform(0, FAULTS_SECONDS) for _ in range(rng.choice(FAULTS)))
        befall = [self.faults.draw() for _ in begin]
        rolling = [self.faults.rolling_restart()] if self._rolls else []
        steps = [self._step() for _ in range(self._clocks_rng.choice(STEPS))]
        await asyncio.gather(*rolling, *steps, *map(_later, begin, befall))

    def _step(self) -> Coroutine[Any, Any, None]:
        """Of a clock, at some time."""
        rng = Random(self._clocks_rng.random())
        return _later(rng.uniform(0, FAULTS_SECONDS), self.faults.clock_stepped(rng))

    async def _end_in_peace(self) -> None:
        peace = self._peace
        await peace.demand()
        for _ in range(MOVES):
            await peace.all_shown()
            await peace.all_move()
        await peace.all_shown()
        for person in self._people:
            person.give_in()
        await peace.all_answered("everyone may give in")
        await peace.all_shown()
        if self._rolls:
            await shared_evenly(self._halls)


async def _later(seconds: float, what: Coroutine[Any, Any, None]) -> None:
    await asyncio.sleep(seconds)
    await what


def acknowledged(transcript: Transcript) -> int:
    answers = (message for message in transcript.heard() if message.get("requestId"))
    return sum(answer["action"] != "error" for answer in answers)
