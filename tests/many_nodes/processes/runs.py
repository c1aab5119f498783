"""A run of a hall of several nodes: players come, something befalls it, and in the end all that
they were told is held against what was written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from gamehall.hall.audit.doctor import examine
from gamehall.simulation.checker.evidence import Evidence, judge
from gamehall.simulation.checker.journals import GAMES
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.store.postgres.store import PostgresStore
from tests.many_nodes.processes.hall_nodes import HallNodes
from tests.many_nodes.processes.owners import OwnerWatch
from tests.many_nodes.processes.records import read_records
from tests.support.people.connections import Door
from tests.support.people.players import PATIENCE_SECONDS, Player


class Run:
    """The people of one run, who leave at its end, and who owns which table meanwhile."""

    def __init__(self, halls: HallNodes, owners: OwnerWatch) -> None:
        self.halls = halls
        self.owners = owners
        self.people: list[Player] = []

    async def guest(
        self, name: str, at: int = 0, *, patience_seconds: float = PATIENCE_SECONDS
    ) -> Player:
        """Someone new at that node; every other one comes over WebSocket."""
        door: Door = "ws" if len(self.people) % 2 else "tcp"
        nodes = self.halls.nodes
        return await self._enter(
            Player(nodes, name, at, door=door, patience_seconds=patience_seconds)
        )

    async def again(self, player: Player, at: int) -> Player:
        """The same person on a second device."""
        return await self._enter(Player(self.halls.nodes, player.name, at, token=player.token))

    async def _enter(self, player: Player) -> Player:
        self.people.append(player)
        return await player.enter()

    @property
    def transcripts(self) -> list[Transcript]:
        return [player.transcript for player in self.people]

    async def leave(self) -> None:
        await asyncio.gather(*(player.leave() for player in self.people))


@asynccontextmanager
async def running(
    halls: HallNodes, number: int = 3, *, offsets_seconds: Sequence[float] = ()
) -> AsyncIterator[Run]:
    """Starts that many nodes, unless there are some; checks everything when the test is through."""
    if not halls.nodes:
        await halls.start(number, offsets_seconds=offsets_seconds)
    owners = OwnerWatch(halls.url)
    run = Run(halls, owners)
    try:
        try:
            yield run
        finally:
            await run.leave()
            await owners.stop()
        try:
            await check_run(run)
        finally:
            halls.connections += sum(len(each.by_connection()) for each in run.transcripts)
    except BaseException as error:
        error.add_note(halls.report())
        raise


async def check_run(run: Run) -> None:
    """Raises AssertionError. Nodes may still run; whoever is looked at has left."""
    await check_hall(run.halls, run.transcripts, run.owners)


async def check_hall(
    halls: HallNodes, transcripts: Sequence[Transcript], owners: OwnerWatch
) -> None:
    """The same, of anyone whose transcripts these are."""
    written = await read_records(halls.url)
    judge(
        Evidence(
            transcripts,
            written.records,
            written.ledger,
            moments=owners.seen,
            order=written.order,
            unheard=halls.connections,
        )
    )
    async with PostgresStore(halls.url).audit() as audit:
        findings = await examine(audit, GAMES)
    assert not findings.problems, findings.problems
    halls.check_logs()
