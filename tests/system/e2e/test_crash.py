"""kill -9 at any moment: what was acknowledged is there, what was told is true, play goes on."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random

import pytest

from tests.support.processes import GAMEHALL, HallProcess, Process
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.checker import check
from tests.system.e2e.clients import Client, Json
from tests.system.e2e.logs import Log, fetch_log, get_json, journal_url
from tests.system.e2e.play import LONG, UNHURRIED, Game, column, sit_down
from tests.system.e2e.programs import faulty, write_number
from tests.system.e2e.survivors import Pair, Shore, Survivor

PAIRS = 6
ANSWERS_MAX = 250
"""Between two kills; none at all, too, while people are still coming back."""
IN_FLIGHT = 15
MOVES = 6


async def storm(hall: HallProcess, kills: int, seed: int) -> tuple[list[Survivor], dict[int, Log]]:
    """Everyone who played while the hall was killed that often, and all journals in the end."""
    rng = Random(seed)
    shore = Shore(hall)
    pairs = [Pair.of(shore, number, rng) for number in range(PAIRS)]
    people = [person for pair in pairs for person in pair.people]
    enough = asyncio.Event()

    async def kill_often() -> None:
        for _ in range(kills):
            await shore.more_answers(rng.randrange(ANSWERS_MAX))
            await asyncio.sleep(rng.random() / 200)  # Somewhere between two answers.
            await shore.crash()
        await shore.more_answers(ANSWERS_MAX)
        enough.set()

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(kill_often())
            for pair in pairs:
                group.create_task(pair.play_until(enough))
        tables = [table for pair in pairs for table in pair.tables]
        logs = {table: await fetch_log(hall.web_url, table) for table in tables}
    finally:
        for person in people:
            await person.close()
    return people, logs


async def short_game(shore: Shore) -> tuple[list[Survivor], int]:
    """Two people who have moved, and their table."""
    first, second = (Survivor(shore, name, "tcp") for name in ("anna", "bob"))
    table = (await first.ask("open_table", game="connect-four", options=LONG))["table"]
    await first.ask("sit", table=table)
    drawn = (await second.ask("sit", table=table))["seat"]
    people = [first, second] if drawn == 1 else [second, first]
    for move in range(MOVES):
        command = {"type": "drop", "column": column(move)}
        await people[move % 2].ask("act", table=table, command=command)
    return people, table


async def kills_are_survived(data: Path, kills: int, seed: int) -> None:
    with HallProcess(data, settings=UNHURRIED, program=GAMEHALL) as hall:
        people, logs = await storm(hall, kills, seed)
        check(people, logs)
        longest = max(logs, key=lambda table: logs[table].head)
        with Process("verify", journal_url(hall.web_url, longest)) as verify:
            assert verify.wait() == 0, verify.report()
    # It was a storm, and not a lull.
    assert sum(len(person.connections) for person in people) > kills
    assert sum(log.head for log in logs.values()) > ANSWERS_MAX


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
async def test_kills_at_random_moments(tmp_path: Path, seed: int) -> None:
    await kills_are_survived(tmp_path, 4, seed)


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_many_kills_at_random_moments(tmp_path: Path) -> None:
    await kills_are_survived(tmp_path, 60, 3)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_kill_while_many_appends_are_in_flight(tmp_path: Path, moment: str) -> None:
    """All of a group's moves are there, or none, and every client gets the same in the end."""
    held, hold = tmp_path / "held", tmp_path / "hold"
    program = faulty(f"{moment}={tmp_path}")
    async with AsyncExitStack() as stack:
        hall = stack.enter_context(HallProcess(tmp_path / "data", settings=UNHURRIED, **program))
        games = [await _new_game(hall, number, stack) for number in range(IN_FLIGHT + 1)]
        tables = [game.table for game in games]
        movers = [game.seats[0] for game in games]

        async def send_move(place: int, client: Client) -> asyncio.Future[Json]:
            command = {"type": "drop", "column": column(0)}
            payload = {"table": tables[place], "command": command}
            return await client.post("act", payload, f"move-{place}")

        # The first move is being committed while the others gather; then they are the next group.
        write_number(hold, 0)
        first = await send_move(0, movers[0])
        await _until(lambda: held.exists() and held.read_text() == "1")
        others = [await send_move(place, movers[place]) for place in range(1, len(games))]
        for mover in movers[1:]:
            await mover.ask("ping")
        assert not first.done()
        write_number(hold, 1)
        answered = await asyncio.wait_for(first, WAIT_SECONDS)
        assert answered["payload"] == {"table": tables[0], "seq": 4}
        await _until(lambda: held.read_text() == "2")
        await asyncio.gather(*(mover.ask("ping") for mover in movers[1:]))
        assert not any(other.done() for other in others)
        hall.kill()
        hold.unlink()
        hall.start()

        heads = [(await get_json(f"{hall.web_url}/api/tables/{id}"))["head"] for id in tables]
        assert heads == [4] + [4 if moment == "after" else 3] * IN_FLIGHT
        for place, mover in enumerate(movers):
            url = hall.tcp_url if place % 2 else hall.ws_url
            async with await Client.enter(url, token=mover.token) as again:
                answered = await asyncio.wait_for(await send_move(place, again), WAIT_SECONDS)
                assert answered["payload"] == {"table": tables[place], "seq": 4}
                await again.ask("act", table=tables[place], command={"type": "resign"})
            log = await fetch_log(hall.web_url, tables[place])
            assert [row["command"]["type"] for row in log.rows[3:]] == ["drop", "resign"]
            for client in games[place].seats:
                for notice in client.notices("table_events", tables[place]):
                    assert notice["events"] == log.events(notice["after"], notice["seq"])


