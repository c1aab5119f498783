"""`gamehall serve --workers`: real processes behind one port, with PostgreSQL and Redis."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from secrets import token_hex

import pytest

from gamehall.cli.serve import serve
from tests.bus import redis_server
from tests.cli.worker_processes import connect, connect_at, is_running, workers_of
from tests.store.postgres_server import new_url, peek
from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Client, Json, Refused
from tests.system.e2e.play import LONG, UNHURRIED, Game, column, sit_down

LEASE_SECONDS = 5
"""Long enough for a worker of a busy machine not to lose it."""
LIVE = "SELECT name FROM nodes WHERE expires_at > clock_timestamp()"


def settings(url: str) -> tuple[str, ...]:
    bus = redis_server.server().url
    return f"store.url={url}", f"bus.url={bus}", f"store.lease_seconds={LEASE_SECONDS}"


@pytest.fixture(scope="module")
def url() -> str:
    return asyncio.run(new_url())


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[HallProcess]:
    data = tmp_path_factory.mktemp("hall")
    every = (*settings(url), *UNHURRIED)
    with HallProcess(data, settings=every, more=("--workers=2",)) as hall:
        yield hall


@pytest.fixture
def hall(shared: HallProcess) -> HallProcess:
    """One for all tests, started again after those that end it."""
    if not shared.running:
        shared.start()
    return shared


def logged(hall: HallProcess) -> list[Json]:
    return [json.loads(line) for line in tuple(hall.stderr) if line.startswith("{")]


async def eventually(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            await asyncio.sleep(0.02)


async def insist(client: Client, action: str, **payload: object) -> Json:
    """The answer, asked for until the hall is able to give it."""
    id = token_hex(8)
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            try:
                return await client.ask(action, id, **payload)
            except Refused as refusal:
                if refusal.code != "unavailable":
                    raise
            await asyncio.sleep(0.05)


async def say_hello(client: Client, **hello: str) -> Client:
    welcome = await insist(client, "hello", **hello)
    client.player, client.token = welcome["player"]["id"], welcome["token"]
    return client


@asynccontextmanager
async def playing(hall: HallProcess) -> AsyncIterator[tuple[Game, Client, Client]]:
    """A game of two, connected to the first worker, who owns the table, and to the second."""
    first, second = workers_of(hall)
    async with await connect_at(hall, first) as anna, await connect_at(hall, second) as bob:
        await say_hello(anna, name="anna")
        await say_hello(bob, name="bob")
        yield await sit_down(anna, bob, LONG), anna, bob


async def come_back(hall: HallProcess, game: Game, stack: AsyncExitStack) -> Game:
    """The game, with another connection, at whichever worker, of everyone who has lost theirs."""
    seats = []
    for client in game.seats:
        if client.lost is not None:
            again = await stack.enter_async_context((await connect(hall)).client)
            await say_hello(again, token=client.token)
            assert again.player == client.player
            await insist(again, "resume", table=game.table)
            seats.append(again)
        else:
            seats.append(client)
    return Game(game.table, (seats[0], seats[1]))


async def drop(game: Game, move: int) -> None:
    """One of them moves, and the other is told."""
    mover, other = game.seats[move % 2], game.seats[1 - move % 2]
    start = len(other.heard)
    command = {"type": "drop", "column": column(move)}
    answer = await insist(mover, "act", table=game.table, command=command)

    await other.until(lambda message: shows(message, game.table, answer["seq"]), start)


def shows(message: Json, table: int, seq: int = 1) -> bool:
    """Whether it tells of the table as of that row, or a later one."""
    told: Json = message.get("payload", {})
    return bool(told.get("table") == table and told.get("seq", 0) >= seq)


# Behind one port


async def test_the_doors_are_told_once_and_every_worker_is_reached(hall: HallProcess) -> None:
    assert [line.split()[1] for line in hall.stderr[:2]] == ["native", "native-tcp"], hall.report()
    assert hall.stderr.count("ready") == 1
    workers = workers_of(hall)
    assert len(workers) == 2
    reached: set[int] = set()
    async with asyncio.timeout(WAIT_SECONDS):
        while reached != set(workers):
            client, worker = await connect(hall)
            reached.add(worker)
            await client.close()


async def test_a_killed_worker_comes_back_and_the_game_of_both_goes_on(hall: HallProcess) -> None:
    killed, other = workers_of(hall)
    async with playing(hall) as (game, anna, bob), AsyncExitStack() as stack:
        for move in range(4):
            await drop(game, move)
        os.kill(killed, signal.SIGKILL)
        await eventually(lambda: anna.lost is not None)
        game = await come_back(hall, game, stack)
        assert bob in game.seats, "the other worker's people were disturbed"
        for move in range(4, 8):
            await drop(game, move)
        await eventually(lambda: len(workers_of(hall)) == 2)
        (new,) = set(workers_of(hall)) - {other}
        async with await connect_at(hall, new) as carl:
            await say_hello(carl, name="carl")
            await insist(carl, "watch", table=game.table)
            await drop(game, 8)
            await carl.until(lambda message: shows(message, game.table))
    entries = logged(hall)
    (ended,) = [entry for entry in entries if entry["event"] == "worker_ended"]
    assert ended["code"] == -signal.SIGKILL
    # The new one may have come soon enough to notice it too.
    noticed = {entry["worker"] for entry in entries if entry["event"] == "node_gone"}
    assert 3 - ended["worker"] in noticed, "what a worker logs bears its number"


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_port_of_workers_is_taken(hall: HallProcess, tmp_path: Path, workers: int) -> None:
    """Though another hall could share it too."""
    taken = hall.ports["native"]
    arguments = ["serve", f"--data={tmp_path}", f"--port={taken}", f"--workers={workers}"]
    sets = [f"--set={setting}" for setting in settings(asyncio.run(new_url()))]
    with Process(*arguments, "--doors=none", *sets) as other:
        assert other.wait() == 1, other.report()
    said = other.stderr[-1]
    assert f"port {taken} on 127.0.0.1 is taken" in said
    assert "--port" in said


# Ends


@pytest.mark.slow
async def test_workers_are_started_anew_one_after_the_other(hall: HallProcess) -> None:
    before = set(workers_of(hall))
    async with playing(hall) as (game, _, _), AsyncExitStack() as stack:
        await drop(game, 0)
        os.kill(hall.pid, signal.SIGHUP)
        async with asyncio.timeout(2 * WAIT_SECONDS):
            while not any(entry["event"] == "workers_restarted" for entry in logged(hall)):
                # Fails if nobody listens.
                _, writer = await asyncio.open_connection("127.0.0.1", hall.ports["native-tcp"])
                writer.close()
                game = await come_back(hall, game, stack)
                await asyncio.sleep(0.02)
        assert not before & set(workers_of(hall))
        game = await come_back(hall, game, stack)
        for move in range(1, 5):
            await drop(game, move)


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)]
)
async def test_workers_end_with_their_parent(
    hall: HallProcess, url: str, number: signal.Signals
) -> None:
    """In good order, whatever befalls it."""
    workers = workers_of(hall)
    nodes = set(await peek(url, LIVE))
    assert len(nodes) == 2
    os.kill(hall.pid, number)
    if number == signal.SIGTERM:
        os.kill(hall.pid, signal.SIGINT)
    code = await asyncio.to_thread(hall.wait)
    assert code == (0 if number == signal.SIGTERM else -number), hall.report()
    await eventually(lambda: not any(map(is_running, workers)))
    assert not nodes & set(await peek(url, "SELECT name FROM nodes")), "they left without a word"
    assert not any("Traceback" in line for line in hall.stderr), hall.report()


@pytest.mark.slow
def test_a_worker_that_cannot_start_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "draw-key").write_text("none\n")
    sets = [f"--set={setting}" for setting in settings(asyncio.run(new_url()))]
    with Process(
        "serve", f"--data={tmp_path}", "--port=0", "--doors=none", "--workers=2", *sets
    ) as process:
        assert process.wait() == 1, process.report()
    said = [line for line in process.stderr if "draw-key is damaged" in line]
    assert len(said) == 1, process.report()
    assert "ready" not in process.stderr


# Wrong calls


DATABASE, BUS = "store.url=postgresql://db.invalid/hall", "bus.url=redis://redis.invalid"


@pytest.mark.parametrize(
    ("workers", "sets", "reload", "words"),
    [
        (2, (), False, ("store.url", "postgresql://", "bus.url", "redis://")),
        (2, (DATABASE,), False, ("bus.url",)),
        (2, ("store.url=sqlite:///hall.db", BUS), False, ("store.url",)),
        (2, (DATABASE, BUS), True, ("--reload", "--workers")),
        (0, (DATABASE, BUS), False, ("--workers", "from 1 to")),
        (257, (DATABASE, BUS), False, ("--workers", "from 1 to")),
    ],
)
def test_what_workers_need_is_said(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    workers: int,
    sets: tuple[str, ...],
    reload: bool,
    words: tuple[str, ...],
) -> None:
    data, game = tmp_path / "data", (tmp_path,)
    assert serve(data=data, workers=workers, set_=sets, reload=reload, game=game) == 2
    said = capsys.readouterr().err
    assert all(word in said for word in words), said
    assert not (tmp_path / "data").exists()
