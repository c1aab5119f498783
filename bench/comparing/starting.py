"""Starts: of a hall, of its commands, of one with many open tables; a connection's memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import uvloop

import memory
import restart
from broadcast import FILES_MORE, allow_many_files
from comparing.parts import Bench, Part, Ratio, Seen
from servers import hall

READY_RUNS = 3
OPEN_TABLES = 10_000
JOURNAL = (
    Path(__file__).parents[2] / "tests" / "system" / "releases" / "0.1.0" / "connect-four-1.jsonl"
)


def cpu_seconds(*arguments: str) -> float:
    """Of the interpreter with these arguments, from its start to its end."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} has ended with {process.returncode}.")
    return used.ru_utime + used.ru_stime


def measure_starts(_: Bench) -> Iterator[Seen]:
    with tempfile.TemporaryDirectory() as folder:
        # The first start makes the database; that is not what is measured.
        restart.ready_seconds(Path(folder), 1)
        ready = restart.ready_seconds(Path(folder), READY_RUNS)
    yield Seen("gamehall serve", "until ready, s", ready)
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as journal:
        # The last line is what the tests of releases expect, and no row.
        Path(journal.name).write_bytes(b"".join(JOURNAL.read_bytes().splitlines(True)[:-1]))
        commands = {
            "python -c pass": ("-c", "pass"),
            "gamehall --help": ("-m", "gamehall", "--help"),
            "gamehall verify": ("-m", "gamehall", "verify", journal.name),
        }
        for name, words in commands.items():
            yield Seen(name, "CPU, s", min(cpu_seconds(*words) for _ in range(READY_RUNS)))


def measure_restart(_: Bench) -> Iterator[Seen]:
    took = restart.measure(OPEN_TABLES, READY_RUNS)
    yield Seen("open tables", "until ready, s", took.with_tables)
    yield Seen("empty", "until ready, s", took.empty)


def measure_memory(_: Bench) -> Iterator[Seen]:
    few, many = 1000, 5000
    allow_many_files(many + FILES_MORE)
    with hall() as server:
        yield Seen("a connection", "KB", uvloop.run(memory.measure(server, few, many)) / 1000)


STARTS = Part(
    name="starts",
    title="Starts",
    text="""From the start of the process until `ready`, with an empty database that exists; and the
processor time of whole commands, the least of three. `verify` judges a Connect Four journal of the
first release.""",
    measure=measure_starts,
    ratios=(
        Ratio("gamehall --help", "python -c pass", "CPU, s", "lower"),
        Ratio("gamehall verify", "python -c pass", "CPU, s", "lower"),
    ),
)
RESTART = Part(
    name="restart",
    title="Restart with many open tables",
    text=f"""`bench/restart.py`: {OPEN_TABLES:,} tables of six moves, the hall killed and started
again; then each table gets one more move, and has to go on where it stood.""",
    measure=measure_restart,
    ratios=(Ratio("open tables", "empty", "until ready, s", "lower"),),
    once=True,
)
MEMORY = Part(
    name="memory",
    title="Memory of a connection",
    text="`bench/memory.py`: how much the hall grows from 1,000 silent players to 5,000.",
    measure=measure_memory,
    once=True,
)
