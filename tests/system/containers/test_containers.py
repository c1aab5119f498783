"""The images are built, and compose.yaml is run, as docs/containers.md says: with Docker if an
engine answers, else with podman."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.server import DOORS
from tests.system.containers.engine import ROOT, Engine, finish, wait_until
from tests.system.containers.images import DOCUMENT, UP, base_of
from tests.system.containers.party import Party, in_hall, start
from tests.system.containers.terminal import Terminal

# With what is installed and fetched first.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

_, LOGS, PERSON, DATA, DOWN, OTHER_PORT, HELP, _, _ = re.findall(
    r"```sh\n(.*?)```", DOCUMENT, re.DOTALL
)
PLAYERS = 4
PLAYED_OUT = {"line", "board_full"}
"""How a game ends that nobody has left."""
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def engine(images: Engine) -> Iterator[Engine]:
    """What was started is gone at the end."""
    yield images
    images.run("docker compose down --volumes --remove-orphans")


@pytest.fixture
def party(engine: Engine) -> Party:
    """Four players at least, who play."""
    return start(engine, UP)


def image(engine: Engine, name: str) -> dict[str, Any]:
    (found,) = json.loads(engine.run(f"docker image inspect {name}"))
    return dict(found)


def test_the_images_are_small_and_hold_nothing_but_their_program(engine: Engine) -> None:
    base = image(engine, base_of(engine))
    for name, user, megabytes_max in (("gamehall", 10001, 110), ("gamehall-player", 10002, 1)):
        built = image(engine, name)
        config = built["Config"]
        added = (built["Size"] - base["Size"]) / MEGABYTE
        sys.stdout.write(f"{name}: {built['Size'] / MEGABYTE:.0f} MB, {added:.1f} over its base\n")
        assert added < megabytes_max
        assert config["User"] == f"{user}:{user}"
        assert config["StopSignal"] == "SIGTERM"
        assert config["Labels"]["org.opencontainers.image.title"] == name
        assert config["Labels"]["org.opencontainers.image.licenses"] == "MIT"
        assert f"uid={user}" in engine.run(f"docker run --rm --entrypoint id {name}")
        environment = " ".join(config["Env"]).lower()
        assert not re.search("cert|proxy|index|uv_|pip_", environment), environment
    config = image(engine, "gamehall")["Config"]
    assert list(config["Volumes"]) == ["/data"]
    assert {int(port.partition("/")[0]) for port in config["ExposedPorts"]} == {
        8000,
        *DOORS.values(),
    }


def test_the_image_has_what_the_lock_pins_and_no_tools(engine: Engine) -> None:
    listing = (
        "from importlib.metadata import distributions as d;"
        "print(*(f'{i.name.lower()}=={i.version}' for i in d()))"
    )
    python = f"docker run --rm --entrypoint python3 gamehall -c {shlex.quote(listing)}"
    # A name has several spellings, a version only one.
    installed = {
        re.sub(r"[-_.]+", "-", name) + sign + version
        for name, sign, version in (word.partition("==") for word in engine.run(python).split())
    }
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    assert installed <= {f"{package['name']}=={package['version']}" for package in locked}
    names = {name.partition("==")[0] for name in installed}
    (project,) = (package for package in locked if package["name"] == "gamehall")
    tools = {package["name"] for package in project["dev-dependencies"]["dev"]}
    needed = [*project["dependencies"], *project["optional-dependencies"]["cluster"]]
    assert names >= {package["name"] for package in needed} | {"gamehall"}
    assert not names & (tools | {"pip", "uv", "hatchling"})
    gone = "/uv /node /build /root/.cache /.cache /root/.local /opt/gamehall/bin/pip"
    gone += " /opt/gamehall/bin/uv /tmp/* /run/secrets/*"
    # Quietly, and with success only if there is not one.
    engine.run(
        f"docker run --rm --user 0 --entrypoint sh gamehall -ec"
        f" 'for path in {gone}; do test ! -e $path; done; ! command -v cc && ! command -v node'"
    )


def test_the_image_takes_commands_on_a_read_only_file_system(engine: Engine) -> None:
    assert "doctor" in engine.run(HELP)
    read_only = "docker run --rm --read-only --tmpfs /tmp --cap-drop ALL"
    assert engine.works(f"{read_only} gamehall doctor --help")
    # There is no hall yet, and it says so with the code of a wrong call.
    assert engine.run(f"{read_only} gamehall doctor --data /data && false || echo $?") == "2\n"


def test_a_person_plays_a_program(engine: Engine) -> None:
    start(engine, OTHER_PORT.replace("8080", engine.environment["PORT_WEB"]))
    party = start(engine, UP.replace(str(PLAYERS), "1"))
    named = PERSON.strip().replace("--rm ", "--rm --env PLAYER_NAME=anna ")
    assert f"`{named}`" in DOCUMENT
    with Terminal(engine.command(named), engine.all_environment) as terminal:
        terminal.wait_for(r"\n +1  \w+\n")
        terminal.type("challenge 1")
        terminal.wait_for(r"against \w+")
        column = 0
        while "column" in terminal.wait_for(
            r"your column, 1 to 7> ", r"You have \w+\.", r"Nobody has won\."
        ):
            column = column % 7 + 1
            terminal.type(str(column))
        terminal.wait_for("lobby> ")
        terminal.type("quit")
        assert terminal.wait() == 0, terminal.text
    (game,) = (game for game in party.games() if "anna" in names_of(game))
    assert game["reason"] in PLAYED_OUT
    assert names_of(game) - {"anna"} <= set(party.players())


def names_of(game: dict[str, Any]) -> set[str]:
    return {result["name"] for result in game["results"]}


def test_four_players_play_games_to_the_end(party: Party) -> None:
    players = set(party.players())
    assert len(players) == PLAYERS

    def everyone_has_played() -> bool:
        games = [game for game in party.games() if names_of(game) <= players]
        return len(games) >= PLAYERS and set().union(*map(names_of, games)) == players

    wait_until(everyone_has_played, "everyone has played")
    assert {game["reason"] for game in party.games()} <= PLAYED_OUT
    assert "started against" in party.engine.run(LOGS)
    for player in players:
        said = party.engine.run(f"docker logs {player} 2>&1")
        assert re.search(r"game \d+: (won against|lost to|no winner against) \w+", said)
        assert "Traceback" not in said


def test_the_image_brings_the_page(party: Party) -> None:
    files = re.findall(r'(?:href|src)="\./(assets/[^"]+)"', party.read("/"))
    assert any(name.endswith(".js") for name in files)
    for name in files:
        assert party.read(f"/{name}")


def test_the_hall_is_confined_and_its_health_can_be_checked(party: Party) -> None:
    status = in_hall(party, "cat", "/proc/1/status")
    assert re.search(r"^CapBnd:\s+0+$", status, re.MULTILINE)
    assert re.search(r"^NoNewPrivs:\s+1$", status, re.MULTILINE)
    assert re.search(r"^Uid:\s+10001\s", status, re.MULTILINE)
    assert not party.engine.works("docker compose exec -T hall touch /opt/gamehall/new")
    assert party.engine.works("docker compose exec -T hall touch /tmp/new")
    built = image(party.engine, "gamehall")
    # Podman says it in another place.
    kind, *check = (built.get("Healthcheck") or built["Config"]["Healthcheck"])["Test"]
    assert kind == "CMD"
    in_hall(party, *check)
    # And it can fail: in a container where no hall runs.
    program, *arguments = check
    alone = f"docker run --rm --entrypoint {program} gamehall {shlex.join(arguments)}"
    assert not party.engine.works(alone)


def test_games_go_on_after_the_hall_was_killed(party: Party) -> None:
    players = shlex.join(party.players())
    running: dict[int, int] = {}

    def stands_still_in_a_game() -> bool:
        party.engine.run(f"docker pause {players}")
        # A table's head counts the rows of its journal: the first is its opening.
        running.update({table["id"]: table["head"] for table in party.tables()})
        if not running:
            party.engine.run(f"docker unpause {players}")
        return bool(running)

    wait_until(stands_still_in_a_game, "players stand still in the middle of a game")
    over = {game["table"] for game in party.games()}
    assert not over & set(running)
    party.engine.run("docker compose kill --signal KILL hall")
    assert not party.is_healthy()
    party.engine.run("docker compose start hall")
    wait_until(party.is_healthy, "the hall is back")
    assert {table["id"]: table["head"] for table in party.tables()} == running
    party.engine.run(f"docker unpause {players}")

    def they_are_over() -> bool:
        over.update(game["table"] for game in party.games())
        return over >= set(running)

    wait_until(they_are_over, "the games are over")
    for game in party.games():
        assert game["reason"] in PLAYED_OUT, game
        assert game["last_seq"] > running.get(game["table"], 0)
    said = "".join(party.engine.run(f"docker logs {player} 2>&1") for player in players.split())
    for table in running:
        assert len(re.findall(rf"^game {table}: goes on$", said, re.MULTILINE)) == 2, said


def test_data_outlives_the_containers(party: Party) -> None:
    wait_until(lambda: bool(party.games()), "a game is over")
    last = party.games()[0]
    before, there = party.fetch(f"/api/tables/{last['table']}"), party.players()
    party.engine.run(DOWN)
    assert not party.players()
    again = start(party.engine, UP)
    assert again.fetch(f"/api/tables/{last['table']}") == before
    assert not set(again.players()) & set(there)


def test_data_is_looked_at_and_copied(party: Party, tmp_path: Path) -> None:
    copy = tmp_path / "hall-backup.db"
    commands = DATA.replace("hall-backup.db", shlex.quote(str(copy)))
    assert commands != DATA
    assert party.engine.run(commands).count("Sound.\n") == 2
    doctor = [sys.executable, "-m", "gamehall", "doctor", "--set", f"store.url=sqlite:///{copy}"]
    assert finish(doctor, party.engine.all_environment, 60).endswith("Sound.\n")
