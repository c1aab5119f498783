"""The release before this one, built from its commit into an environment of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path

from tests.system.releases.record import FOLDER

ROOT = Path(__file__).parents[3]
BUILD_SECONDS = 600
UV = Path(sys.executable).parent / "uv"


class Release:
    def __init__(self, version: str, commit: str) -> None:
        self.version = version
        self.commit = commit

    def build(self, folder: Path) -> tuple[str, ...]:
        """Its `gamehall`, as a command. The folder has its source and its environment afterwards,
        with just what its lock names."""
        archive = _git("archive", "--format=tar", self.commit)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        # The environment that this runs in is not the one that is meant.
        environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        made = subprocess.run(
            [UV, "sync", "--frozen", "--no-dev", "--extra=cluster", f"--python={sys.executable}"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        return (str(folder / ".venv" / "bin" / "python"), "-m", "gamehall")


@cache
def release_before() -> Release:
    """The newest release whose journals lie here, unless it is this very commit. By its tag; where
    there is none, by the commit that brought its journals.

    Raises AssertionError if the history does not have it, as in a shallow clone.
    """
    assert _git("rev-parse", "--is-shallow-repository").strip() == b"false", (
        "the history is cut off: fetch it whole (git fetch --unshallow --tags)"
    )
    here = _git("rev-parse", "HEAD").decode().strip()
    versions = sorted(
        (path.name for path in FOLDER.iterdir() if (path / "bingo-1.jsonl").exists()),
        key=lambda version: [int(part) for part in version.split(".")],
    )
    for version in reversed(versions):
        commit = _tagged(version) or _recorded(version)
        if commit not in ("", here):
            return Release(version, commit)
    raise AssertionError("there is no release before this one")


def _tagged(version: str) -> str:
    return _git("for-each-ref", f"refs/tags/v{version}", "--format=%(*objectname)").decode().strip()


def _recorded(version: str) -> str:
    """The commit that brought its journals, wherever they lay then. None: they are not in one."""
    path = (FOLDER / version / "bingo-1.jsonl").relative_to(ROOT)
    found = _git("log", "--follow", "--diff-filter=A", "--format=%H", "--", str(path))
    return found.decode().strip()


def _git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
