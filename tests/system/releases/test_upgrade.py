"""From the release before to this one, while people play: as docs/operate.md says, and no other
way. From 0.1.0 all nodes are stopped before the new ones start, and there is no way back."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path

import pytest

from gamehall.cli.verify import verify
from gamehall.simulation.checker.evidence import Evidence, judge
from gamehall.simulation.checker.owners import Moment
from gamehall.simulation.checker.transcripts import Transcript
from tests.bus import redis_server
from tests.faults.sqlite_records import read_moments, read_records
from tests.many_nodes.processes.hall_nodes import HallNode, hall_nodes
from tests.many_nodes.processes.runs import running
from tests.store import postgres_server
from tests.support.people import playing
from tests.support.people.players import Player
from tests.support.people.traffic import Activity, Bettor, Bingo, Pair, Traffic
from tests.support.processes import HallProcess, Process
from tests.system.releases.release_before import release_before

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SETTINGS = (
    "limits.messages_per_second=0",
    "bingo.pause_seconds=0.02",
    "bingo.ready_seconds=1",
    "sicbo.betting_seconds=1.5",
    "sicbo.reveal_seconds=0.2",
    "sicbo.pause_seconds=0.2",
)
Program = tuple[str, ...]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """`gamehall` of the release before."""
    return release_before().build(tmp_path_factory.mktemp("before"))


class OneNode:
    number = 0

    def __init__(self, process: HallProcess) -> None:
        self._process = process

    def url(self, door: str) -> str:
        return self._process.ws_url if door == "ws" else self._process.tcp_url


async def test_a_hall_of_one_process(tmp_path: Path, before: Program) -> None:
    with HallProcess(tmp_path / "data", settings=SETTINGS, program=before) as hall:
        node = OneNode(hall)
        names = ("anna", "bob", "carl", "dora", "emil", "fay", "gina", "hugo")
        people = [await Player([node], name).enter() for name in names]
        anna, bob, *others = people
        table = await playing.opened(anna, bob, game="connect-four")
        seats = await playing.in_seats(table, anna, bob)
        await playing.drop_all((0, 1, 0), table, *seats)
        busy: list[Activity] = [
            Pair("the pair", others[0], others[1], others[2]),
            Bettor("the bettor", others[3]),
            Bingo("Bingo", others[4:]),
        ]
        await asyncio.gather(*(each.goes_on() for each in busy))
        assert await asyncio.to_thread(hall.stop) == 0, hall.report()
        database = hall.data / "hall.db"
        moments = moments_in(database)
        told_before = [len(player.transcript.lines) for player in people]
        hall.program = None
        await asyncio.to_thread(hall.start)
        # What the old one was asked, the new one has answered.
        for player in (anna, bob):
            await player.ask_again()
        await playing.drop_all((1, 0, 1, 0), table, *(seats[1], seats[0]))
        await asyncio.gather(*(each.goes_on() for each in busy))
        for each in busy:
            await each.end()
        await asyncio.gather(*(player.leave() for player in people))
        address = f"{hall.web_url}/api/tables/{table}/journal"
        assert await asyncio.to_thread(verify, address) == 0
        assert await asyncio.to_thread(hall.stop) == 0, hall.report()
        assert "Traceback" not in "\n".join(hall.stderr), hall.report()
    with Process("doctor", f"--data={hall.data}") as doctor:
        assert doctor.wait() == 0, doctor.report()
    for player, number in zip(people, told_before, strict=True):
        forget_notices(player.transcript, number)
    judge(evidence(database, people, [*moments, *moments_in(database)]))
    refuses_to_go_back(hall, before)


async def test_two_nodes(tmp_path: Path, before: Program) -> None:
    url = await postgres_server.new_url()
    with hall_nodes(tmp_path, url, redis_server.server()) as halls:
        nodes = [halls.add() for _ in range(2)]
        for node in nodes:
            node.process.program = before
        await together(nodes, HallNode.start)
        async with running(halls) as run:
            async with Traffic(run) as traffic:
                for place in ((0, 1), (1, 0), (0, 0), (1, 1)):
                    await traffic.pair(*place)
                for node in nodes:
                    await traffic.bettor(node.number)
                await traffic.bingo(0, 1)
                await traffic.goes_on()
                await together(nodes, HallNode.stop)
                told_before = [len(each.lines) for each in run.transcripts]
                for node in nodes:
                    node.process.program = None
                await together(nodes, HallNode.start)
                await traffic.goes_on()
                # From here on one is replaced after the other.
                for node in nodes:
                    await node.stop()
                    await traffic.goes_on()
                    await node.start()
                    await traffic.goes_on()
            for each, number in zip(run.transcripts, told_before, strict=True):
                forget_notices(each, number)
        await together(nodes, HallNode.stop)
        refuses_to_go_back(nodes[0].process, before)


async def together(
    nodes: list[HallNode], do: Callable[[HallNode], Coroutine[None, None, None]]
) -> None:
    await asyncio.gather(*(do(node) for node in nodes))


def refuses_to_go_back(hall: HallProcess, before: Program) -> None:
    """The release before leaves a database alone that this one has brought up to date."""
    with Process(*hall.arguments, program=before) as old:
        assert old.wait() == 1, old.report()
    assert "was written by a newer Gamehall" in "\n".join(old.stderr), old.report()


def forget_notices(transcript: Transcript, number: int) -> None:
    """Of so many lines only what was asked and answered stays: the checker knows the views of this
    release, which show more than those before."""
    lines = transcript.lines
    kept = [line for line in lines[:number] if line.what != "heard" or '"requestId"' in line.text]
    transcript.lines = kept + lines[number:]


def evidence(path: Path, people: list[Player], moments: list[Moment]) -> Evidence:
    records, ledger, order = read_records(path)
    return Evidence(
        people=[player.transcript for player in people],
        records=records,
        ledger=ledger,
        moments=moments,
        order=order,
    )


def moments_in(path: Path) -> list[Moment]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return read_moments(file)
