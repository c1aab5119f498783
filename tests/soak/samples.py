"""What a running hall holds on to, measured again and again."""

from __future__ import annotations

import csv
import sqlite3
import time
import urllib.request
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from tests.support.processes import HallProcess

ANSWER_SECONDS = 30


class Sample(NamedTuple):
    seconds: float
    """Since the soak began."""
    memory_bytes: int
    """Resident."""
    files: int
    """Open ones, sockets included."""
    tasks: int
    tables: int
    """In memory."""
    players: int
    """In memory: here, or expected back."""
    rows: int
    """Of all journals."""
    database_bytes: int
    wal_bytes: int


class Sampler:
    def __init__(self, hall: HallProcess) -> None:
        self._hall = hall
        self._began = time.monotonic()

    def take(self) -> Sample:
        metrics = self._metrics()
        database = self._hall.data / "hall.db"
        return Sample(
            seconds=time.monotonic() - self._began,
            memory_bytes=int(metrics["process_resident_memory_bytes"]),
            files=int(metrics["process_open_fds"]),
            tasks=int(metrics["gamehall_tasks"]),
            tables=int(metrics["gamehall_tables_in_memory"]),
            players=int(metrics["gamehall_players_in_memory"]),
            rows=_rows(database),
            database_bytes=database.stat().st_size,
            wal_bytes=database.with_name("hall.db-wal").stat().st_size,
        )

    def _metrics(self) -> dict[str, float]:
        """By name; those of all labels together."""
        address = f"{self._hall.web_url}/metrics"
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:
            families = text_string_to_metric_families(answer.read().decode())
            found: dict[str, float] = {}
            for family in families:
                for sample in family.samples:
                    found[sample.name] = found.get(sample.name, 0) + sample.value
        return found


def _rows(database: Path) -> int:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as file:
        (rows,) = file.execute("SELECT total(head) FROM tables").fetchone()
    return int(rows)


def write_csv(path: Path, samples: Iterable[Sample]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(Sample._fields)
        writer.writerows([round(sample.seconds, 1), *sample[1:]] for sample in samples)
