"""More tables that are played at, and more spectators of one: a real hall, loaded from outside."""

from __future__ import annotations

from collections.abc import Sequence

from comparing.contenders import HALL
from comparing.generator import Generator
from growing.fitting import Growth, Point

TABLES_PER_PAIR = 10
PACE = 1000
"""Moves a second in all, however many tables there are."""
BROADCASTS = 100


def tables(generator: Generator, numbers: Sequence[int], seconds: float) -> list[Growth]:
    cpu_us: list[Point] = []
    p99_ms: list[Point] = []
    for number in numbers:
        people = 2 * number // TABLES_PER_PAIR
        options = ("-c", people, "-x", TABLES_PER_PAIR, "-L", "-r", PACE, "-t", seconds)
        with HALL.start() as server:
            figures = generator.run("game", server, "native", *options)
        cpu_us.append((number, figures.cpu_us))
        p99_ms.append((number, figures.p99_us / 1e3))
    across = "tables that are played at"
    return [
        Growth("a move, µs of the server's CPU", across, cpu_us),
        Growth("a move, p99, ms", across, p99_ms),
    ]


def spectators(generator: Generator, numbers: Sequence[int]) -> list[Growth]:
    cpu_us: list[Point] = []
    p50_ms: list[Point] = []
    for number in numbers:
        with HALL.start() as server:
            options = ("-c", number + 2, "-L", "-b", BROADCASTS)
            figures = generator.run("fanout", server, "native", *options)
        cpu_us.append((number, figures.cpu_us))
        p50_ms.append((number, figures.p50_us / 1e3))
    across = "spectators of one table"
    return [
        Growth("a move told to all, µs of CPU", across, cpu_us),
        Growth("until the last has it, p50, ms", across, p50_ms),
    ]
