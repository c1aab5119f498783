"""What was measured on: versions of everything that has a part in the figures."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

from comparing.contenders import NODE, PEERS

PYTHON_PACKAGES = ("gamehall", "picows", "uvloop", "msgspec")
NODE_PACKAGES = ("@colyseus/core", "@colyseus/schema", "boardgame.io", "ws")


def versions(*, peers: bool) -> dict[str, str]:
    found = {
        "commit": _commit(),
        "Python": f"{platform.python_version()}, {_how_built()}",
        "SQLite": sqlite3.sqlite_version,
        "kernel": f"{platform.system()} {platform.release()}",
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "data on": _file_system(tempfile.gettempdir()),
        **{name: version(name) for name in PYTHON_PACKAGES},
    }
    if peers:
        found["Node"] = _said(NODE, "--version")
        for name in NODE_PACKAGES:
            package = json.loads((PEERS / "node_modules" / name / "package.json").read_text())
            found[name] = package["version"]
    return found


def _commit() -> str:
    here = str(Path(__file__).parent)
    commit = _said("git", "-C", here, "rev-parse", "--short=12", "HEAD")
    return commit + (", with changes" if _said("git", "-C", here, "status", "--porcelain") else "")


def _how_built() -> str:
    """An interpreter without PGO is slower by a fifth or so, and Node never is without."""
    arguments = sysconfig.get_config_var("CONFIG_ARGS") or ""
    pgo = "with" if "--enable-optimizations" in arguments else "without"
    lto = "with" if "--with-lto" in arguments else "without"
    return f"{pgo} PGO, {lto} LTO, {platform.python_compiler()}"


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _file_system(folder: str) -> str:
    """Of the folder: in memory, a sync costs nothing."""
    return _said("stat", "--file-system", "--format=%T", folder)


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
