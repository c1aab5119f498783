"""Docker, where an engine answers."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.containers.engine import Engine

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


@contextmanager
def docker(project: str) -> Iterator[Engine]:
    """The machine's engine. What the project has started is gone at the end."""
    programs = f"""
docker() {{
    if [ "$1" != compose ]; then command docker "$@"; return; fi
    shift
    command docker compose --project-name {project} "$@"
}}
"""
    engine = Engine((), (), programs, {})
    try:
        yield engine
    finally:
        engine.run("docker compose down --volumes --remove-orphans")
