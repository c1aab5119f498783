"""What a compose file has started: a hall and players who play there."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Any

from tests.system.containers.engine import Engine, finish, wait_until

FETCH_SECONDS = 30.0
FETCH = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=10).read().decode())"


class Party:
    """The running hall and its players, seen from the machine that they run on."""

    def __init__(self, engine: Engine, address: str) -> None:
        self.engine = engine
        self._address = address

    def fetch(self, path: str) -> Any:
        """What the hall answers on its published port, in JSON."""
        return json.loads(self.read(path))

    def read(self, path: str) -> str:
        """What it answers, as text."""
        command = [*self.engine.enter, sys.executable, "-c", FETCH, self._address + path]
        return finish(command, self.engine.all_environment, FETCH_SECONDS)

    def is_healthy(self) -> bool:
        command = [*self.engine.enter, sys.executable, "-c", FETCH, self._address + "/healthz"]
        done = subprocess.run(
            command,
            env=self.engine.all_environment,
            capture_output=True,
            timeout=FETCH_SECONDS,
            check=False,
        )
        return done.returncode == 0

    def games(self) -> list[dict[str, Any]]:
        """The last ones that are over."""
        return list(self.fetch("/api/history?game=connect-four&limit=100")["rounds"])

    def tables(self) -> list[dict[str, Any]]:
        """Those where a game is being played."""
        return list(self.fetch("/api/tables?game=connect-four&status=playing")["tables"])

    def players(self) -> list[str]:
        """The containers of players, by the name that each has in the hall, its own host's."""
        return self.containers("player")

    def containers(self, service: str) -> list[str]:
        """Those of a service that run."""
        own = [f"--filter label=com.docker.compose.project={self.engine.project}"]
        own += [f"--filter label=com.docker.compose.service={service}"]
        return self.engine.run(f"docker ps --quiet {' '.join(own)}").split()


def start(engine: Engine, up: str) -> Party:
    """Does what starts it, and waits until the hall can serve."""
    engine.run(up)
    party = Party(engine, f"http://127.0.0.1:{engine.environment['PORT_WEB']}")
    wait_until(party.is_healthy, "the hall is healthy")
    return party


def in_hall(party: Party, *command: str) -> str:
    return party.engine.run(f"docker compose exec -T hall {shlex.join(command)}")
