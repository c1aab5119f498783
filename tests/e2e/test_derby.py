"""A derby of two machines that reach one hall: two players each, all of them processes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import machines
from tests.e2e.clients import Json
from tests.e2e.machines import Machine, two_machines
from tests.processes import HallProcess

WAIT_SECONDS = 60
CLUBS = {"north": ("Nora", "Nils"), "south": ("Sara", "Sven")}


def said(machine: Machine, *arguments: str) -> str:
    """What `gamehall tournament` prints on that machine."""
    with machine.gamehall("tournament", *arguments) as process:
        assert process.wait() == 0, process.report()
    return "\n".join(process.stdout)


def wait_for_entrants(machine: Machine, url: str, count: int) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while len(machine.get_json(url)["view"]["entrants"]) < count:
        assert time.monotonic() < deadline, "they never entered"


def play_derby(data: Path, north: Machine, south: Machine) -> tuple[Json, Json, str]:
    """How it stands in the end at either machine, and as it is printed."""
    here = f"--host={north.address}"
    with HallProcess(data, program=north.program, more=(here,)) as hall, ExitStack() as stack:
        web = f"http://{north.address}:{hall.ports['native']}"
        as_operator = (f"--url={web}", f"--data={data}")
        opened = said(north, "open", "connect-four", "--format=derby", *as_operator)
        id = re.findall(r"\d+", opened)[0]
        players = []
        for machine, club, door in ((north, "north", "native"), (south, "south", "native-tcp")):
            scheme, path = ("ws", "/ws") if door == "native" else ("tcp", "")
            url = f"--url={scheme}://{north.address}:{hall.ports[door]}{path}"
            how = (url, f"--tournament={id}", f"--club={club}", "--level=random")
            for name in CLUBS[club]:
                bot = machine.gamehall("bot", "connect-four", f"--name={name}", *how)
                players.append(stack.enter_context(bot))
        where = f"{web}/api/tournaments/{id}"
        wait_for_entrants(south, where, len(players))
        said(north, "begin", id, *as_operator)
        for player in players:
            assert player.wait(WAIT_SECONDS) == 0, player.report()
            assert player.stdout[-1].startswith("The tournament is over: rank "), player.report()
        printed = said(south, "show", id, f"--url={web}")
        return north.get_json(where), south.get_json(where), printed


def check_derby(shown: Json) -> None:
    """Winners meet, losers meet, and the standings are what their games say."""
    names = {int(seat): name for seat, name in shown["names"].items()}
    view = shown["view"]
    assert view["status"] == "over"
    clubs = {names[each["seat"]]: each["club"] for each in view["entrants"]}
    assert clubs == {name: club for club, both in CLUBS.items() for name in both}
    games = {game["stage"]: game for game in view["games"]}
    assert games.keys() == {"home north", "home south", "place 1", "place 2"}
    for club, both in CLUBS.items():
        home = games[f"home {club}"]
        assert {names[home["first"]], names[home["second"]]} == set(both)
        if home["winner"] is not None:
            assert home["winner"] in _both(games["place 1"]), (
                "who has won at home plays for place 1"
            )
    met = _both(games["place 1"]), _both(games["place 2"])
    assert not met[0] & met[1]
    assert all({clubs[names[seat]] for seat in pair} == {"north", "south"} for pair in met)
    expected = [rank for place, pair in enumerate(met) for rank in _ranks(games, place, pair)]
    assert sorted((each["rank"], each["seat"]) for each in view["standings"]) == sorted(expected)


def _both(game: Json) -> set[int]:
    return {game["first"], game["second"]}


def _ranks(games: dict[str, Json], place: int, pair: set[int]) -> list[tuple[int, int]]:
    winner = games[f"place {place + 1}"]["winner"]
    first = 1 + 2 * place
    return [(first if winner in (None, seat) else first + 1, seat) for seat in pair]


def test_two_machines_of_two(tmp_path: Path) -> None:
    with two_machines() as (north, south):
        at_north, at_south, printed = play_derby(tmp_path, north, south)
    assert at_north == at_south
    check_derby(at_north)
    for name in at_north["names"].values():
        assert len(re.findall(rf"^ +\d  {name} +(?:north|south) ", printed, re.M)) == 1


@pytest.mark.slow
def test_two_addresses_where_namespaces_are_not_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machines, "_set_up", lambda *_: "this is only tried out")
    with ExitStack() as stack:
        with pytest.warns(UserWarning, match="this is only tried out"):
            one, other = stack.enter_context(two_machines())
        assert one.address != other.address
        at_one, at_other, _ = play_derby(tmp_path, one, other)
    assert at_one == at_other
    check_derby(at_one)


def left_behind() -> list[str]:
    """Whatever there is on this machine that this process has set up."""
    if shutil.which("ip") is None:
        return []
    found = [
        subprocess.check_output(["ip", *command], text=True).splitlines()
        for command in (("netns", "list"), ("-o", "link"))
    ]
    return [line for lines in found for line in lines if str(os.getpid()) in line]


def fail_between_machines() -> None:
    with two_machines() as (machine, _):
        assert bool(machine.before) == bool(left_behind())
        raise ZeroDivisionError


def test_nothing_stays_behind_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError):
        fail_between_machines()
    assert left_behind() == []


@pytest.mark.parametrize("refused", ["netns add", "link add", "link set", "netns exec"])
def test_nothing_stays_behind_where_setting_up_stops_half_way(
    monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    really = subprocess.run

    def run(command: list[str], **how: Any) -> Any:
        if refused in " ".join(command):
            return subprocess.CompletedProcess(command, 1, b"", b"Operation not permitted")
        return really(command, **how)

    with ExitStack() as stack:
        monkeypatch.setattr(subprocess, "run", run)
        with pytest.warns(UserWarning, match="two addresses in place of two machines"):
            machine, _ = stack.enter_context(two_machines())
        assert machine.before == ()
    monkeypatch.undo()
    assert left_behind() == []
