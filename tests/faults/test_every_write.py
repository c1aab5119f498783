"""The append of a move, and the start after a crash: each is killed or frozen at each of its writes
and syncs, or the power is cut there. test_fold.py has the same of a fold."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import guest, opened
from tests.faults.disk import WHEN, FaultyDisk, Left, library
from tests.faults.readers import Onlooker
from tests.faults.stores import PLAYER, STAKE, TABLE, Deed, Stores, stores

CHIPS = 100
Cut = Left | Literal["kept"]
"""What a power cut leaves; `kept`: there is none, and the files are as they were written."""

every_cut = pytest.mark.parametrize("left", ["kept", "none", "torn", "subset"])


@pytest.fixture(scope="module")
def warm() -> Iterator[Stores]:
    with stores() as there:
        yield there


class Machine:
    """A disk with a table that has one row, and a player who can pay for a move there."""

    def __init__(self, warm: Stores, folder: Path) -> None:
        self._warm = warm
        data = folder / "data"
        data.mkdir(parents=True)
        self._path = Path(shutil.copy(folder.parent / "whole.db", data / "hall.db"))
        self.disk = FaultyDisk(data, folder, library())

    def does(self, deed: Deed) -> bool:
        """Whether a store lives to do it there."""
        return self._warm.do(deed, self._path, self.disk) == 0

    def cut(self, left: Cut, chance: int) -> None:
        if left != "kept":
            self.disk.cut_power(left, Random(chance))

    def has_the_move(self) -> bool:
        """As below."""
        with closing(sqlite3.connect(self._path)) as connection:
            return has_the_move(connection)

    def freezes(self, deed: Deed, point: int, when: str) -> bool | None:
        """Whether someone sees the move who looks while a store is frozen at that point of the
        deed, which it then does to its end; None: the deed has no such point."""
        onlooker = Onlooker(self._path, has_the_move)
        self.disk.strike(signal.SIGSTOP, point, when)
        assert self._warm.do(deed, self._path, self.disk, onlooker.begin) == 0
        return onlooker.finish() if self.disk.has_struck else None


def has_the_move(connection: sqlite3.Connection) -> bool:
    """Whether it is there. Raises AssertionError unless it is there whole, or not at all, and all
    that was acknowledged before is."""

    def rows(query: str) -> list[tuple[Any, ...]]:
        return connection.execute(query).fetchall()

    assert rows("PRAGMA integrity_check") == [("ok",)]
    ((head, hash),) = rows(f"SELECT head, hash FROM tables WHERE id = {TABLE}")
    moved = bool(head == 2)
    assert (head, hash) == ((2, f"{TABLE}-1") if moved else (1, f"{TABLE}-0"))
    journal = rows("SELECT table_id, seq FROM journal ORDER BY 1, 2")
    assert journal == [(TABLE, seq) for seq in range(1, head + 1)]
    paid = STAKE if moved else 0
    assert rows("SELECT player, chips FROM balances") == [(PLAYER, CHIPS - paid)]
    moves = rows(f"SELECT chips FROM transfers WHERE table_id = {TABLE}")
    assert moves == [(STAKE,)] * moved
    return moved


@pytest.fixture
def machines(tmp_path: Path, warm: Stores) -> Iterator[Machine]:
    """One after the other, all alike."""

    async def write() -> None:
        store = SqliteStore(tmp_path / "whole.db")
        await store.start()
        assert await guest(store, CHIPS) == PLAYER
        assert await opened(store) == TABLE
        await store.stop()

    asyncio.run(write())
    return (Machine(warm, tmp_path / str(number)) for number in count())


def points_of(machine: Machine, deed: Deed) -> int:
    """How many writes and syncs it takes."""
    assert machine.does(deed)
    return machine.disk.points


@every_cut
def test_a_move_is_there_whole_or_not_at_all(machines: Iterator[Machine], left: Cut) -> None:
    start = points_of(next(machines), "start and write")
    seen = set()
    for point, machine in enumerate(machines, 1):
        machine.disk.strike(signal.SIGKILL, start + point, list(WHEN)[point % 3])
        if machine.does("append"):
            machine.cut(left, point)
            assert machine.has_the_move(), "it was acknowledged, and is lost"
            break
        assert machine.disk.has_struck
        machine.cut(left, point)
        seen.add(machine.has_the_move())
        machine.disk.heal()
        assert machine.does("append"), "sent again, it must be answered"
        assert machine.has_the_move()
    # Killed before it was written, and after it was, unless the power takes all that is not synced.
    assert seen == {False, True} or (left != "kept" and seen == {False})


@every_cut
def test_a_start_after_a_crash_loses_nothing(machines: Iterator[Machine], left: Cut) -> None:
    """The hall before was killed as it was about to sync a move, which nobody was told of. From the
    first start that is through, it is there for good: people have seen it."""
    last = points_of(next(machines), "append")
    points = 0
    for point, machine in enumerate(machines, 1):
        machine.disk.strike(signal.SIGKILL, last, "before")
        assert not machine.does("append")
        machine.disk.strike(signal.SIGKILL, point, list(WHEN)[point % 3])
        through = machine.does("start")
        machine.cut(left, point)
        has_moved = machine.has_the_move()
        if through:
            assert has_moved, "it was shown, and is lost"
            break
        assert machine.disk.has_struck
        assert has_moved or left != "kept"
        machine.disk.heal()
        assert machine.does("start")
        assert machine.has_the_move() == has_moved
        points = point
    assert points > 10, "a start that has so much to recover writes more"


@pytest.mark.parametrize("when", WHEN)
def test_a_move_goes_on_after_a_freeze(machines: Iterator[Machine], when: str) -> None:
    start = points_of(next(machines), "start and write")
    points = 0
    for point, machine in enumerate(machines, 1):
        seen = machine.freezes("append", start + point, when)
        machine.cut("none", point)
        assert machine.has_the_move(), "it was acknowledged, and is lost"
        if seen is None:
            break
        assert not seen, "it is seen before it is certain to be kept"
        points = point
    assert points > 3, "a move is written and synced"


@pytest.mark.parametrize("when", WHEN)
def test_a_start_after_a_crash_goes_on_after_a_freeze(
    machines: Iterator[Machine], when: str
) -> None:
    """Who looks meanwhile sees a move that is not synced: so the start has to see to it."""
    last = points_of(next(machines), "append")
    points = 0
    for point, machine in enumerate(machines, 1):
        machine.disk.strike(signal.SIGKILL, last, "before")
        assert not machine.does("append")
        seen = machine.freezes("start", point, when)
        machine.cut("none", point)
        assert machine.has_the_move(), "it was shown, and is lost"
        if seen is None:
            break
        assert seen
        points = point
    assert points > 10
