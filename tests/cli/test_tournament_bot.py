"""`gamehall bot --tournament`: programs that enter, play what they are seated at, and then end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.cli.hall_api import HallApi, operator_token
from gamehall.wire.native.tournament_messages import TournamentId, TournamentShown
from tests.cli.calling import exit_code
from tests.client.player import Player
from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS

GAME = "connect-four"
STEP_SECONDS = 0.02


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


def operator(hall: HallProcess) -> HallApi:
    return HallApi(hall.web_url, operator_token(hall.data))


def opened(hall: HallProcess, **options: Any) -> int:
    asked = {"game": GAME, **options}
    return operator(hall).post("/api/tournaments", TournamentId, asked).tournament


def begin(hall: HallProcess, id: int) -> None:
    operator(hall).post(f"/api/tournaments/{id}/begin", TournamentId, {})


async def shown(hall: HallProcess, id: int) -> TournamentShown:
    path = f"/api/tournaments/{id}"
    return await asyncio.to_thread(operator(hall).get, path, TournamentShown)


async def entrants(hall: HallProcess, id: int, count: int) -> None:
    """Returns when so many have entered."""
    async with asyncio.timeout(WAIT_SECONDS):
        while len((await shown(hall, id)).view.entrants) != count:
            await asyncio.sleep(STEP_SECONDS)


def a_bot(url: str, id: int, *arguments: str) -> Process:
    return Process("bot", GAME, f"--url={url}", f"--tournament={id}", "--level=random", *arguments)


@pytest.mark.slow
async def test_bots_and_a_person_play_one_through_a_crash(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        id = opened(hall, format="round-robin")
        with (
            a_bot(hall.ws_url, id, "--name=North", "--club=north") as north,
            a_bot(hall.tcp_url, id, "--name=South") as south,
        ):
            async with Player(hall.tcp_url, name="Ann") as ann:
                await ann.ask("enter_tournament", tournament=id)
                await entrants(hall, id, 3)
                begin(hall, id)
                table = await ann.started()
                await asyncio.to_thread(hall.restart)
                await ann.next("connected")
                await ann.ask("act", table=table, command={"type": "resign"})
                await ann.until(lambda: len(ann.all("seated")) == 2)
                last = ann.all("seated")[-1]["table"]
                await ann.ask("act", table=last, command={"type": "resign"})
                for process in (north, south):
                    assert await asyncio.to_thread(process.wait) == 0, process.report()
        over = await shown(hall, id)
    assert over.view.status == "over"
    clubs = {over.names[each.seat]: each.club for each in over.view.entrants}
    assert clubs == {"Ann": "", "North": "north", "South": ""}
    for name, process in (("North", north), ("South", south)):
        assert process.stdout[1] == f"Entered tournament {id}."
        assert "Connected again." in process.stdout
        (mine,) = (each for each in over.view.standings if over.names[each.seat] == name)
        games = f"{mine.won} won, {mine.drawn} drawn, {mine.lost} lost"
        place = f"rank {mine.rank} of 3, {mine.points} points ({games})."
        assert process.stdout[-1] == f"The tournament is over: {place}"
        assert mine.won >= 1, "Ann has resigned each game"


async def test_interrupted_it_withdraws(hall: HallProcess) -> None:
    id = opened(hall)
    async with Player(hall.ws_url, name="Ann") as ann:
        await ann.ask("enter_tournament", tournament=id)
        with a_bot(hall.ws_url, id) as process:
            await entrants(hall, id, 2)
            begin(hall, id)
            await ann.started()
            assert await asyncio.to_thread(process.stop, signal.SIGINT) == 0
            assert not any("Traceback" in line for line in process.stderr)
        await ann.until(lambda: bool(ann.events(id, "finished")))
    over = await shown(hall, id)
    assert [each.withdrawn for each in over.view.entrants].count(True) == 1
    assert [over.names[seat] for seat in over.view.winners] == ["Ann"]


def test_what_it_cannot_enter(hall: HallProcess, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bot", GAME, url=hall.ws_url, tournament=4711) == 1
    assert "Tournament 4711: There is no such tournament." in capsys.readouterr().err
    id = opened(hall, bots=["random", "random"])
    assert exit_code("bot", "four-stone", url=hall.ws_url, tournament=id) == 1
    assert f"Tournament {id} is one of {GAME}." in capsys.readouterr().err
    begin(hall, id)
    assert exit_code("bot", GAME, url=hall.ws_url, tournament=id) == 1
    assert f"Tournament {id}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({"club": "north"}, "--club is for a --tournament."),
        ({"tournament": 7, "table": 8}, "no choice of a --table"),
        ({"tournament": 7, "games": 2}, "or of --games"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    call: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code("bot", GAME, **call) == 2
    assert says in capsys.readouterr().err
