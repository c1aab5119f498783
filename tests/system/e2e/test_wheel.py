"""The built wheel, installed where nothing else is, opens a hall with its page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from gamehall.wire.http.page import BUILT_PAGE
from tests.support.processes import HallProcess
from tests.system.e2e.clients import Client
from tests.system.e2e.logs import get, get_json
from tests.system.e2e.play import LONG, column, sit_down
from tests.system.e2e.programs import ROOT

STEP_SECONDS = 100


def run(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=STEP_SECONDS)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.fixture
def gamehall(tmp_path: Path) -> Path:
    """The command, in an environment that has the wheel and what it needs."""
    # uv lies beside the Python that runs the tests: `make setup` has put it there.
    uv = Path(sys.executable).with_name("uv")
    run(uv, "build", "--wheel", "--out-dir", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    run(uv, "pip", "install", "--quiet", "--python", environment / "bin" / "python", wheel)
    return environment / "bin" / "gamehall"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


async def test_the_wheel_serves_from_an_empty_environment(gamehall: Path, empty: Path) -> None:
    # Without PYTHONPATH, which could lead back to the sources.
    environment = {"PYTHONPATH": ""}
    program = [str(gamehall)]
    with HallProcess(Path("data"), program=program, folder=empty, environment=environment) as hall:
        assert await get_json(f"{hall.web_url}/healthz") == {"ok": True}
        status, page = await get(hall.web_url)
        assert status == 200, page.decode()
        assets = re.findall(r'(?:href|src)="\./(assets/[^"]+)"', page.decode())
        assert any(name.endswith(".js") for name in assets)
        for name in assets:
            built = (BUILT_PAGE / name).read_bytes()
            assert await get(f"{hall.web_url}/{name}") == (200, built)
        async with (
            await Client.enter(hall.ws_url, name="anna") as anna,
            await Client.enter(hall.tcp_url, name="bob") as bob,
        ):
            game = await sit_down(anna, bob, LONG)
            moved = await game.seats[0].drop(game.table, column(0))
    assert moved == {"table": game.table, "seq": 4}
    assert os.listdir(empty) == ["data"]
