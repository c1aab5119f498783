"""How the images are built: with Docker if an engine answers, else with podman."""

from __future__ import annotations

import re
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gamehall.server import DOORS
from tests.system.containers.docker import docker, docker_answers
from tests.system.containers.engine import ROOT, Engine
from tests.system.containers.podman import podman

DOCUMENT = (ROOT / "docs" / "containers.md").read_text(encoding="utf-8")
START, *_, OWN_BASE, CERTIFICATES = re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)
BUILD, UP = START.splitlines()
PROJECT = "gamehall-test"


@contextmanager
def engine_with_images() -> Iterator[Engine]:
    """An engine with the images built, and ports of this machine that nobody has."""
    names = ("web", "https", *DOORS)
    ports = free_ports(f"PORT_{name.upper().replace('-', '_')}" for name in names)
    with an_engine() as engine:
        engine = engine._replace(environment={**engine.environment, **ports})
        own_base = re.sub(r"BASE=\S+", f"BASE={base_of(engine)}", OWN_BASE)
        for build in (CERTIFICATES, BUILD, own_base):
            engine.build(build)
        yield engine


@contextmanager
def an_engine() -> Iterator[Engine]:
    if docker_answers():
        yield docker(PROJECT)
    else:
        # Not a folder that pytest keeps for a while: images are large.
        with podman(Path(tempfile.mkdtemp(prefix="gamehall-")), PROJECT) as engine:
            yield engine


def free_ports(names: Iterable[str]) -> dict[str, str]:
    """One for each; all are found before one is given up, so that no two are the same."""
    servers = {name: socket.create_server(("127.0.0.1", 0)) for name in names}
    ports = {name: str(server.getsockname()[1]) for name, server in servers.items()}
    for server in servers.values():
        server.close()
    return ports


def base_of(engine: Engine) -> str:
    return engine.all_environment.get("BASE", "python:3.13-slim")
