"""`gamehall new` writes a game that runs at once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.processes import HallProcess, Process

SECONDS = 100.0


def made(folder: Path, name: str = "last-stone") -> Process:
    process = Process("new", name, folder=folder)
    with process:
        process.wait(SECONDS)
    return process


def ended(process: Process) -> int:
    with process:
        return process.wait(SECONDS)


@pytest.mark.slow
def test_what_it_writes_runs(tmp_path: Path) -> None:
    said = made(tmp_path)
    game, test = tmp_path / "last_stone.py", tmp_path / "test_last_stone.py"
    assert {game, test} == set(tmp_path.iterdir()), said.report()
    assert len(game.read_text().splitlines()) <= 60
    assert "$" not in game.read_text() + test.read_text()
    assert any("gamehall serve --game last_stone.py" in line for line in said.stdout)

    tests = Process(program=(sys.executable, "-m", "pytest", "-q", test.name), folder=tmp_path)
    assert ended(tests) == 0, tests.report()
    assert any("3 passed" in line for line in tests.stdout)
    checked = Process("check", game.name, "--tables=2", folder=tmp_path)
    assert ended(checked) == 0, checked.report()
    with HallProcess(tmp_path / "data", more=("--game=last_stone.py",), folder=tmp_path) as hall:
        bot = ("bot", "last-stone", f"--url={hall.ws_url}", "--rules=last_stone.py", "--games=1")
        one, other = Process(*bot, folder=tmp_path), Process(*bot, folder=tmp_path)
        with one, other:
            codes = [process.wait(SECONDS) for process in (one, other)]
        assert codes == [0, 0], one.report() + other.report()
    said_by_both = " ".join((*one.stdout, *other.stdout))
    assert "won (said_21)" in said_by_both


def test_it_is_formatted_and_lints(tmp_path: Path) -> None:
    made(tmp_path)
    for how in (("check", "--isolated"), ("format", "--check", "--isolated", "--line-length=100")):
        process = Process(program=(sys.executable, "-m", "ruff", *how, str(tmp_path)))
        assert ended(process) == 0, process.report()


@pytest.mark.parametrize("there", ["last_stone.py", "test_last_stone.py"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    process = Process("new", "last-stone", folder=tmp_path)
    assert ended(process) == 2
    assert f"There is a {there} already" in process.stderr[0]
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Chess", "is no name"),
        ("../x", "is no name"),
        ("connect-four", "already"),
        # A module called so could not be imported, or would hide Python's; a class hides Add.
        ("class", "means something"),
        ("json", "means something"),
        ("add", "means something"),
    ],
)
def test_a_name_that_cannot_be(tmp_path: Path, name: str, words: str) -> None:
    process = Process("new", name, folder=tmp_path)
    assert ended(process) == 2
    assert words in process.stderr[0]
    assert not list(tmp_path.iterdir())
