"""Whether what was measured in a soak is flat.

The first third is the warm-up and does not count, nor what comes before SQLite's cache is full, up
to the half. The rest is cut into spans of the same length. Of each only the smallest value counts,
so that what comes and goes again (a garbage collector's saw teeth, a crowd) does not hide what
stays. The trend is the median of the slopes between all pairs of
these values (Theil and Sen), which a few odd ones cannot bend. It rises if, over all that counts,
it gains more than a tolerated part of the level, and more than what such a number may do by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from statistics import median
from typing import NamedTuple

from tests.soak.samples import Sample

WARM_UP = 1 / 3
SPANS_MAX, SPANS_MIN = 12, 3
"""Into which the rest is cut."""
SPAN_SECONDS = 30.0
"""How long each is at least, if there is time: a hall lets idle tables go every thirty seconds."""
SAMPLES_MIN = 3 * SPANS_MAX
TOLERANCE = 0.05
"""Of the level; a rise by less is flat."""
SHORT_MINUTES, SHORT_TOLERANCE = 10, 0.25
"""In a soak that is shorter, things still fill that have a limit."""
WAL_MB_MAX = 80
"""The hall empties its log over 64 MB; until it does, it may grow a little more."""
CACHE_BYTES = 16_000 * 1024
"""Of SQLite, which keeps pages of the database in memory: until it is full it grows with that."""
CACHE_FULL_BYTES = 1.5 * CACHE_BYTES
"""When the database is so large, the cache is full."""
MB = 1_000_000


class Trend(NamedTuple):
    level: float
    """Where it is in the middle of what counts."""
    rise: float
    """What it gains over all that counts."""


class Measure(NamedTuple):
    name: str
    unit: str
    of: Callable[[Sample], float]
    slack: float
    """By so much it may differ by chance."""


FLAT = (
    Measure(
        "memory without SQLite's cache",
        "MB",
        lambda each: (each.memory_bytes - min(each.database_bytes, CACHE_BYTES)) / MB,
        2.0,
    ),
    Measure("open files", "", lambda each: each.files, 5),
    Measure("tasks", "", lambda each: each.tasks, 5),
    Measure("tables in memory", "", lambda each: each.tables, 10),
    Measure("players in memory", "", lambda each: each.players, 10),
    # The database grows with what is played, and with nothing else.
    Measure(
        "database for each row",
        "bytes",
        lambda each: (each.database_bytes + each.wal_bytes) / max(1, each.rows),
        50,
    ),
)
MEMORY = Measure("memory", "MB", lambda each: each.memory_bytes / MB, 0)
WAL = Measure("write-ahead log", "MB", lambda each: each.wal_bytes / MB, 0)
DATABASE = Measure("database", "MB", lambda each: each.database_bytes / MB, 0)


def judge(samples: Sequence[Sample]) -> list[str]:
    """A sentence for each thing that is not as it should be."""
    counts = after_warm_up(samples)
    if len(counts) < SAMPLES_MIN:
        return [f"{len(samples)} samples are too few to judge."]
    minutes = (counts[-1].seconds - counts[0].seconds) / 60
    is_short = samples[-1].seconds < SHORT_MINUTES * 60
    tolerance = SHORT_TOLERANCE if is_short else TOLERANCE
    complaints = []
    for measure in FLAT:
        level, rise = trend([each.seconds for each in counts], [measure.of(s) for s in counts])
        if rise > max(measure.slack, tolerance * level):
            complaints.append(
                f"{measure.name} is not flat: {rise:+.1f} {measure.unit}".rstrip()
                + f" in {minutes:.1f} minutes, at a level of {level:.1f};"
                f" {tolerance:.0%} would be allowed."
            )
    most = max(map(WAL.of, samples))
    if most > WAL_MB_MAX:
        complaints.append(f"the write-ahead log grew to {most:.1f} MB; {WAL_MB_MAX} are allowed.")
    return complaints


def after_warm_up(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Without what fills at first, as SQLite's cache does: a page gets there when it is read, so
    that it is full some time after the database has its size."""
    filled = (at for at, each in enumerate(samples) if each.database_bytes > CACHE_FULL_BYTES)
    warm = max(int(len(samples) * WARM_UP), next(filled, 0))
    return samples[min(warm, len(samples) // 2) :]


def trend(seconds: Sequence[float], values: Sequence[float]) -> Trend:
    """Of values that were measured at those times."""
    number = int((seconds[-1] - seconds[0]) // SPAN_SECONDS)
    number = min(SPANS_MAX, max(SPANS_MIN, number))
    edges = [len(values) * span // number for span in range(number + 1)]
    spans = [range(first, last) for first, last in pairwise(edges)]
    # The time of the span, not of its smallest value: a tooth's foot may lie anywhere.
    points = [
        ((seconds[span[0]] + seconds[span[-1]]) / 2, min(values[at] for at in span))
        for span in spans
    ]
    slopes = [(b - a) / (then - now) for (now, a), (then, b) in combinations(points, 2)]
    level = median(value for _, value in points)
    return Trend(level, median(slopes) * (seconds[-1] - seconds[0]))
