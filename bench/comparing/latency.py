"""One durable move alone, and moves while ten thousand are connected and silent."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Iterator
from time import monotonic, perf_counter

from comparing.contenders import HALL, bare
from comparing.parts import Bench, Part, Ratio, Seen

PAGE_BYTES = 4096
FILE_PAGES = 1000
"""As many as SQLite's log has before it begins again at its start."""
IDLE = 10_000
PACE = 1000
"""Moves a second in all: far from what the hall can do."""
PLAYERS = 200


def fsync_p50_us(seconds: float) -> float:
    """A page overwritten in a file that has its size, and synced: the least a commit can be."""
    times: list[float] = []
    with tempfile.TemporaryFile() as file:
        file.write(bytes(PAGE_BYTES * FILE_PAGES))
        file.flush()
        os.fsync(file.fileno())
        end = monotonic() + seconds
        while monotonic() < end:
            at = len(times) % FILE_PAGES * PAGE_BYTES
            began = perf_counter()
            os.pwrite(file.fileno(), b"x" * PAGE_BYTES, at)
            os.fdatasync(file.fileno())
            times.append(perf_counter() - began)
    return statistics.median(times) * 1e6


def measure_alone(bench: Bench) -> Iterator[Seen]:
    with bare() as server:
        echo = bench.generator.run("echo", server, "plain", "-c", 1, "-t", bench.seconds)
    fsync_us = fsync_p50_us(bench.seconds / 2)
    with HALL.start() as server:
        options = ("-c", 2, "-L", "-t", bench.seconds)
        move = bench.generator.run("game", server, "native", *options)
    yield Seen("echo", "p50, µs", echo.p50_us)
    yield Seen("fsync", "p50, µs", fsync_us)
    yield Seen("echo + fsync", "p50, µs", echo.p50_us + fsync_us)
    yield Seen("move", "p50, µs", move.p50_us)
    yield Seen("move", "p99, µs", move.p99_us)


def measure_idle(bench: Bench) -> Iterator[Seen]:
    options = ("-c", PLAYERS, "-L", "-r", PACE, "-t", bench.seconds)
    with HALL.start() as server:
        without = bench.generator.run("game", server, "native", *options)
        with bench.generator.running("crowd", server, "native", "-c", IDLE) as came:
            crowded = bench.generator.run("game", server, "native", *options)
    yield Seen("without", "p99, ms", without.p99_us / 1e3)
    yield Seen("with idle", "p99, ms", crowded.p99_us / 1e3)
    yield Seen("without", "p50, ms", without.p50_us / 1e3)
    yield Seen("with idle", "p50, ms", crowded.p50_us / 1e3)
    yield Seen("without", "server's CPU for each, µs", without.cpu_us)
    yield Seen("with idle", "server's CPU for each, µs", crowded.cpu_us)
    yield Seen("while they come", "hellos/s", came.rate)


ALONE = Part(
    name="alone",
    title="One durable move alone",
    text="""Two players at one table of an otherwise empty hall, closed loop, until both have been
told. Beside it a bare picows echo with one client, and a page of 4 KB overwritten and synced: a
durable answer can hardly be sooner than the two together.""",
    measure=measure_alone,
    ratios=(Ratio("move", "echo + fsync", "p50, µs", "lower"),),
    quick=True,
)
IDLE_CROWD = Part(
    name="idle",
    title="Ten thousand who say nothing",
    text=f"""{PACE} moves a second at {PLAYERS // 2} tables, without anyone else, and then with
{IDLE:,} more who have said hello and are silent, at the same hall. A delay begins when the move was
due, so that a stall counts for all that it holds up.""",
    measure=measure_idle,
    ratios=(
        Ratio("with idle", "without", "p99, ms", "lower"),
        Ratio("with idle", "without", "server's CPU for each, µs", "lower"),
    ),
)
