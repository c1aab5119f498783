"""What the moves of finished games were worth: over HTTP, and in a terminal."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from gamehall.cli.replay import analysing
from gamehall.cli.replay.replay import Screen, show
from gamehall.errors import NotAnalysed
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Game
from gamehall.games.two_in_turn import Resign
from tests.games.verify_toy import DiceGame, Recorder, two_rounds
from tests.hall.halls import TestHall
from tests.support.processes import HallProcess
from tests.web.guests import WON_BY_FIRST, Guest, drop, match, play_connect_four

LIMIT_SECONDS = 240

pytestmark = pytest.mark.timeout(2 * LIMIT_SECONDS)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall") / "data") as hall:
        yield hall


def asked(hall: HallProcess, path: str) -> tuple[int, Any]:
    try:
        with urlopen(f"{hall.web_url}/api/tables/{path}") as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)["error"]


def test_every_move_is_told_with_what_each_column_was_worth(hall: HallProcess) -> None:
    with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
        table = play_connect_four(anna, bob)
    status, first = asked(hall, f"{table}/analysis")
    assert (status, first["code"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
    assert "starting" in first["message"]
    deadline = time.monotonic() + LIMIT_SECONDS
    while status == HTTPStatus.SERVICE_UNAVAILABLE:
        assert time.monotonic() < deadline
        time.sleep(0.05)
        status, analysis = asked(hall, f"{table}/analysis?round=1")
    assert status == HTTPStatus.OK
    columns = [move["column"] for move in analysis["moves"]]
    assert [move["seat"] for move in analysis["moves"]] == [n % 2 for n in range(len(columns))]
    opening = analysis["moves"][0]
    assert [each["result"] for each in opening["columns"]] == [
        "loss", "loss", "draw", "win", "draw", "loss", "loss",
    ]  # fmt: skip
    assert opening["columns"][3]["plies"] == 41
    last = analysis["moves"][-1]
    assert last["columns"][last["column"]] == {"result": "win", "plies": 1}
    for move in analysis["moves"]:
        results = [each["result"] for each in move["columns"] if each]
        made = move["columns"][move["column"]]["result"]
        best = next(each for each in ("win", "draw", "loss") if each in results)
        assert move["verdict"] == ("kept" if made == best else f"{best}_thrown_away")


def test_what_cannot_be_analysed(hall: HallProcess) -> None:
    assert asked(hall, "999/analysis")[0] == HTTPStatus.NOT_FOUND
    with Guest(hall, "ann") as ann, Guest(hall, "bo") as bo:
        wide = match(ann, bo, columns=9)
        assert asked(hall, f"{wide}/analysis")[1]["code"] == "round_running"
        drop((ann, bo), wide, WON_BY_FIRST)
        other = match(ann, bo, "four-stone")
        assert asked(hall, f"{other}/analysis")[1]["code"] == "not_analysed"
    status, refusal = asked(hall, f"{wide}/analysis")
    assert (status, refusal["code"]) == (HTTPStatus.CONFLICT, "not_analysed")
    assert "standard board" in refusal["message"]
    assert asked(hall, f"{wide}/analysis?round=2")[1]["code"] == "no_such_round"


async def test_a_hall_without_the_solver_says_how_to_get_it(tmp_path: Path) -> None:
    hall = TestHall(tmp_path)
    await hall.start()
    anna, bob = await hall.guest("anna"), await hall.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    table = await hall.hall.new_tables.open_match(
        [anna.online, bob.online], "connect-four", {}, drawn=False, rated=False, origin="test"
    )
    await hall.ask(anna, table, Resign())
    with pytest.raises(NotAnalysed, match=r"pip install 'gamehall\[solver\]'"):
        await hall.hall.analyses.of(table, None, 1)
    await hall.stop()


# In a terminal


def recorded(**options: int) -> Recorder:
    table = Recorder(ConnectFour(), options)
    table.sit_both()
    for place, column in enumerate(WON_BY_FIRST):
        table.act(place % 2, Drop(column))
    return table


def shown(folder: Path, table: Recorder) -> tuple[int, str, str]:
    path = folder / "journal.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in table.exported()))
    out, err = io.StringIO(), io.StringIO()
    games: dict[str, Game[Any]] = {"connect-four": ConnectFour(), "dice": DiceGame()}
    code = show(str(path), games, Screen(out, io.StringIO()), err, analyse=True)
    return code, out.getvalue(), err.getvalue()


def test_a_log_is_shown_with_what_each_column_was_worth(tmp_path: Path) -> None:
    code, out, err = shown(tmp_path, recorded())
    assert (code, err) == (0, "")
    assert (
        "dropped column=0\n"
        "    → column 0: losing in 40\n"
        "      column 1: losing in 42\n"
        "      column 2: drawing\n"
        "      column 3: winning in 41\n"
    ) in out
    assert out.count("✗ This threw away a win.") >= 2
    assert "    → column 0: winning in 1\n" in out


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (recorded(columns=9), "Only the standard board is solved"),
        (two_rounds(), "Only games of Connect Four"),
    ],
)
def test_a_log_that_is_not_of_the_standard_game(tmp_path: Path, table: Recorder, why: str) -> None:
    code, out, err = shown(tmp_path, table)
    assert (code, out) == (1, "")
    assert err.startswith(f"gamehall: {why}")


def test_without_the_solver_there_is_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "installed", lambda: False)
    code, _, err = shown(tmp_path, recorded())
    assert code == 1
    assert "pip install 'gamehall[solver]'" in err
