"""The files of images and compose agree with the hall, each other and the compose schema."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from gamehall import __version__
from gamehall.server import DOORS
from tests.system.containers.engine import ROOT

HALL, PLAYER, COMPOSE, CLUSTER, PROXY, DOCUMENT, MAKEFILE = (
    (ROOT / path).read_text(encoding="utf-8")
    for path in (
        "Dockerfile",
        "player/Dockerfile",
        "compose.yaml",
        "compose.cluster.yaml",
        "deploy/haproxy.cfg",
        "docs/containers.md",
        "Makefile",
    )
)
DOOR_PORTS = {f"PORT_{name.upper().replace('-', '_')}": port for name, port in DOORS.items()}
PORTS = {"PORT_WEB": 8000} | DOOR_PORTS
WEB_SOCKETS = {"arena", "mario", "practice", "rfc", "watch"}


@pytest.mark.parametrize("name", ["compose.yaml", "compose.cluster.yaml"])
def test_the_compose_files_pass_the_compose_schema(name: str) -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run(
        [*check, name], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_door_is_exposed_published_and_documented() -> None:
    (exposed,) = re.findall(r"^EXPOSE (.*)$", HALL, re.MULTILINE)
    assert sorted(map(int, exposed.split())) == sorted(PORTS.values())
    published = re.findall(r'- "\$\{(\w+):-(\d+)\}:(\d+)"', COMPOSE)
    assert sorted(published) == sorted((name, str(port), str(port)) for name, port in PORTS.items())
    documented = re.findall(r"`(PORT_\w+)`\s\((\d+)\)", DOCUMENT)
    assert sorted(documented) == sorted((name, str(port)) for name, port in PORTS.items())


def test_the_proxy_passes_every_door_on_as_what_it_is() -> None:
    published = re.findall(r'- "\$\{(\w+):-(\d+)\}:(\d+)"', CLUSTER)
    expected = {(name, str(port), str(port)) for name, port in DOOR_PORTS.items()}
    assert sorted(published) == sorted(expected | {("PORT_HTTPS", "443", "8443")})
    bound = {
        name: {int(port) for port in re.findall(r":(\d+)", binds)}
        for name, binds in re.findall(r"^frontend (\w+)\n.*?^    bind (.*?)$", PROXY, re.M | re.S)
    }
    assert bound == {
        "web": {8443},
        "sockets": {DOORS[name] for name in WEB_SOCKETS},
        "lines": {port for name, port in DOORS.items() if name not in WEB_SOCKETS},
    }


def test_versions_are_those_of_the_project() -> None:
    for image in (HALL, PLAYER):
        assert re.findall(r'image\.version="(.*)"', image) == [__version__]
    assert re.findall(r"\buv==(\S+)", HALL) == re.findall(r"\buv==(\S+)", MAKEFILE)
    (base,) = re.findall(r"^ARG BASE=(.*)$", HALL, re.MULTILINE)
    assert re.findall(r"^ARG BASE=(.*)$", PLAYER, re.MULTILINE) == [base]
    for compose in (COMPOSE, CLUSTER):
        assert re.findall(r"\$\{BASE:-(.*)\}", compose) == [base, base]
