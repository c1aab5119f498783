"""The disk of a hall, which fails on command: the other side of faulty_disk.c.

A hall that runs with `environment` logs what it changes and syncs in its folder. From that a power
cut is worked out, once the hall was killed: what was synced is kept, and of the rest what chance
says.
"""

from __future__ import annotations

import errno
import mmap
import os
import signal
import struct
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal

from tests.faults.disk_log import ENTRY, Disk, entries
from tests.support.debian import find_program

SOURCE = Path(__file__).parent / "faulty_disk.c"
FIELDS = (
    "points", "signal_at", "signal", "signal_when", "struck", "write_failures", "write_errno",
    "sync_failures", "sync_reverts", "sync_delay_ms", "clock_ms",
)  # fmt: skip
NUMBER = struct.Struct("q")
WHEN = {"before": 0, "half way": 1, "after": 2}
UNTIL_HEALED = 2**40
PACKAGES = ("gcc", "libc6-dev")
WANTED = f"This needs a C compiler. Install one, as in: apt-get install {' '.join(PACKAGES)}"

Left = Literal["all", "none", "prefix", "subset", "torn"]
"""What a power cut leaves of what was not synced; `torn`: a prefix, and half a change."""
LEFT: tuple[Left, ...] = ("all", "none", "prefix", "subset", "torn")


@cache
def library() -> Path:
    """faulty_disk.c, built by this machine's compiler. Fails if there is none and it cannot be
    installed."""
    compiler = find_program(["cc"], PACKAGES, WANTED)
    folder = tempfile.TemporaryDirectory(prefix="faulty-disk-")
    _kept.append(folder)
    built = Path(folder.name) / "faulty_disk.so"
    flags = ("-O2", "-Wall", "-Werror", "-fvisibility=hidden", "-shared", "-fPIC", "-pthread")
    done = subprocess.run(
        [compiler, *flags, "-o", built, SOURCE, "-ldl"], capture_output=True, text=True, check=False
    )
    assert not done.returncode, f"{SOURCE} cannot be built: {done.stderr}"
    return built


_kept: list[tempfile.TemporaryDirectory[str]] = []
"""Until this process ends."""


class FaultyDisk:
    """The disk under one data folder, which is as it is now when nothing was logged yet."""

    def __init__(self, data: Path, folder: Path, preloaded: Path) -> None:
        """`folder`: for its own files. `preloaded`: the library."""
        self._data = data.resolve()
        self._log = folder / "disk-log"
        self._log.touch()
        control = folder / "disk-control"
        control.write_bytes(bytes(NUMBER.size * len(FIELDS)))
        with control.open("r+b") as file:
            self._control = mmap.mmap(file.fileno(), 0)
        self._base = self._look()
        self.has_failed = False
        """Whether it was ever told to."""
        self.environment = {
            "LD_PRELOAD": str(preloaded),
            "FAULTY_DISK_CONTROL": str(control),
            "FAULTY_DISK_LOG": str(self._log),
            "FAULTY_DISK_FOLDER": str(self._data),
        }

    def _set(self, **fields: int) -> None:
        for name, value in fields.items():
            NUMBER.pack_into(self._control, NUMBER.size * FIELDS.index(name), value)

    def _get(self, field: str) -> int:
        value: int
        (value,) = NUMBER.unpack_from(self._control, NUMBER.size * FIELDS.index(field))
        return value

    def prepare(self) -> None:
        """To be called before a hall starts: the one before may have died within an entry."""
        length = 0
        for start, *_, data in entries(self._log.read_bytes()):
            length = start + ENTRY.size + len(data)
        os.truncate(self._log, length)

    # Commands

    def strike(self, number: signal.Signals, points: int, when: str) -> None:
        """Sends the hall a signal at its next change or sync but `points - 1`."""
        self._set(struck=0, signal=number, signal_when=WHEN[when])
        self._set(signal_at=self.points + points)

    @property
    def points(self) -> int:
        """How many changes and syncs there were."""
        return self._get("points")

    @property
    def has_struck(self) -> bool:
        return bool(self._get("struck"))

    def fail_writes(self, number: int, code: int = errno.EIO) -> None:
        self.has_failed = True
        self._set(write_errno=code)
        self._set(write_failures=number)

    def fail_syncs(self, number: int, *, reverts: bool) -> None:
        """`reverts`: what was not synced is gone for readers too, at once."""
        self.has_failed = True
        self._set(sync_reverts=reverts)
        self._set(sync_failures=number)

    @property
    def failures_left(self) -> int:
        return self._get("write_failures") + self._get("sync_failures")

    def delay_syncs(self, milliseconds: int) -> None:
        self._set(sync_delay_ms=milliseconds)

    def heal(self) -> None:
        self._set(signal_at=0, struck=0, write_failures=0, sync_failures=0, sync_delay_ms=0)

    def set_clock(self, seconds: int) -> None:
        """How far the clock of the hall's machine is wrong from now on."""
        self._set(clock_ms=seconds * 1000)

    # Power cuts

    def cut_power(self, left: Left, rng: Random) -> None:
        """Leaves in the folder what a power cut leaves. Nothing may run there any more."""
        disk = Disk(self._base)
        for entry in entries(self._log.read_bytes()):
            disk.take(*entry)
        names = {path.name for path in self._data.iterdir() if is_kept(path)}
        files = disk.after_power_cut(left, rng)
        for name in names - files.keys():
            (self._data / name).unlink()
        for name, content in files.items():
            (self._data / name).write_bytes(content)
        # SQLite makes it anew.
        (self._data / "hall.db-shm").unlink(missing_ok=True)
        self._log.write_bytes(b"")
        self._base = self._look()

    def _look(self) -> dict[str, tuple[int, bytes]]:
        """Inode and content of each file, by name."""
        if not self._data.exists():
            return {}
        return {
            path.name: (path.stat().st_ino, path.read_bytes())
            for path in self._data.iterdir()
            if is_kept(path)
        }


def is_kept(path: Path) -> bool:
    """Whether a file of the folder is one that a disk has to keep, as faulty_disk.c sees it."""
    return not path.name.endswith(("-shm", "in-use"))
