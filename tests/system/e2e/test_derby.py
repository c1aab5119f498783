"""A derby of two machines, two players each, all of them processes: with a hall on each of them, or
with one that both reach."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import HallProcess, Process
from tests.system.e2e import machines
from tests.system.e2e.clients import Json
from tests.system.e2e.machines import Machine, two_machines

WAIT_SECONDS = 60
STEP_SECONDS = 0.2
CLUBS = {"north": ("Nora", "Nils"), "south": ("Sara", "Sven")}


def said(machine: Machine, *arguments: str) -> str:
    """What `gamehall tournament` prints on that machine."""
    with machine.gamehall("tournament", *arguments) as process:
        assert process.wait() == 0, process.report()
    return "\n".join(process.stdout)


def wait_until(machine: Machine, url: str, holds: Callable[[Json], bool]) -> Json:
    """What a hall answers there, once that holds."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        found: Json = machine.get_json(url)
        if holds(found):
            return found
        assert time.monotonic() < deadline, found
        # Each look is a process of its own, and takes time from those that play.
        time.sleep(STEP_SECONDS)


def entrants(count: int) -> Callable[[Json], bool]:
    return lambda shown: len(shown["view"]["entrants"]) == count


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
        wait_until(south, where, entrants(len(players)))
        said(north, "begin", id, *as_operator)
        for player in players:
            assert player.wait(WAIT_SECONDS) == 0, player.report()
            assert player.stdout[-1].startswith("The tournament is over: rank "), player.report()
        printed = said(south, "show", id, f"--url={web}")
        return north.get_json(where), south.get_json(where), printed


class TwoHalls:
    """One on each machine: the northern holds the derby, the southern follows it."""

    def __init__(self, folder: Path, north: Machine, south: Machine, stack: ExitStack) -> None:
        self.machines = {"north": north, "south": south}
        self.halls: dict[str, HallProcess] = {}
        self.web: dict[str, str] = {}
        self._stack = stack
        for club, machine in self.machines.items():
            host = f"--host={machine.address}"
            hall = HallProcess(folder / club, program=machine.program, more=(host,), doors=())
            self.halls[club] = stack.enter_context(hall)
            self.web[club] = f"http://{machine.address}:{hall.ports['native']}"
        opened = self.said("north", "open", "connect-four", "--format=derby", operator=True)
        self.id = re.findall(r"\d+", opened)[0]
        followed = self.said("south", "follow", self.web["north"], self.id, operator=True)
        self.away = re.findall(r"\d+", followed)[-1]

    def said(self, club: str, *arguments: str, operator: bool = False) -> str:
        """What `gamehall tournament` prints where that hall is, and of that hall."""
        more = (f"--data={self.halls[club].data}",) if operator else ()
        return said(self.machines[club], *arguments, f"--url={self.web[club]}", *more)

    def player(self, club: str, name: str) -> Process:
        """A bot that its own hall tells where to play."""
        held = f"--tournament={self.id}" if club == "north" else f"--away={self.away}"
        url = f"--url=ws{self.web[club].removeprefix('http')}/ws"
        who = (f"--name={name}", f"--club={club}", "--level=random")
        bot = self.machines[club].gamehall("bot", "connect-four", url, held, *who)
        return self._stack.enter_context(bot)

    def north_shows(self, holds: Callable[[Json], bool] = lambda _: True) -> Json:
        url = f"{self.web['north']}/api/tournaments/{self.id}"
        return wait_until(self.machines["north"], url, holds)

    def south_shows(self, holds: Callable[[Json], bool] = lambda _: True) -> Json:
        url = f"{self.web['south']}/api/tournaments/away/{self.away}"
        south = self.machines["south"]
        found: Json = wait_until(south, url, lambda body: holds(body["shown"]))["shown"]
        return found


def ended(*stages: str) -> Callable[[Json], bool]:
    """Whether the games of these stages are over, and no others."""
    return lambda shown: (
        {game["stage"] for game in shown["view"]["games"] if game["state"] == "over"} == set(stages)
    )


@pytest.mark.slow
def test_a_hall_on_each_of_two_machines(tmp_path: Path) -> None:
    with two_machines() as machines, ExitStack() as stack:
        both = TwoHalls(tmp_path, *machines, stack)
        players = {name: both.player(club, name) for club in CLUBS for name in CLUBS[club]}
        both.south_shows(entrants(4))
        # One who thinks for long, so that there is a middle of the derby.
        slow = players["Sven"].pid
        os.kill(slow, signal.SIGSTOP)
        both.said("north", "begin", both.id, operator=True)
        half = both.south_shows(ended("home north"))
        south = both.halls["south"]
        south.kill()
        os.kill(slow, signal.SIGCONT)
        for player in players.values():
            assert player.wait(WAIT_SECONDS) == 0, player.report()
            assert player.stdout[-1].startswith("The tournament is over: rank "), player.report()
        final = both.north_shows()
        check_derby(final)
        assert half["view"]["status"] == "running"
        south.start()
        assert both.south_shows(lambda shown: shown != half) == final
        printed = both.said("north", "show", both.id)
        # Behind a line that says where it is held.
        assert both.said("south", "show", both.away, "--away").partition("\n")[2] == printed
        for name in final["names"].values():
            assert len(re.findall(rf"^ +\d  {name} +(?:north|south) ", printed, re.M)) == 1
        assert both.halls["north"].stop() == 0
        assert both.south_shows() == final
        south.restart()
        assert both.south_shows() == final


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


@pytest.mark.slow
def test_one_hall_that_two_machines_reach(tmp_path: Path) -> None:
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
