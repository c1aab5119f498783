"""Docker, where an engine answers."""

from __future__ import annotations

import subprocess

from tests.system.containers.engine import Engine

ANSWER_SECONDS = 30.0


def docker_answers() -> bool:
    """Whether there are an engine and its compose plugin."""
    try:
        return all(
            subprocess.run(
                question, capture_output=True, timeout=ANSWER_SECONDS, check=False
            ).returncode
            == 0
            for question in (["docker", "info"], ["docker", "compose", "version"])
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False


PROGRAMS = """
docker() {
    if [ "$1" != compose ]; then command docker "$@"; return; fi
    shift
    command docker compose --project-name $PROJECT "$@"
}
"""


def docker(project: str) -> Engine:
    """The machine's engine."""
    return Engine((), (), PROGRAMS, {}, project)
