"""What compose.cluster.yaml has started: several halls behind a proxy, and players."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.system.containers.docker import docker_answers
from tests.system.containers.engine import ROOT, Engine
from tests.system.containers.party import FETCH, Party
from tests.system.containers.stand_ins import make_stand_ins

FILE = "compose.cluster.yaml"
DOCUMENT = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")


def commands(title: str) -> list[str]:
    """The blocks of commands of a part of docs/operate.md that are about containers."""
    part = DOCUMENT.partition(f"### {title}\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", part, re.DOTALL)
    return [block for block in blocks if "docker compose" in block or "openssl" in block]


PREPARE, START, DOCTOR = commands("In containers")
BACKUP, RESTORE = commands("Backup and restore")
(UPGRADE,) = commands("Upgrade")
_, BUILD, UP = START.splitlines(keepends=True)


@contextmanager
def cluster_engine(images: Engine, folder: Path) -> Iterator[Engine]:
    """Compose, in a folder that has what a machine needs where the images are there already."""
    shutil.copy(ROOT / FILE, folder)
    shutil.copytree(ROOT / "deploy", folder / "deploy")
    stand_ins = {} if docker_answers() else make_stand_ins(images)
    engine = images._replace(
        environment={
            **images.environment,
            **stand_ins,
            "COMPOSE_FILE": FILE,
            # So that the certificate is believed, and checked.
            "SSL_CERT_FILE": str(folder / "certificate.pem"),
        },
        project="gamehall-cluster-test",
        folder=folder,
    )
    engine.run(PREPARE)
    try:
        yield engine
    finally:
        engine.run("docker compose down --volumes --remove-orphans")


class Cluster(Party):
    """Seen from the machine that it runs on, through the proxy."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, f"https://localhost:{engine.environment['PORT_HTTPS']}")

    def played(self) -> set[tuple[int, int]]:
        """The last games that are over."""
        return {(game["table"], game["round"]) for game in self.games()}

    def nodes(self) -> list[str]:
        """The containers of halls."""
        return self.containers("hall")

    def ask_node(self, node: str, path: str) -> str:
        """What one node answers, past the proxy; nothing if it does not."""
        fetch = f"python3 -c {shlex.quote(FETCH)} http://127.0.0.1:8000{path}"
        return self.engine.run(f"docker exec {node} {fetch} || true")

    def guests_at(self, node: str) -> int:
        """How many players are connected to it."""
        told = re.findall(
            r'^gamehall_players_online{kind="guest"} (\d+)',
            self.ask_node(node, "/metrics"),
            re.MULTILINE,
        )
        return int(told[0]) if told else 0

    def is_well(self, node: str) -> bool:
        return "true" in self.ask_node(node, "/healthz")

    def said(self, player: str) -> str:
        return self.engine.run(f"docker logs {player} 2>&1")
