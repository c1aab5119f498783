"""The whole hall on a full disk: what cannot be saved is not done, and is done once it can."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Client, Json, Refused
from tests.system.e2e.logs import fetch_log, get, get_json
from tests.system.e2e.play import LONG, UNHURRIED, Game, column, sit_down
from tests.system.e2e.programs import healthy

PAIRS = 3
MOVES = 4
HEAD = 3 + MOVES
FULL_BYTES = [0, 6000]
"""Nothing can be written at all, or only parts of what has to be."""
HALF_A_FRAME_BYTES = 2000
LOG_LINES_MAX = 60

HALF_WRITTEN = """SELECT id, head, count(seq), max(seq) FROM tables
    LEFT JOIN journal ON table_id = id GROUP BY id HAVING head <> count(seq) OR head <> max(seq)"""


def limit_files(hall: HallProcess, bytes: int) -> None:
    """No file of the hall may grow beyond this from now on; writing fails, as on a full disk."""
    _, most = resource.prlimit(hall.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(hall.pid, resource.RLIMIT_FSIZE, (bytes, most))


def started(data: Path) -> HallProcess:
    return HallProcess(data, settings=UNHURRIED)


async def begin_games(hall: HallProcess, stack: AsyncExitStack) -> list[Game]:
    games = []
    for number in range(PAIRS):
        first, second = [
            await stack.enter_async_context(await Client.enter(url, name=f"{who}{number}"))
            for who, url in (("anna", hall.ws_url), ("bob", hall.tcp_url))
        ]
        game = await sit_down(first, second, LONG)
        for move in range(MOVES):
            await game.seats[move % 2].drop(game.table, column(move))
        games.append(game)
    return games


async def send_next_move(client: Client, table: int) -> asyncio.Future[Json]:
    command = {"type": "drop", "column": column(MOVES)}
    return await client.post("act", {"table": table, "command": command}, f"next-{table}")


async def next_move_saved(client: Client, table: int) -> Json:
    """The answer to the same request, sent again until the hall can save."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            answer = await (await send_next_move(client, table))
            if answer["payload"].get("code") != "unavailable":
                return answer
            await asyncio.sleep(0.05)


def answers_next_move(table: int) -> Callable[[Json], bool]:
    return lambda message: message.get("requestId") == f"next-{table}"


async def check_stuck(hall: HallProcess, games: list[Game]) -> None:
    """Whatever would be written is refused, nothing of it is told, and reading goes on."""
    for _ in range(2):
        starts = [len(game.seats[0].heard) for game in games]
        for game in games:
            await send_next_move(game.seats[0], game.table)
        for game, start in zip(games, starts, strict=True):
            await game.seats[0].until(answers_next_move(game.table), start)
    status, body = await get(f"{hall.web_url}/healthz")
    assert (status, json.loads(body)["error"]["code"]) == (503, "unavailable")
    reader = games[0].seats[0]
    with pytest.raises(Refused, match="unavailable"):
        await reader.ask("open_table", game="connect-four")
    async with await Client.connect(hall.tcp_url) as newcomer:
        with pytest.raises(Refused, match="unavailable"):
            await newcomer.ask("hello", name="carl")
        tables = (await newcomer.ask("list_tables"))["tables"]
        assert {info["id"] for info in tables} == {game.table for game in games}
    for game in games:
        assert (await get_json(f"{hall.web_url}/api/tables/{game.table}"))["head"] == HEAD
        await reader.ask("watch", table=game.table)
        for client in game.seats:
            assert client.notices("table_events", game.table)[-1]["seq"] == HEAD
        for message in filter(answers_next_move(game.table), game.seats[0].heard):
            assert message["payload"]["code"] == "unavailable"


async def until_healthy(hall: HallProcess) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while (await get(f"{hall.web_url}/healthz"))[0] != 200:
            await asyncio.sleep(0.02)


