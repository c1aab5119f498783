"""The player shares nothing with the hall: it is a folder that runs wherever there is a Python."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.player.programs import PLAYER
from tests.support.waiting import WAIT_SECONDS

MODULES = sorted(PLAYER.rglob("*.py"))
OWN = {path.stem for path in PLAYER.glob("*.py")} | {"utils"}


def _imports(path: Path) -> Iterator[str]:
    """The first parts of all names that the module imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a program that runs as a folder has no package to refer to"
            yield str(node.module).partition(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PLAYER)))
def test_it_imports_only_the_standard_library_and_itself(path: Path) -> None:
    assert set(_imports(path)) <= sys.stdlib_module_names | OWN


def test_no_module_hides_one_of_the_standard_library() -> None:
    assert not sys.stdlib_module_names & (OWN - {"__main__"})


@pytest.mark.parametrize("program", [[], ["ai_player.py"], ["player.py"]], ids=str)
def test_it_runs_anywhere_and_without_anything_installed(
    tmp_path: Path, program: list[str]
) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    copy = shutil.copytree(PLAYER, tmp_path / "anywhere", ignore=ignored)
    ran = subprocess.run(
        [sys.executable, "-E", "-s", "-S", str(copy.joinpath(*program)), "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "--host" in ran.stdout
