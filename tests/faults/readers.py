"""Those who read the database while the hall plays, dies and starts: a backup, and the doctor."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

from gamehall.simulation.checker.owners import Moment
from tests.faults.sqlite_records import read_moments
from tests.support.processes import Process

PAGES = 5
"""That a backup copies at once."""
Seen = TypeVar("Seen")


def _begun(database: Path) -> sqlite3.Connection:
    """One that reads the file as it is when it first asks, as backup and doctor do."""
    # SQLite's own tools open it so; this one must not empty the log, which the disk logs.
    connection = sqlite3.connect(
        f"file:{database}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute("BEGIN")
    return connection


class Onlooker(Generic[Seen]):
    """Looks once while a store stands still, and once more when it has gone on."""

    def __init__(self, database: Path, look: Callable[[sqlite3.Connection], Seen]) -> None:
        self._database = database
        self._look = look
        self._looks: tuple[sqlite3.Connection, Seen] | None = None

    def begin(self) -> None:
        connection = _begun(self._database)
        self._looks = connection, self._look(connection)

    def finish(self) -> Seen:
        """What was seen at first, and still is."""
        assert self._looks is not None, "nothing stood still"
        connection, seen = self._looks
        with closing(connection):
            assert self._look(connection) == seen, "it is not as of one moment"
        return seen


class Backup:
    """A copy of the database that is begun at one time and finished at another, as on a slow disk.
    Whoever reads sees what is durable: `moments` must be in the hall's journals in the end."""

    def __init__(self, database: Path) -> None:
        self._source = _begun(database)
        self.moments = read_moments(self._source)

    def finish(self) -> None:
        """Copies, and checks the copy."""
        with closing(sqlite3.connect(":memory:")) as copy:
            self._source.backup(copy, pages=PAGES)
            assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert read_moments(copy) == self.moments, "the copy is not as of one moment"
        self.close()

    def close(self) -> None:
        self._source.close()


class Readers:
    """Who reads at the moment."""

    def __init__(self, data: Path) -> None:
        self.moments: list[Moment] = []
        """What was seen and is durable, in the order of time."""
        self._not_yet: list[Moment] = []
        """What was seen of a dead hall: its last commit may not be synced until the next is ready,
        and goes with the machine."""
        self._data = data
        self._backups: list[Backup] = []
        self._doctors: list[Process] = []

    def begin(self, rng: Random, *, beside_a_hall: bool) -> str:
        """Someone begins to read; who it is."""
        if rng.random() < 0.4:
            self._doctors.append(Process("doctor", f"--data={self._data}").start())
            return "doctor"
        backup = Backup(self._data / "hall.db")
        seen = self.moments if beside_a_hall else self._not_yet
        seen += backup.moments
        self._backups.append(backup)
        return "backup"

    def hall_is_ready(self) -> None:
        """It has synced whatever the one before has left."""
        self.moments += self._not_yet
        self._not_yet.clear()

    def finish(self) -> None:
        """All of them, and each must have found all sound."""
        while self._backups:
            self._backups.pop().finish()
        while self._doctors:
            doctor = self._doctors.pop()
            assert doctor.wait() == 0, doctor.report()

    def die(self) -> None:
        """With the machine."""
        while self._backups:
            self._backups.pop().close()
        while self._doctors:
            self._doctors.pop().kill()
        self._not_yet.clear()
