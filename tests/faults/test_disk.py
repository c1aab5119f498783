"""The disk that fails on command, under a small program that writes as it is told."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.faults.disk import FaultyDisk, library

PROGRAM = """
import os, sys, time
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
for order in sys.argv[2:]:
    try:
        if order == "sync":
            os.fsync(file)
        elif order == "clock":
            print(time.time())
        else:
            place, _, text = order.partition(":")
            os.pwrite(file, text.encode(), int(place))
    except OSError as error:
        print(error.errno)
print(os.pread(file, 1000, 0).decode())
"""


class Machine:
    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.data.mkdir()
        (self.data / "file").write_text("old!")
        self.disk = FaultyDisk(self.data, folder, library())

    def run(self, *orders: str, name: str = "file") -> list[str]:
        """What the program prints: errors, and in the end the file as it sees it."""
        self.disk.prepare()
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, self.data / name, *orders],
            env={**os.environ, **self.disk.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        self.code = done.returncode
        assert self.code in (0, -signal.SIGKILL), done.stderr
        return done.stdout.splitlines()

    def left(self, left: str, seed: int = 0, name: str = "file") -> str | None:
        """The file after a power cut."""
        self.disk.cut_power(left, Random(seed))  # type: ignore[arg-type]
        path = self.data / name
        return path.read_text() if path.exists() else None


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_power_cut_keeps_what_was_synced(machine: Machine) -> None:
    assert machine.run("0:new", "sync", "3:and more") == ["newand more"]
    assert machine.left("none") == "new!"


@pytest.mark.parametrize("left", ["prefix", "subset", "torn"])
def test_and_of_the_rest_what_chance_says(tmp_path: Path, left: str) -> None:
    seen = set()
    for seed in range(20):
        (tmp_path / str(seed)).mkdir()
        machine = Machine(tmp_path / str(seed))
        machine.run("0:a", "1:b", "2:cc")
        seen.add(machine.left(left, seed))
    assert {"prefix": {"old!", "ald!", "abd!", "abcc"}, "subset": {"obd!", "olcc"}}.get(
        left, {"abc!"}
    ) <= seen


def test_after_a_kill_the_system_still_has_what_the_disk_may_lose(machine: Machine) -> None:
    machine.disk.strike(signal.SIGKILL, 2, "after")
    machine.run("0:a", "1:b", "2:c")
    assert machine.code == -signal.SIGKILL
    assert machine.disk.has_struck
    assert machine.run() == ["abd!"]
    assert machine.left("none") == "old!"


def test_killed_before_and_within_a_write(machine: Machine) -> None:
    machine.disk.strike(signal.SIGKILL, 1, "before")
    machine.run("0:ab")
    assert machine.run() == ["old!"]
    machine.disk.strike(signal.SIGKILL, 1, "half way")
    machine.run("0:ab")
    assert machine.run() == ["ald!"]


def test_a_sync_that_fails_loses_what_it_should_have_kept(machine: Machine) -> None:
    machine.disk.fail_syncs(1, reverts=False)
    assert machine.run("0:a", "sync", "1:b", "sync") == [str(errno.EIO), "abd!"]
    assert machine.left("all") == "obd!"


def test_or_takes_it_back_at_once(machine: Machine) -> None:
    machine.disk.fail_syncs(1, reverts=True)
    assert machine.run("0:a", "4:longer", "sync", "1:b", "sync") == [str(errno.EIO), "obd!"]
    assert machine.left("none") == "obd!"


def test_writes_that_fail(machine: Machine) -> None:
    machine.disk.fail_writes(1, errno.EIO)
    assert machine.run("0:a", "1:b") == [str(errno.EIO), "obd!"]


def test_a_disk_that_is_full_takes_a_part(machine: Machine) -> None:
    machine.disk.fail_writes(1, errno.ENOSPC)
    assert machine.run("0:ab", "2:c", "3:d") == [str(errno.ENOSPC), "alod"[:2] + "dd"]


def test_a_new_file_is_gone_unless_it_was_synced(machine: Machine) -> None:
    machine.run("0:a", name="new")
    assert machine.left("none", name="new") is None
    machine.run("0:a", "sync", name="new")
    assert machine.left("none", name="new") == "a"


def test_a_file_that_another_has_made_is_the_disks_too(machine: Machine) -> None:
    """As SQLite's log, which whoever reads a database makes if it is not there."""
    for name in ("new", "newer"):
        machine.run(name=name)
        (machine.data / name).unlink()
        (machine.data / name).touch()
        machine.run("0:a", "sync", name=name)
    machine.run("1:b", name="new")
    assert machine.left("none", name="new") == "a"


def test_the_clock_is_set(machine: Machine) -> None:
    machine.disk.set_clock(1_000_000)
    (early, _) = machine.run("clock")
    machine.disk.set_clock(0)
    (late, _) = machine.run("clock")
    assert 900_000 < float(early) - float(late) < 1_000_000
