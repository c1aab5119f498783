"""kill -9 in the middle of a tournament: it goes on, and every result is there, once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json
from tests.system.e2e.logs import Log, fetch_log, get_json, journal_url
from tests.system.e2e.test_crash import remade
from tests.system.e2e.tournament_checker import check, points

BOTS = 64
PAUSE_SECONDS_MAX = 0.3
"""From the hall's being ready to the next kill, at the most."""
END_SECONDS = 60
LONG = {"columns": 10, "rows": 10, "length": 5}
LONGER = {"columns": 12, "rows": 12, "length": 6}
"""Boards on which programs that play at random take their time."""


def ask_operator(hall: HallProcess, path: str, body: Json) -> Json:
    token = (hall.data / "operator-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{hall.web_url}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as response:
        answer: Json = json.loads(response.read())
    return answer


def begun(hall: HallProcess, bots: int = BOTS, **options: Any) -> int:
    """A tournament of bots of the house, whose games have just begun."""
    body = {"game": "connect-four", "bots": ["random"] * bots, **options}
    id: int = ask_operator(hall, "/api/tournaments", body)["tournament"]
    ask_operator(hall, f"/api/tournaments/{id}/begin", {})
    return id


async def shown(hall: HallProcess, id: int) -> Json:
    view: Json = (await get_json(f"{hall.web_url}/api/tournaments/{id}"))["view"]
    return view


def results(view: Json) -> dict[int, Json]:
    return {game["number"]: game for game in view["games"] if game["state"] == "over"}


async def storm(hall: HallProcess, kills: int, rng: Random, **options: Any) -> list[int]:
    """Kills the hall that often, each time in the middle of a tournament: if one ends meanwhile,
    the next begins. Returns them all."""
    tournaments = [begun(hall, **options)]
    for _ in range(kills):
        await asyncio.sleep(rng.random() * PAUSE_SECONDS_MAX)
        if (await shown(hall, tournaments[-1]))["status"] == "over":
            tournaments.append(begun(hall, **options))
        before = await shown(hall, tournaments[-1])
        await asyncio.sleep(rng.random() / 50)
        os.kill(hall.pid, signal.SIGKILL)
        await asyncio.to_thread(hall.restart)
        after = results(await shown(hall, tournaments[-1]))
        assert results(before).items() <= after.items(), "what was told is not there any more"
    return tournaments


async def ended(hall: HallProcess, id: int) -> Json:
    async with asyncio.timeout(END_SECONDS):
        while (view := await shown(hall, id))["status"] != "over":
            await asyncio.sleep(0.05)
    return view


async def game_logs(hall: HallProcess, id: int) -> dict[int, list[Log]]:
    """By number, the journals of the tables that the hall has opened for the games."""
    query = "SELECT id, origin FROM tables WHERE origin LIKE ? ORDER BY id"
    with closing(sqlite3.connect(f"file:{hall.data / 'hall.db'}?mode=ro", uri=True)) as database:
        rows = database.execute(query, (f"tournament:{id}:%",)).fetchall()
    logs: dict[int, list[Log]] = {}
    for table, origin in rows:
        number = int(origin.rpartition(":")[2])
        logs.setdefault(number, []).append(await fetch_log(hall.web_url, table))
    return logs


async def check_ratings(hall: HallProcess, games: int) -> None:
    """Each game counts once for both."""
    url = f"{hall.web_url}/api/ratings?game=connect-four&bots=true&limit=100"
    async with asyncio.timeout(END_SECONDS):
        while sum(each["rounds"] for each in (await get_json(url))["ratings"]) < 2 * games:
            await asyncio.sleep(0.05)
    assert sum(each["rounds"] for each in (await get_json(url))["ratings"]) == 2 * games


async def checked(hall: HallProcess, id: int) -> int:
    """Reads the whole of a tournament as soon as it is over. Returns how many games it had."""
    view = await ended(hall, id)
    tournament, games = await fetch_log(hall.web_url, id), await game_logs(hall, id)
    check(tournament, games)
    assert {each["seat"]: each["points"] for each in view["standings"]} == points(tournament)
    assert len(games) == view["games_count"]
    with Process("verify", journal_url(hall.web_url, id)) as verify:
        assert verify.wait() == 0, verify.report()
    return len(games)


async def kills_are_survived(data: Path, kills: int, seed: int, **options: Any) -> None:
    with HallProcess(data) as hall:
        tournaments = await storm(hall, kills, Random(seed), **options)
        games = sum([await checked(hall, id) for id in tournaments])
        await check_ratings(hall, games)
        log = "\n".join(hall.stderr)
        assert "Traceback" not in log, log
        assert hall.stop() == 0
    with Process("doctor", f"--data={data}") as doctor:
        assert doctor.wait() == 0, doctor.report()


@pytest.mark.slow
async def test_a_tournament_of_64_bots_goes_on(tmp_path: Path) -> None:
    await kills_are_survived(tmp_path, 3, 1, format="swiss", game_options=LONG)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("format", "bots", "kills"),
    [
        ("swiss", 64, 20),
        ("single-elimination", 64, 6),
        ("double-elimination", 64, 12),
        ("round-robin", 24, 20),
    ],
)
async def test_many_kills(tmp_path: Path, format: str, bots: int, kills: int) -> None:
    how = {"format": format, "bots": bots, "game_options": LONGER}
    await kills_are_survived(tmp_path, kills, 2, **how)


# That these tests can fail


async def test_the_checker_finds_what_is_wrong(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        id = begun(hall, bots=4, format="single-elimination")
        await ended(hall, id)
        tournament, games = await fetch_log(hall.web_url, id), await game_logs(hall, id)
    check(tournament, games)

    def finds(rows: list[Json], other_games: dict[int, list[Log]] = games) -> str:
        with pytest.raises(AssertionError) as found:
            check(remade(rows), other_games)
        return str(found.value)

    def changed(what: str, **fields: object) -> list[Json]:
        """The journal with this in place of what it says first of game 1."""
        rows: list[Json] = json.loads(json.dumps(tournament.rows))
        events = (event for row in rows for event in row["events"] if event["type"] == what)
        next(event for event in events if event["game"] == 1).update(fields)
        return rows

    pairing = tournament.of_type("paired")[0]
    reports = tournament.of_type("reported")
    winner = next(report for report in reports if report["game"] == 1).get("winner")
    both = {pairing["first"], pairing["second"]}
    other = min(both - {winner})
    once_more = [event for event in reports if event["game"] == 1]
    more = {**tournament.rows[-1], "seq": tournament.head + 1, "events": once_more}
    assert "no result of {1}" in finds(changed("reported", type="forgotten"))
    assert "more than one result" in finds([*tournament.rows, more])
    assert "games are numbered" in finds(changed("paired", game=7))
    assert "is not" in finds(changed("reported", winner=other))
    assert "is not" in finds(changed("reported", reason="no_show"))
    assert "was played by" in finds(changed("paired", first=pairing["second"]))
    assert "tables of {1}" in finds(tournament.rows, {n: games[n] for n in games if n != 1})
    assert "at 2 tables" in finds(tournament.rows, games | {1: games[1] * 2})
