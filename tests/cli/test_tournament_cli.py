"""`gamehall tournament` against a real hall: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gamehall.cli.hall_api import HallApi
from gamehall.wire.native.tournament_messages import TournamentShown
from tests.cli.calling import exit_code
from tests.cli.test_verify_cli import send, serving
from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.logs import get_now, journal_url

GAME = "connect-four"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, hall: HallProcess
) -> Run:
    """Calls a command: its exit code, and what it says."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    def called(command: str, *given: object, **options: object) -> tuple[int, str, str]:
        if command in ("open", "begin") and "token" not in options:
            options = {"data": hall.data, **options}
        code = exit_code("tournament", command, *given, **{"url": hall.web_url, **options})
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def opened(run: Run, **options: Any) -> int:
    code, out, err = run("open", GAME, **options)
    assert code == 0, err
    words = out.split()
    assert (words[0], words[2:]) == ("Tournament", ["is", "open."])
    return int(words[1])


def over(hall: HallProcess, id: int) -> TournamentShown:
    api = HallApi(hall.web_url)
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        shown = api.get(f"/api/tournaments/{id}", TournamentShown)
        if shown.view.status == "over":
            return shown
        assert time.monotonic() < deadline, shown
        time.sleep(0.02)


def test_from_its_opening_to_its_end(run: Run, hall: HallProcess) -> None:
    id = opened(run, format="swiss", title="Town cup", bots=("random:3", "sensible"), rounds=2)
    line = f"{id}  open    swiss   {GAME}         4  Town cup"
    assert line in [each.strip() for each in run("list")[1].splitlines()]
    _, out, _ = run("show", id)
    assert out.splitlines() == [
        f"Tournament {id}: Town cup",
        f"swiss of {GAME}, open, 4 entrants, begins when its organiser says so",
        "",
        "NAME",
        "Random bot",
        "Random bot 2",
        "Random bot 3",
        "Sensible bot",
    ]
    assert run("begin", id) == (0, f"Tournament {id} has begun.\n", "")
    view = over(hall, id).view
    code, out, _ = run("show", id)
    lines = out.splitlines()
    assert (code, lines[1]) == (0, f"swiss of {GAME}, over, 4 entrants")
    head = ["RANK", "NAME", "POINTS", "WON", "DRAWN", "LOST", "STAYED", "DIRECT", "BUCHHOLZ"]
    assert lines[4].split() == [*head, "WINS"]
    ranks = [line.split()[0] for line in lines[5:9]]
    assert ranks == [str(each.rank) for each in view.standings]
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2"]
    assert sum(" wins (" in line or "draw (" in line for line in lines) == view.games_count == 4
    with Process("verify", journal_url(hall.web_url, id)) as verify:
        assert verify.wait() == 0, verify.report()
    with Process("replay", journal_url(hall.web_url, id)) as replay:
        assert replay.wait() == 0, replay.report()
    assert "Town cup: 4 entrants, 4 games, 0 of them being played" in replay.stdout
    with Process("doctor", f"--data={hall.data}") as doctor:
        assert doctor.wait() == 0, doctor.report()
    assert not any("Not installed" in line for line in doctor.stdout)


def test_one_that_is_long_over_is_still_shown(run: Run, tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=("table.rematch_seconds=0.01",)) as hall:
        here: dict[str, Any] = {"url": hall.web_url}
        assert run("list", **here) == (0, "There is no tournament.\n", "")
        run("open", GAME, bots=("random:2",), title="Long ago", data=hall.data, **here)
        run("begin", 1, data=hall.data, **here)
        over(hall, 1)
        deadline = time.monotonic() + WAIT_SECONDS
        while "Long ago" in run("list", **here)[1]:
            assert time.monotonic() < deadline
        assert "1  over    round-robin" in run("list", all=True, **here)[1]
        hall.restart()
        code, out, _ = run("show", 1, **here)
    assert (code, "Won by" in out or "draw" in out) == (0, True)