async def finish(hall: HallProcess, game: Game, movers: tuple[Client, Client]) -> None:
    """The request that was refused succeeds under its old id, and the game goes on."""
    for _ in range(2):
        answer = await next_move_saved(movers[0], game.table)
        assert answer["payload"] == {"table": game.table, "seq": HEAD + 1}
    for move in range(MOVES + 1, 2 * MOVES):
        await movers[move % 2].drop(game.table, column(move))
    await movers[0].ask("act", table=game.table, command={"type": "resign"})
    log = await fetch_log(hall.web_url, game.table)
    dropped = [(event["seat"], event["column"]) for event in log.of_type("dropped")]
    assert dropped == [(move % 2, column(move)) for move in range(2 * MOVES)]
    for client in {*game.seats, *movers}:
        assert client.unasked == []
        for notice in client.notices("table_events", game.table):
            assert notice["events"] == log.events(notice["after"], notice["seq"])


def check_file(data: Path) -> None:
    connection = sqlite3.connect(data / "hall.db")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute(HALF_WRITTEN).fetchall() == []
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("bytes", FULL_BYTES)
async def test_what_cannot_be_saved_is_refused_until_it_can(tmp_path: Path, bytes: int) -> None:
    with started(tmp_path) as hall:
        async with AsyncExitStack() as stack:
            games = await begin_games(hall, stack)
            limit_files(hall, bytes)
            await check_stuck(hall, games)
            limit_files(hall, resource.RLIM_INFINITY)
            await until_healthy(hall)
            for game in games:
                await finish(hall, game, game.seats)
        assert hall.stop() == 0
    assert len(hall.stderr) < LOG_LINES_MAX, "it repeats itself"
    check_file(tmp_path)


@pytest.mark.slow
async def test_a_write_ahead_log_that_cannot_grow_is_emptied(tmp_path: Path) -> None:
    """The disk is full in the middle of a frame, but what is there can be written over."""
    with started(tmp_path) as hall:
        async with AsyncExitStack() as stack:
            games = await begin_games(hall, stack)
            limit_files(hall, (tmp_path / "hall.db-wal").stat().st_size + HALF_A_FRAME_BYTES)
            for game in games:
                await send_next_move(game.seats[0], game.table)
            await until_healthy(hall)
            assert any("commit_failed" in line for line in hall.stderr)
            for game in games:
                await finish(hall, game, game.seats)
        assert hall.stop() == 0
    check_file(tmp_path)


@pytest.mark.slow
async def test_killed_on_a_full_disk(tmp_path: Path) -> None:
    with started(tmp_path) as hall:
        async with AsyncExitStack() as stack:
            games = await begin_games(hall, stack)
            limit_files(hall, FULL_BYTES[1])
            await check_stuck(hall, games)
            hall.restart()
            for game in games:
                again = [
                    await stack.enter_async_context(
                        await Client.enter(hall.tcp_url, token=client.token)
                    )
                    for client in game.seats
                ]
                await finish(hall, game, (again[0], again[1]))
        assert hall.stop() == 0
    check_file(tmp_path)


@pytest.mark.slow
async def test_stopped_on_a_full_disk(tmp_path: Path) -> None:
    with started(tmp_path) as hall:
        async with AsyncExitStack() as stack:
            games = await begin_games(hall, stack)
            limit_files(hall, FULL_BYTES[0])
            await check_stuck(hall, games)
            assert await asyncio.to_thread(hall.stop) == 0
        check_file(tmp_path)
        hall.start()
        for game in games:
            assert (await get_json(f"{hall.web_url}/api/tables/{game.table}"))["head"] == HEAD


def test_started_on_a_full_disk(tmp_path: Path) -> None:
    """It says so, and leaves nothing behind that would harm a later start."""
    arguments = ("serve", f"--data={tmp_path}", "--port=0", "--doors=none")
    no_byte_more = ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh")
    with Process(*arguments, **healthy(*no_byte_more)) as hall:
        assert hall.wait() == 1, hall.report()
    assert hall.stderr[-1].startswith("gamehall: ")
    assert not any("Traceback" in line for line in hall.stderr), hall.report()
    with started(tmp_path) as later:
        assert later.stop() == 0
