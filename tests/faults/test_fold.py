"""A fold of the journal that is killed at each of its writes and syncs, or whose power is cut."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
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
from tests.faults.stores import Stores, stores

TABLES = 10
ROWS = 12


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


@pytest.mark.parametrize("left", ["kept", "torn", "subset"])
def test_every_row_is_there_once(tmp_path: Path, left: Left | Literal["kept"]) -> None:
    """`left`: what a power cut leaves; "kept": there is none, and the file is as it was written."""
    with stores() as there:
        _sweep(tmp_path, left, there)


def _sweep(folder: Path, left: Left | Literal["kept"], there: Stores) -> None:
    whole = folder / "whole.db"
    asyncio.run(_write(whole))
    before, rows, requests = _look(whole)
    assert (before, len(rows), len(requests)) == (0, TABLES * ROWS, TABLES * (ROWS - 4))
    seen = set()
    for point in count(1):
        data = folder / f"{point}" / "data"
        data.mkdir(parents=True)
        path = Path(shutil.copy(whole, data / "hall.db"))
        disk = FaultyDisk(data, data.parent, library())
        disk.strike(signal.SIGKILL, point, ("before", "half way", "after")[point % 3])
        if there.do("start and stop", path, disk) == 0:
            break
        assert disk.has_struck
        if left != "kept":
            disk.cut_power(left, Random(point))
        folded, *found = _look(path)
        assert found == [rows, requests]
        seen.add(folded)
        disk.heal()
        assert there.do("start and stop", path, disk) == 0
        assert _look(path) == (len(rows), rows, requests)
    # Killed before it was folded, and after.
    assert seen == {0, len(rows)}
