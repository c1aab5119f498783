"""A fold of the journal that is killed or frozen at each of its writes and syncs, or whose power is
cut."""

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
from tests.faults.disk import WHEN, FaultyDisk, Left, library
from tests.faults.readers import Onlooker
from tests.faults.stores import Stores, stores

TABLES = 10
ROWS = 12
Seen = tuple[int, list[Any], list[Any]]


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


def _look(path: Path) -> Seen:
    """As below."""
    with closing(sqlite3.connect(path)) as connection:
        return _seen(connection)


def _seen(connection: sqlite3.Connection) -> Seen:
    """How many rows are folded, all rows, and the requests of rounds that are over."""
    ask = connection.execute
    assert ask("PRAGMA integrity_check").fetchall() == [("ok",)]
    (folded,) = ask("SELECT value FROM counters WHERE name = 'placed'").fetchone()
    assert ask("SELECT count(*) FROM places").fetchone() == (folded,)
    return (
        folded,
        ask("SELECT * FROM journal ORDER BY table_id, seq").fetchall(),
        ask("SELECT * FROM earlier_requests ORDER BY table_id, seq").fetchall(),
    )


def _machine(folder: Path, point: int) -> tuple[Path, FaultyDisk]:
    """One for each point: its database, and its disk."""
    data = folder / f"{point}" / "data"
    data.mkdir(parents=True)
    path = Path(shutil.copy(folder / "whole.db", data / "hall.db"))
    return path, FaultyDisk(data, data.parent, library())


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
        path, disk = _machine(folder, point)
        disk.strike(signal.SIGKILL, point, list(WHEN)[point % 3])
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


@pytest.mark.parametrize("when", WHEN)
def test_it_goes_on_after_a_freeze(tmp_path: Path, when: str) -> None:
    """Who looks meanwhile sees every row once too. Nothing is stopped, and so the file is in use
    all the while."""
    whole = tmp_path / "whole.db"
    asyncio.run(_write(whole))
    _, *told = _look(whole)
    seen = set()
    with stores() as there:
        for point in count(1):
            path, disk = _machine(tmp_path, point)
            onlooker = Onlooker(path, _seen)
            disk.strike(signal.SIGSTOP, point, when)
            assert there.do("start and write", path, disk, onlooker.begin) == 0
            if disk.has_struck:
                folded, *found = onlooker.finish()
                assert found == told
                seen.add(folded)
            disk.cut_power("none", Random(point))
            assert _look(path) == (TABLES * ROWS, *told)
            if not disk.has_struck:
                break
    # Frozen before it was folded, and after.
    assert seen == {0, TABLES * ROWS}
