"""More rows in the journal: what a durable step, a table's log and a start cost then."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import uvloop

from gamehall.store.appends import Answer, Append, Durable, NewRow, Opening, Request
from gamehall.store.sqlite.store import SqliteStore
from growing.fitting import Growth, Point
from store_loop import LINE, TABLES, steps_per_second

ROWS = 500
"""Of each table that only fills the journal."""
FILLERS = 1_000_000_000
"""Their first number; those that are timed have lower ones."""
READS = 200
IN_FLIGHT = 8


async def fill(store: SqliteStore, first: int, tables: int) -> None:
    """Writes so many whole tables, a few appends at a time."""

    async def write(table: int) -> None:
        rows = [NewRow(LINE, Request(7, f"request-{n}", b"d" * 16)) for n in range(ROWS)]
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        append = Append(
            table=table,
            epoch=1,
            after=0,
            beat_id=table,
            rows=tuple(rows),
            hash="0" * 64,
            at_ms=1_762_000_000_000,
            due_ms=None,
            opening=Opening("connect-four", False, False, None),
        )
        store.append(append, done.set_result)
        answer = await done
        if not isinstance(answer, Durable):
            raise SystemExit(f"The journal could not be filled: {answer}.")

    for start in range(0, tables, IN_FLIGHT):
        numbers = range(first + start, first + min(start + IN_FLIGHT, tables))
        await asyncio.gather(*(write(number) for number in numbers))


async def read_ms(store: SqliteStore, tables: int) -> float:
    """A whole table's log, the median of some that chance has chosen."""
    times = []
    rng = Random(1)
    for _ in range(READS):
        table = FILLERS + rng.randrange(tables)
        began = perf_counter()
        lines = await store.read(table, 0, ROWS)
        times.append((perf_counter() - began) * 1000)
        if len(lines) != ROWS:
            raise SystemExit(f"Table {table} has {len(lines)} rows, not {ROWS}.")
    return statistics.median(times)


async def measure(path: Path, numbers: Sequence[int], seconds: float) -> list[Growth]:
    step_us: list[Point] = []
    log_ms: list[Point] = []
    start_ms: list[Point] = []
    filled = 0
    for turn, number in enumerate(numbers):
        store = SqliteStore(path)
        await store.start()
        await fill(store, FILLERS + filled, number // ROWS - filled)
        filled = number // ROWS
        await store.stop()
        store = SqliteStore(path)
        began = perf_counter()
        await store.start()
        start_ms.append((number, (perf_counter() - began) * 1000))
        used = process_time()
        rate = await steps_per_second(
            store.append, seconds, busy=False, first_table=1 + turn * TABLES
        )
        step_us.append((number, (process_time() - used) / (rate * seconds) * 1e6))
        log_ms.append((number, await read_ms(store, filled)))
        await store.stop()
    across = "rows in the journal"
    return [
        Growth("a durable step, µs of CPU", across, step_us),
        Growth(f"a log of {ROWS} rows read, ms", across, log_ms),
        Growth("the store opened, ms", across, start_ms),
    ]


def journal(numbers: Sequence[int], seconds: float) -> list[Growth]:
    with tempfile.TemporaryDirectory() as folder:
        return uvloop.run(measure(Path(folder) / "journal.db", numbers, seconds))
