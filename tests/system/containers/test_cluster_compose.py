"""compose.cluster.yaml is run as docs/operate.md says: several halls, and one of them is killed."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator

import pytest

from tests.system.containers.cluster import (
    BACKUP,
    BUILD,
    DOCTOR,
    RESTORE,
    UP,
    UPGRADE,
    Cluster,
    cluster_engine,
)
from tests.system.containers.engine import Engine, finish, wait_until

# With what is installed, fetched and built first.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

PLAYED_OUT = {"line", "board_full"}
"""How a game ends that nobody has left."""
SAY_HELLO = """
import json, sys
from websockets.sync.client import connect
with connect(sys.argv[1]) as socket:
    socket.send(json.dumps({"action": "hello", "payload": {"name": "anna"}}))
    print(socket.recv())
"""


@pytest.fixture(scope="module")
def engine(images: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with cluster_engine(images, tmp_path_factory.mktemp("cluster")) as engine:
        yield engine


@pytest.fixture
def cluster(engine: Engine) -> Cluster:
    """Two nodes that are well, and four players at least."""
    cluster = Cluster(engine)
    # Players last, so that the proxy has both nodes to send them to.
    for up in (UP.replace("\n", " hall proxy\n"), UP):
        if len(cluster.nodes()) != 2 or len(cluster.players()) != 4:
            engine.run(up)
        wait_until(lambda: len(cluster.nodes()) == 2, "two nodes run")
        wait_until(lambda: all(map(cluster.is_well, cluster.nodes())), "all nodes are well")
        wait_until(cluster.is_healthy, "the proxy sends us to one of them")
    return cluster


def test_without_a_password_it_says_so(engine: Engine) -> None:
    assert BUILD == "docker compose build\n"
    assert engine.works("docker compose config")
    without = engine._replace(environment={**engine.environment, "POSTGRES_PASSWORD": ""})
    assert not without.works("docker compose config")


def test_players_at_both_nodes_play(cluster: Cluster) -> None:
    def players_are_at_both() -> bool:
        if all(cluster.guests_at(node) > 0 for node in cluster.nodes()):
            return True
        # The proxy did not know one node yet. Who comes again is sent where there are fewest.
        player = cluster.players()[0]
        cluster.engine.run(f"docker kill {player} && docker start {player}")
        return False

    wait_until(players_are_at_both, "players are at both nodes")
    players = set(cluster.players())

    def everyone_has_played() -> bool:
        games = [{result["name"] for result in game["results"]} for game in cluster.games()]
        return set().union(*games) >= players

    wait_until(everyone_has_played, "everyone has played")
    assert {game["reason"] for game in cluster.games()} <= PLAYED_OUT


def test_the_proxy_brings_page_and_websocket_over_tls(cluster: Cluster) -> None:
    port = cluster.engine.environment["PORT_HTTPS"]
    assert "<title>" in cluster.read("/")
    hello = [sys.executable, "-c", SAY_HELLO, f"wss://localhost:{port}/ws"]
    told = finish([*cluster.engine.enter, *hello], cluster.engine.all_environment, 60)
    assert '"anna' in told
    curl = "curl --silent --cacert certificate.pem --write-out '%{http_code}'"
    assert cluster.engine.run(f"{curl} https://localhost:{port}/metrics") == "404"


def test_everything_is_confined(cluster: Cluster) -> None:
    for service in ("hall", "postgres", "redis", "proxy", "player"):
        for container in cluster.containers(service):
            status = cluster.engine.run(f"docker exec {container} cat /proc/1/status")
            assert re.search(r"^CapBnd:\s+0+$", status, re.MULTILINE), service
            assert re.search(r"^NoNewPrivs:\s+1$", status, re.MULTILINE), service
            assert not re.search(r"^Uid:\s+0\s", status, re.MULTILINE), service
            assert not cluster.engine.works(f"docker exec --user 0 {container} touch /usr/new")


def test_games_go_on_when_a_node_is_killed(cluster: Cluster) -> None:
    engine, players = cluster.engine, cluster.players()
    running = stand_still_in_games(cluster, players)
    over = {game["table"] for game in cluster.games()}
    assert not over & set(running)
    killed = max(cluster.nodes(), key=cluster.guests_at)
    engine.run(f"docker kill --signal KILL {killed}")
    engine.run(f"docker unpause {shlex.join(players)}")

    def they_are_over() -> bool:
        if cluster.is_healthy():
            over.update(game["table"] for game in cluster.games())
        return over >= set(running)

    wait_until(they_are_over, "the games are over")
    for game in cluster.games():
        assert game["reason"] in PLAYED_OUT, game
        assert game["last_seq"] > running.get(game["table"], 0)
    said = "".join(map(cluster.said, players))
    assert any(re.search(rf"^game {table}: goes on$", said, re.MULTILINE) for table in running)
    assert "Traceback" not in said
    (left,) = cluster.nodes()
    doctor = DOCTOR.replace("docker compose exec -T hall", f"docker exec {left}")
    assert engine.run(doctor).endswith("Sound.\n")


def stand_still_in_games(cluster: Cluster, players: list[str]) -> dict[int, int]:
    """The heads of the tables at which all players are paused in the middle of a game."""
    running: dict[int, int] = {}

    def all_stand_still() -> bool:
        cluster.engine.run(f"docker pause {shlex.join(players)}")
        running.clear()
        # A table's head counts the rows of its journal: the first is its opening.
        running.update({table["id"]: table["head"] for table in cluster.tables()})
        if len(running) < len(players) // 2:
            cluster.engine.run(f"docker unpause {shlex.join(players)}")
        return len(running) == len(players) // 2

    wait_until(all_stand_still, "players stand still in the middle of games")
    return running


@pytest.mark.parametrize("service", ["redis", "postgres"])
def test_it_heals_when_a_server_was_away(cluster: Cluster, service: str) -> None:
    before = cluster.played()
    cluster.engine.run(f"docker compose kill {service}")
    wait_until(lambda: not cluster.is_healthy(), "the hall is not well")
    cluster.engine.run(f"docker compose start {service}")
    wait_until(lambda: all(map(cluster.is_well, cluster.nodes())), "all nodes are well again")
    wait_until(cluster.is_healthy, "the proxy knows it")
    wait_until(lambda: len(cluster.played() - before) >= 4, "games are played to their ends")
    assert cluster.engine.run(DOCTOR).endswith("Sound.\n")


def test_the_database_is_backed_up_and_restored(cluster: Cluster) -> None:
    engine, folder = cluster.engine, cluster.engine.folder
    wait_until(lambda: bool(cluster.games()), "a game is over")
    last = cluster.games()[0]
    before = cluster.fetch(f"/api/tables/{last['table']}")
    engine.run(BACKUP)
    assert re.fullmatch(r"[0-9a-f]{64}\n", (folder / "draw-key").read_text())
    wait_until(lambda: cluster.games()[0] != last, "another game is over")
    since = cluster.games()[0]
    players = shlex.join(cluster.players())
    engine.run(f"docker pause {players}")
    engine.run(RESTORE)
    wait_until(cluster.is_healthy, "the hall is back")
    games = cluster.games()
    assert last in games
    assert since not in games
    restored = cluster.played()
    assert cluster.fetch(f"/api/tables/{last['table']}") == before
    engine.run(f"docker unpause {players}")
    wait_until(lambda: bool(cluster.played() - restored), "they play on")
    assert engine.run(DOCTOR).endswith("Sound.\n")


# The last one: podman-compose finds only nodes with the first numbers.
def test_nodes_are_replaced_while_people_play(cluster: Cluster) -> None:
    old, players = cluster.nodes(), cluster.players()
    before = cluster.played()
    upgrade = UPGRADE.removeprefix(BUILD)
    ours = upgrade.replace("project=gamehall-cluster ", f"project={cluster.engine.project} ")
    assert ours != upgrade != UPGRADE
    cluster.engine.run(ours)
    new = cluster.nodes()
    assert len(new) == 2
    assert not set(new) & set(old)
    assert cluster.players() == players
    wait_until(lambda: len(cluster.played() - before) >= 4, "games are played to their ends")
    assert {game["reason"] for game in cluster.games()} <= PLAYED_OUT
