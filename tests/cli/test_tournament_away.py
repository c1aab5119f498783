"""`gamehall tournament follow`, `--away` and `gamehall bot --away`, with two real halls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.cli.hall_api import HallApi, operator_token
from gamehall.wire.http.api_messages import AwayShown
from gamehall.wire.native.tournament_messages import TournamentId
from tests.cli.calling import exit_code
from tests.cli.test_verify_cli import send, serving
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

GAME = "connect-four"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def north(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("north")) as hall:
        yield hall


@pytest.fixture(scope="module")
def south(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("south")) as hall:
        yield hall


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, south: HallProcess
) -> Run:
    """Calls a command at the southern hall: its exit code, and what it says."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    def called(command: str, *given: object, **options: object) -> tuple[int, str, str]:
        if command in ("follow", "forget"):
            options = {"data": south.data, **options}
        code = exit_code("tournament", command, *given, **{"url": south.web_url, **options})
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def opened(hall: HallProcess, **options: Any) -> int:
    asked = {"game": GAME, "bots": ["random"], **options}
    api = HallApi(hall.web_url, operator_token(hall.data))
    return api.post("/api/tournaments", TournamentId, asked).tournament


def followed(run: Run, north: HallProcess, id: int) -> int:
    code, out, err = run("follow", north.web_url, id)
    assert code == 0, err
    assert out.startswith("It is followed here under the number ")
    return int(out.split()[-1].rstrip("."))


def over(south: HallProcess, away: int) -> AwayShown:
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        found = HallApi(south.web_url).get(f"/api/tournaments/away/{away}", AwayShown)
        if found.shown.view.status == "over":
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.02)


def test_from_here_to_the_end_there(run: Run, north: HallProcess, south: HallProcess) -> None:
    at = run("list", away=True)
    id = opened(north, title="Away cup", bots=["random", "random"])
    away = followed(run, north, id)
    assert followed(run, north, id) == away
    (line,) = (each for each in run("list", away=True)[1].splitlines() if "Away cup" in each)
    words = line.split()
    assert words[:6] == [str(away), "open", "round-robin", GAME, "2", north.web_url]
    assert run("begin", id, url=north.web_url, data=north.data)[0] == 0
    found = over(south, away)
    code, here, _ = run("show", away, away=True)
    there = run("show", id, url=north.web_url)[1]
    head, _, rest = here.partition("\n")
    assert (code, rest) == (0, there)
    assert head.startswith(f"Held at {north.web_url}, seen 20")
    assert "not reached" not in head
    assert f"Tournament {found.tournament}: Away cup" in rest
    assert run("forget", away) == (0, f"The tournament {away} of another hall is forgotten.\n", "")
    assert run("list", away=True) == at


def test_a_hall_that_is_away(run: Run, tmp_path: Path) -> None:
    with HallProcess(tmp_path) as other:
        away = followed(run, other, opened(other, title="Far"))
        address = other.web_url
    deadline = time.monotonic() + WAIT_SECONDS
    while ", and not reached now" not in run("show", away, away=True)[1]:
        assert time.monotonic() < deadline
    (line,) = (each for each in run("list", away=True)[1].splitlines() if address in each)
    assert "  not reached  Far" in line
    assert run("forget", away)[0] == 0


def test_what_the_hall_refuses(run: Run, north: HallProcess) -> None:
    assert run("list", away=True)[1] == "No tournament of another hall is followed.\n"
    code, _, err = run("follow", north.web_url, 4711)
    assert (code, "has no tournament 4711" in err) == (1, True)
    code, _, err = run("follow", "http://127.0.0.1:1", 1)
    assert (code, "http://127.0.0.1:1 cannot be reached" in err) == (1, True)
    code, _, err = run("follow", "ws://127.0.0.1:1/ws", 1)
    assert (code, "Expected the web address of a hall" in err) == (2, True)
    code, _, err = run("follow", north.web_url, 1, token="wrong")
    assert (code, "answers 401" in err) == (1, True)
    for command, given in (("show", {"away": True}), ("forget", {})):
        code, _, err = run(command, 4711, **given)
        assert (code, "No tournament of that number is followed here." in err) == (1, True)


def test_a_list_that_repeats_itself(run: Run) -> None:
    page = b'{"tournaments":[],"next":0}'
    with serving(lambda _, handler: send(handler, page)) as (address, _):
        code, _, err = run("list", away=True, url=address.partition("/api")[0])
    assert (code, "repeats itself" in err) == (1, True)


def test_a_bot_is_sent_where_it_is_held(
    run: Run, north: HallProcess, south: HallProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    id = opened(north, format="arena", minutes=0.001)
    away = followed(run, north, id)
    assert run("begin", id, url=north.web_url, data=north.data)[0] == 0
    over(south, away)
    # It is over, so that there is nothing to play; but that is for the northern hall to say.
    assert exit_code("bot", GAME, url=south.ws_url, away=away, club="south") == 1
    said = capsys.readouterr()
    assert f"Connected to {north.ws_url} as " in said.out
    assert f"gamehall: Tournament {id}: " in said.err
    assert run("forget", away)[0] == 0


def test_a_bot_whose_hall_does_not_follow_it(
    south: HallProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code("bot", GAME, url=south.ws_url, away=4711) == 1
    assert "is followed here." in capsys.readouterr().err
    assert exit_code("bot", GAME, url="ws://127.0.0.1:1/ws", away=1) == 1
    assert "Cannot reach http://127.0.0.1:1/api/tournaments/away/1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({"away": 1, "url": "tcp://127.0.0.1:8001"}, "--away needs the web address of the hall"),
        ({"away": 1, "tournament": 1}, "either this hall's --tournament, or --away"),
        ({"away": 1, "table": 8}, "no choice of a --table"),
        ({"away": 1, "games": 2}, "or of --games"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    call: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code("bot", GAME, **call) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("command", ["follow", "forget"])
def test_the_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("tournament", command, "--help") == 0
    assert f"Example: gamehall tournament {command}" in capsys.readouterr().out
