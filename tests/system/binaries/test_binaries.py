"""`make binaries`: server and client as one file each, run as someone without Python would."""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamehall import __version__
from tests.support.processes import HallProcess, Process

ROOT = Path(__file__).parents[3]
BUILD_SECONDS = 1500
SECONDS = 120.0
pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_SECONDS)]


@pytest.fixture(scope="module")
def binaries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that they were built into."""
    folder = tmp_path_factory.mktemp("binaries")
    places = (f"DIST={folder / 'dist'}", f"BUILD={folder / 'build'}")
    made = subprocess.run(
        ["make", "binaries", *places],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "dist"


@pytest.fixture
def hall(binaries: Path, tmp_path: Path) -> Iterator[HallProcess]:
    """The server, with a game from a file, where no Python is in reach."""
    hall = HallProcess(
        tmp_path / "data",
        program=(str(binaries / "gamehall"),),
        more=(f"--game={ROOT / 'examples' / 'nim.py'}",),
        environment={"PATH": str(tmp_path)},
        folder=tmp_path,
    )
    with hall:
        yield hall
        # Not killed: what runs is a child of what was started, and would stay.
        if hall.running:
            hall.stop()


def run(binary: Path, *arguments: str, folder: Path | None = None) -> Process:
    """What has ended well."""
    with Process(*arguments, program=(str(binary),), folder=folder) as process:
        assert process.wait(SECONDS) == 0, process.report()
    return process


def page(hall: HallProcess, path: str) -> bytes:
    with urllib.request.urlopen(hall.web_url + path, timeout=SECONDS) as answer:
        content: bytes = answer.read()
    return content


def test_they_say_what_they_are(binaries: Path) -> None:
    assert sorted(path.name for path in binaries.iterdir()) == ["gamehall", "gamehall-play"]
    for binary in binaries.iterdir():
        assert os.access(binary, os.X_OK)
        assert run(binary, "--version").stdout == [__version__]
    assert "--plain" in "\n".join(run(binaries / "gamehall-play", "--help").stdout)


def test_the_page_is_inside(hall: HallProcess) -> None:
    html = page(hall, "/").decode()
    script = html.partition('src="')[2].partition('"')[0]
    assert script.endswith(".js")
    assert len(page(hall, f"/{script.lstrip('./')}")) > 10_000
    assert page(hall, "/healthz")


def test_bots_play_each_other(binaries: Path, hall: HallProcess) -> None:
    for game, more in (("connect-four", ()), ("nim", (f"--rules={ROOT / 'examples' / 'nim.py'}",))):
        bot = ("bot", game, f"--url={hall.ws_url}", "--games=1", *more)
        program = (str(binaries / "gamehall"),)
        with Process(*bot, program=program) as one, Process(*bot, program=program) as other:
            for process in (one, other):
                assert process.wait(SECONDS) == 0, process.report()
    assert hall.stop() == 0, hall.report()


def test_a_person_comes_by(binaries: Path, hall: HallProcess) -> None:
    """Line by line, with nothing to say: it enters the hall and leaves it again."""
    said = run(binaries / "gamehall-play", "--plain", f"--url={hall.ws_url}", "--name=anna")
    assert any("anna" in line for line in said.stdout), said.report()


def test_a_game_of_ones_own_is_made_and_checked(binaries: Path, tmp_path: Path) -> None:
    """The check starts itself as another process."""
    run(binaries / "gamehall", "new", "last-stone", folder=tmp_path)
    checked = run(binaries / "gamehall", "check", "last_stone.py", "--tables=1", folder=tmp_path)
    assert "  holds   Determinism" in "\n".join(checked.stdout)
