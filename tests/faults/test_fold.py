"""A fold of the journal that is killed at each of its writes and syncs, or whose power is cut."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

from gamehall.store.appends import Durable, NewRow, Request
from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import answers, append, opened, summary
from tests.faults.disk import FaultyDisk, Left, library

TABLES = 10
ROWS = 12
PROGRAM = """
import asyncio, sys
from gamehall.store.sqlite.store import SqliteStore

async def open_and_close():
    store = SqliteStore(sys.argv[1])
    await store.start()
    await store.stop()

asyncio.run(open_and_close())
"""
"""It folds what it finds."""


async def _write(path: Path) -> None:
    """Journals whose first round is over, with all rows fresh."""
    store = SqliteStore(path)
    await store.start()
    tables = [await opened(store) for _ in range(TABLES)]
    for after in range(1, ROWS):
        row = NewRow(b"x" * 200, Request(7, f"request-{after}", b"digest"))
        over = summary("over", round_seq=ROWS - 2)
        steps = [append(table, after, row, summary=over) for table in tables]
        assert await answers(store, *steps) == [Durable()] * TABLES
    await store.stop()


def _look(path: Path) -> tuple[int, list[Any], list[Any]]:
    """How many rows are folded, all rows, and the requests of rounds that are over."""
    with closing(sqlite3.connect(path)) as connection:
        ask = connection.execute
        assert ask("PRAGMA integrity_check").fetchall() == [("ok",)]
        (folded,) = ask("SELECT value FROM counters WHERE name = 'placed'").fetchone()
        assert ask("SELECT count(*) FROM places").fetchone() == (folded,)
        return (
            folded,
            ask("SELECT * FROM journal ORDER BY table_id, seq").fetchall(),
            ask("SELECT * FROM earlier_requests ORDER BY table_id, seq").fetchall(),
        )


def _opened_and_closed(disk: FaultyDisk, path: Path) -> int:
    disk.prepare()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, path],
        env={**os.environ, **disk.environment},
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize("left", ["kept", "torn", "subset"])
def test_every_row_is_there_once(tmp_path: Path, left: Left | Literal["kept"]) -> None:
    """`left`: what a power cut leaves; "kept": there is none, and the file is as it was written."""
    whole = tmp_path / "whole.db"
    asyncio.run(_write(whole))
    before, rows, requests = _look(whole)
    assert (before, len(rows), len(requests)) == (0, TABLES * ROWS, TABLES * (ROWS - 4))
    seen = set()
    for point in count(1):
        data = tmp_path / f"{point}" / "data"
        data.mkdir(parents=True)
        path = Path(shutil.copy(whole, data / "hall.db"))
        disk = FaultyDisk(data, data.parent, library())
        disk.strike(signal.SIGKILL, point, ("before", "half way", "after")[point % 3])
        if _opened_and_closed(disk, path) == 0:
            break
        assert disk.has_struck
        if left != "kept":
            disk.cut_power(left, Random(point))
        folded, *there = _look(path)
        assert there == [rows, requests]
        seen.add(folded)
        disk.heal()
        assert _opened_and_closed(disk, path) == 0
        assert _look(path) == (len(rows), rows, requests)
    # Killed before it was folded, and after.
    assert seen == {0, len(rows)}
