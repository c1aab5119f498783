"""What a command loads, in a process of its own: neither other commands nor what it does not need
yet. Imports are most of the time that a start takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import WAIT_SECONDS

JOURNAL = Path(__file__).parents[1] / "system" / "releases" / "0.1.0" / "connect-four-1.jsonl"
CALL = """
import sys
from gamehall.__main__ import main
try:
    main(sys.argv[1:])
finally:
    print("loaded", *sys.modules)
"""
SERVE_UNTIL_OPEN = """
import os, sys
import gamehall.cli.serve
from gamehall.__main__ import main
from gamehall.server import Server
def opened(*_):
    print("loaded", *sys.modules, flush=True)
    os._exit(0)
Server.load_http = opened
main(["serve", "--data", sys.argv[1], "--port", "0", "--doors", "none"])
"""
NOT_FOR_ALL = {
    "aiohttp", "argon2", "asyncpg", "markdown_it", "numba", "openskill", "picows",
    "prometheus_client", "redis", "rich", "structlog", "textual", "uvloop",
}  # fmt: skip
"""Packages that take long to load, and that few commands need."""
FOR_HELP = {"markdown_it", "rich"}
FOR_A_HALL = {"argon2", "openskill", "picows", "structlog", "uvloop"}


def loaded(program: str, *words: str) -> set[str]:
    """The modules that a program has loaded by its end."""
    ended = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    first, *modules = ended.stdout.splitlines()[-1].split()
    assert first == "loaded"
    return set(modules)


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """One that is sound: the last line of the file is what the tests of releases expect."""
    file = tmp_path / "journal.jsonl"
    file.write_bytes(b"".join(JOURNAL.read_bytes().splitlines(keepends=True)[:-1]))
    return str(file)


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_log_is_read_without_a_hall(command: str, journal: str) -> None:
    modules = loaded(CALL, command, journal)
    assert f"gamehall.cli.{command}" in modules
    assert modules.isdisjoint(NOT_FOR_ALL)
    assert modules.isdisjoint({"gamehall.server", "gamehall.hall.wiring", "gamehall.cli.serve"})


def test_the_list_of_commands_loads_none_of_them() -> None:
    modules = loaded(CALL, "--help")
    assert modules.isdisjoint(NOT_FOR_ALL - FOR_HELP)
    assert {name for name in modules if name.startswith("gamehall.cli.")} == {"gamehall.cli.output"}


def test_the_help_of_a_command_loads_nothing_of_what_it_does() -> None:
    modules = loaded(CALL, "doctor", "--help")
    assert modules.isdisjoint(NOT_FOR_ALL - FOR_HELP)
    assert modules.isdisjoint({"gamehall.ports", "gamehall.catalogue"})


def test_people_come_in_before_pages_metrics_and_other_databases_are_loaded(
    tmp_path: Path,
) -> None:
    modules = loaded(SERVE_UNTIL_OPEN, str(tmp_path / "data"))
    assert "gamehall.server" in modules
    assert modules & NOT_FOR_ALL <= FOR_A_HALL