def test_every_setting_arrives(run: Run, hall: HallProcess) -> None:
    at = datetime.now().astimezone().replace(microsecond=0) + timedelta(hours=1)
    id = opened(
        run,
        format="arena",
        title="Night arena",
        minutes=7.5,
        players_most=9,
        starts_at=at.replace(tzinfo=None),
        rated=False,
        option=("columns=5", "move_seconds=30"),
    )
    _, out, _ = run("show", id)
    assert f"arena of {GAME}, open, 0 entrants, not rated, begins {at:%Y-%m-%d %H:%M:%S}" in out
    _, journal = get_now(journal_url(hall.web_url, id))
    (opening, *_) = json.loads(journal.splitlines()[0])["events"]
    options = opening["options"]
    assert (options["minutes"], options["players_most"], options["rated"]) == (7.5, 9, False)
    assert options["game_options"] == {"columns": 5, "move_seconds": 30}


def test_a_title_cannot_steer_the_terminal(run: Run) -> None:
    id = opened(run, title="\x1b[31mred\nline")
    for out in (run("show", id)[1], run("list")[1]):
        assert "\x1b" not in out
        assert "�[31mred�line" in out


def test_what_the_hall_refuses(run: Run, hall: HallProcess) -> None:
    before = run("list")[1]
    assert run("show", 4711)[0] == 1
    assert "answers 404: There is no such tournament." in run("show", 4711)[2]
    code, _, err = run("open", GAME, bots=("genius",))
    assert (code, "no bot 'genius'" in err) == (1, True)
    code, _, err = run("open", "chess")
    assert (code, "answers 404" in err) == (1, True)
    code, _, err = run("open", GAME, token="wrong")
    assert (code, "answers 401" in err) == (1, True)
    code, _, err = run("open", GAME, bots=("random:3",), players_most=2)
    assert (code, "3 bots are more than may enter." in err) == (2, True)
    code, _, err = run("open", GAME, option=("columns=99",))
    assert (code, "answers 400" in err) == (2, True)
    assert run("list")[1] == before, "nothing of all that is left behind"
    id = opened(run, bots=("random:2",))
    assert run("begin", id)[0] == 0
    code, _, err = run("begin", id)
    assert (code, "answers 409" in err) == (1, True)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"url": "ws://127.0.0.1:8000/ws"}, "is not the web address of a hall"),
        ({"url": "http://127.0.0.1:99999"}, "is not the web address of a hall"),
        ({"token": "two\nlines"}, "one line of letters"),
        ({"bots": ("random:0",)}, "--bots random:0"),
        ({"bots": ("random:many",)}, "--bots random:many"),
        ({"starts_at": datetime(2020, 1, 1)}, "is in the past"),
        ({"option": ("columns",)}, "--option columns is not of the form KEY=VALUE."),
    ],
)
def test_a_wrong_call_says_what_is_wrong(run: Run, options: dict[str, Any], says: str) -> None:
    code, out, err = run("open", GAME, **options)
    assert (code, out) == (2, "")
    assert err.startswith("gamehall: ")
    assert says in err


def test_without_a_token_it_says_where_it_looked(run: Run, tmp_path: Path) -> None:
    code, _, err = run("begin", 1, data=tmp_path)
    assert (code, "operator-token: No such file" in err, "--token" in err) == (2, True, True)


def test_no_hall_is_a_failure(run: Run) -> None:
    code, _, err = run("list", url="http://127.0.0.1:1")
    assert (code, "Cannot reach http://127.0.0.1:1/api/tournaments" in err) == (1, True)


def test_something_else_that_answers_is_a_failure(run: Run) -> None:
    with serving(lambda _, handler: send(handler, b"<html>Welcome</html>")) as (address, _):
        code, _, err = run("show", 1, url=address.partition("/api")[0])
    assert (code, "does not answer as a hall does" in err) == (1, True)


@pytest.mark.parametrize("command", [(), ("list",), ("show",), ("open",), ("begin",)])
def test_the_help_has_an_example(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code("tournament", *command, "--help") == 0
    assert "Example: gamehall tournament" in capsys.readouterr().out