async def _new_game(hall: HallProcess, number: int, stack: AsyncExitStack) -> Game:
    urls = (hall.ws_url, hall.tcp_url) if number % 2 else (hall.tcp_url, hall.ws_url)
    first, second = [
        await stack.enter_async_context(await Client.enter(url, name=f"{who}{number}"))
        for who, url in zip(("anna", "bob"), urls, strict=True)
    ]
    return await sit_down(first, second, LONG)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            await asyncio.sleep(0.002)


@pytest.mark.slow
async def test_a_kill_while_it_recovers(tmp_path: Path) -> None:
    """A hall that dies again while it reads what the last one left behind harms nothing."""
    log_file = tmp_path / "hall.db-wal"
    with HallProcess(tmp_path, settings=UNHURRIED, program=GAMEHALL) as hall:
        people, table = await short_game(Shore(hall))
        hall.kill()
        left_ns = log_file.stat().st_mtime_ns
        starting = asyncio.create_task(asyncio.to_thread(hall.start))
        await _until(lambda: hall.running and log_file.stat().st_mtime_ns != left_ns)
        os.kill(hall.pid, signal.SIGKILL)
        with suppress(AssertionError):  # It never got ready, unless it was very quick.
            await starting
        hall.restart()
        await people[0].ask("act", table=table, command={"type": "resign"})
        for person in people:
            await person.close()
        logs = {table: await fetch_log(hall.web_url, table)}
    check(people, logs)


# That these tests can fail


async def finished_log(web_url: str, table: int) -> Log:
    """The journal as soon as the game's end is in it, which this hall writes later."""
    async with asyncio.timeout(WAIT_SECONDS):
        while (await get_json(f"{web_url}/api/tables/{table}"))["status"] != "over":
            await asyncio.sleep(0.01)
    return await fetch_log(web_url, table)


async def test_a_hall_that_tells_too_early_is_found_out(tmp_path: Path) -> None:
    with HallProcess(tmp_path / "data", settings=UNHURRIED, **faulty("early")) as hall:
        shore = Shore(hall)
        people, table = await short_game(shore)
        await shore.crash()
        await people[0].ask("act", table=table, command={"type": "resign"})
        for person in people:
            await person.close()
        logs = {table: await finished_log(hall.web_url, table)}
    with pytest.raises(AssertionError, match=r"is lost|is another's row"):
        check(people, logs)


async def test_the_checker_finds_what_is_wrong(tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=UNHURRIED, program=GAMEHALL) as hall:
        people, table = await short_game(Shore(hall))
        await people[0].ask("act", table=table, command={"type": "resign"})
        (client,) = people[1].connections
        await client.notice("table_over", table)
        for person in people:
            await person.close()
        log = await fetch_log(hall.web_url, table)
    check(people, {table: log})
    true = client.heard
    notices = [place for place, heard in enumerate(true) if heard["action"] == "table_events"]
    answers = [place for place, heard in enumerate(true) if heard["action"] == "act"]

    def finds(heard: list[Json], other_log: Log = log) -> str:
        client.heard = heard
        with pytest.raises(AssertionError) as found:
            check(people, {table: other_log})
        client.heard = true
        return str(found.value)

    def changed(place: int, **fields: object) -> list[Json]:
        payload = {**true[place]["payload"], **fields}
        return [*true[:place], {**true[place], "payload": payload}, *true[place + 1 :]]

    again = {**log.row(log.head - 1), "seq": log.head + 1}
    assert "is lost" in finds(true, remade(log.rows[:-2]))
    assert "nobody asked" in finds(true, remade([*log.rows, again]))
    assert "never answered" in finds(true[: answers[-1]] + true[answers[-1] + 1 :])
    assert "has answers" in finds([*true, changed(answers[0], seq=4)[answers[0]]])
    assert "is another's row" in finds(changed(answers[0], seq=4))
    assert "not in the journal" in finds(changed(notices[-1], events=[]))
    assert "not in the journal" in finds(changed(notices[-1], seq=log.head + 1))
    assert "out of order" in finds(true[: notices[2]] + true[notices[2] + 1 :])
    assert "out of order" in finds(true[: notices[2] + 1] + true[notices[2] :])
    first = answers[0]
    told = next(place for place in notices if place > first) + 1
    late = true[:first] + true[first + 1 : told] + [true[first]] + true[told:]
    assert "before the answer" in finds(late)
    people[1].requests["other"] = people[1].requests[true[answers[0]]["requestId"]]
    assert "are one row" in finds([*true, {**true[answers[0]], "requestId": "other"}])


def remade(rows: list[Json]) -> Log:
    """A sound log of other rows."""
    lines = [json.dumps(row, separators=(",", ":")).encode() for row in rows]
    hash = ""
    for line in lines:
        hash = hashlib.sha256(hash.encode() + line).hexdigest()
    return Log(b"\n".join([*lines, json.dumps({"head": len(rows), "hash": hash}).encode()]))
