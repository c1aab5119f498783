"""The judgement of a soak, of series that were made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.soak.judging import MB, judge
from tests.soak.plot import svg
from tests.soak.samples import Sample, write_csv

SAMPLES = 720
STEP_SECONDS = 5.0
"""An hour."""
FLAT = Sample(
    seconds=0, memory_bytes=120 * MB, files=60, tasks=40, tables=12, players=30, rows=1000,
    database_bytes=1 * MB, wal_bytes=4 * MB,
)  # fmt: skip
Course = Callable[[float], Sample]
"""By the time that has passed, from 0 to 1."""


def measured(
    course: Course, number: int = SAMPLES, step_seconds: float = STEP_SECONDS
) -> list[Sample]:
    return [
        course(place / number)._replace(seconds=(place + 1) * step_seconds)
        for place in range(number)
    ]


def memory(megabytes: Callable[[float], float]) -> Course:
    return lambda at: FLAT._replace(memory_bytes=int(megabytes(at) * MB))


def test_what_is_flat() -> None:
    assert judge(measured(lambda _: FLAT)) == []


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_flat(seed: int) -> None:
    rng = Random(seed)

    def noisy(_: float) -> Sample:
        return FLAT._replace(
            memory_bytes=int(rng.gauss(120, 4) * MB),
            files=60 + rng.randint(-15, 15),
            tasks=40 + rng.randint(-10, 10),
            tables=12 + rng.randint(-6, 6),
            players=30 + rng.randint(-10, 10),
        )

    assert judge(measured(noisy)) == []


@pytest.mark.parametrize("teeth", [7, 40])
def test_saw_teeth_are_flat(teeth: int) -> None:
    assert judge(measured(memory(lambda at: 120 + 40 * (at * teeth % 1)))) == []


def test_a_warm_up_does_not_count() -> None:
    assert judge(measured(memory(lambda at: min(120.0, 60 + 180 * at)))) == []


@pytest.mark.parametrize("leak", [0, 20])
def test_a_cache_that_fills_does_not_count(leak: int) -> None:
    """Which takes longer than the database has to grow to its size. What grows on does count."""

    def filling(at: float) -> Sample:
        megabytes = 100 + 25 * min(1, at / 0.6) + leak * at
        rows = int(1000 + 65_000 * at)
        return FLAT._replace(
            memory_bytes=int(megabytes * MB), rows=rows, database_bytes=700 * rows, wal_bytes=0
        )

    assert bool(judge(measured(filling))) == bool(leak)


def test_a_jump_that_passes_is_flat() -> None:
    assert judge(measured(memory(lambda at: 400 if 0.5 < at < 0.6 else 120))) == []


def test_what_rises() -> None:
    (complaint,) = judge(measured(memory(lambda at: 120 + 15 * at)))
    assert complaint == (
        "memory without SQLite's cache is not flat: +10.0 MB in 39.9 minutes, at a level of 128.6;"
        " 5% would be allowed."
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_rises_within_noise(seed: int) -> None:
    rng = Random(seed)
    (complaint,) = judge(measured(memory(lambda at: rng.gauss(120, 4) + 20 * at)))
    assert complaint.startswith("memory without SQLite's cache is not flat")


@pytest.mark.parametrize("teeth", [7, 40])
def test_saw_teeth_that_rise(teeth: int) -> None:
    (complaint,) = judge(measured(memory(lambda at: 120 + 40 * (at * teeth % 1) + 20 * at)))
    assert complaint.startswith("memory without SQLite's cache is not flat")


@pytest.mark.parametrize("field", ["files", "tasks", "tables", "players"])
def test_each_of_them_may_rise(field: str) -> None:
    def rising(at: float) -> Sample:
        return FLAT._replace(**{field: getattr(FLAT, field) + int(60 * at)})

    (complaint,) = judge(measured(rising))
    assert "is not flat" in complaint


def test_a_database_grows_with_its_rows_only() -> None:
    def growing(at: float, bytes_for_a_row: float) -> Sample:
        rows = 1000 + int(100_000 * at)
        return FLAT._replace(rows=rows, database_bytes=int(rows * bytes_for_a_row))

    assert judge(measured(lambda at: growing(at, 900))) == []
    (complaint,) = judge(measured(lambda at: growing(at, 900 + 900 * at)))
    assert complaint.startswith("database for each row is not flat")


def test_a_log_that_is_not_emptied() -> None:
    (complaint,) = judge(
        measured(lambda at: FLAT._replace(wal_bytes=int(100 * MB * at), rows=10**9))
    )
    assert complaint == "the write-ahead log grew to 99.9 MB; 80 are allowed."


def test_a_short_soak_allows_more_and_not_everything() -> None:
    def judged(megabytes: float) -> list[str]:
        return judge(measured(memory(lambda at: 120 + megabytes * at), step_seconds=0.2))

    assert judged(15) == []
    assert judged(80) != []


def test_too_few_samples_are_no_proof() -> None:
    assert judge(measured(lambda _: FLAT, 20)) == ["20 samples are too few to judge."]


def test_what_was_measured_is_written_and_drawn(tmp_path: Path) -> None:
    samples = measured(memory(lambda at: 120 + 15 * at))
    write_csv(tmp_path / "samples.csv", samples)
    head, first, *rest = (tmp_path / "samples.csv").read_text().splitlines()
    assert head.startswith("seconds,memory_bytes,files,tasks,tables,players")
    assert first.startswith("5.0,120000000,60,40,12,30")
    assert len(rest) == SAMPLES - 1
    drawn = svg(samples)
    assert drawn.count("<polyline") == 9
    assert "cache (MB): 128.6, +9.98" in drawn
