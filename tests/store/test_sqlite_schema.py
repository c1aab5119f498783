"""Files of other versions, of other programs, and none at all."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from gamehall.store.appends import Durable, NewRow, Request
from gamehall.store.sqlite.file import connect, open_writer
from gamehall.store.sqlite.schema import APPLICATION_ID, migrate
from gamehall.store.sqlite.versions import MIGRATIONS
from gamehall.store.store import CannotOpen
from tests.contract.store_builders import answer, append, opened
from tests.store.stores import peek, started


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.db"


def version(path: Path) -> int:
    return int(peek(path, "PRAGMA user_version")[0][0])


async def test_a_new_file_gets_the_newest_version(path: Path) -> None:
    async with started(path):
        pass
    assert version(path) == len(MIGRATIONS)
    assert peek(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert peek(path, "PRAGMA journal_mode") == [("wal",)]


async def test_an_older_file_becomes_a_current_one_and_keeps_what_it_holds(path: Path) -> None:
    async with started(path) as store:
        table = await opened(store)
    connection = connect(path, mode="rw", wait_seconds=1)
    later = (*MIGRATIONS, ["ALTER TABLE tables ADD COLUMN mood TEXT DEFAULT 'calm'"], ["SELECT 1"])
    migrate(connection, path, later)
    assert connection.execute("SELECT id, mood FROM tables").fetchall() == [(table, "calm")]
    migrate(connection, path, later)
    connection.close()
    assert version(path) == len(MIGRATIONS) + 2


async def test_statements_of_an_older_file_are_whole(path: Path) -> None:
    """Version 1 found a player's transfers by indexes, and had no links between them."""
    connection = connect(path, mode="rwc", wait_seconds=1)
    migrate(connection, path, MIGRATIONS[:1])
    connection.executemany("INSERT INTO balances VALUES (?, ?)", [(1, 75), (2, 125), (3, 0)])
    connection.executemany(
        """INSERT INTO transfers (table_id, seq, n, source, target, chips, at_ms)
        VALUES (?, ?, ?, ?, ?, ?, 0)""",
        [
            (0, 1, 0, "mint", "player:1", 100),
            (0, 2, 0, "mint", "player:2", 100),
            (7, 2, 0, "player:1", "pot:7:1", 50),
            (7, 3, 0, "player:2", "player:1", 25),
            (7, 4, 0, "pot:7:1", "player:2", 50),
        ],
    )
    connection.close()
    async with started(path) as store:
        whole = {
            player: await store.statement(player, before=None, limit=10) for player in (1, 2, 3)
        }
        assert [item.chips for item in whole[1]] == [25, -50, 100]
        assert [item.other for item in whole[2]] == ["pot:7:1", "player:1", "mint"]
        assert whole[3] == []
        assert await store.statement(1, before=whole[1][0].id, limit=1) == whole[1][1:2]
        assert await store.refill(3, below=1, to=5, at_ms=0) == 5
    assert peek(path, "SELECT name FROM sqlite_master WHERE name GLOB 'transfers_*'") == []


async def test_requests_of_earlier_rounds_of_an_older_file_are_found(path: Path) -> None:
    connection = connect(path, mode="rwc", wait_seconds=1)
    migrate(connection, path, MIGRATIONS[:3])
    connection.executemany(
        """INSERT INTO tables (id, head, hash, epoch, changed_at_ms, opened_at_ms, game, private,
            rated, round_seq) VALUES (?, 4, '', 1, 0, 0, ?, 0, 0, ?)""",
        [(1, "bingo", 4), (2, "bingo", 1), (3, "sicbo", 4)],
    )
    connection.executemany(
        "INSERT INTO journal VALUES (?, ?, x'7b7d', 1, ?, ?, ?)",
        [
            (table, seq, player, request, None if player is None else b"d")
            for table in (1, 2, 3)
            for seq, player, request in ((1, None, None), (2, 7, "a"), (3, 7, "a"), (4, 7, "b"))
        ],
    )
    connection.close()
    async with started(path) as store:
        assert await store.used_ids(1, 7, 10) == ["a"]
        found = await store.request(1, 7, "a")
        assert found is not None
        assert found.seq == 3
        # The running round is in memory, and a bet's id counted in its round.
        assert await store.used_ids(2, 7, 10) == await store.used_ids(3, 7, 10) == []
        found = await store.request_between(3, 7, "a", 1, 2)
        assert found is not None
        assert found.seq == 2


async def test_journals_of_an_older_file_are_whole(path: Path) -> None:
    """Version 4 had an index on its rows, which lay in the order of their commits too."""
    connection = connect(path, mode="rwc", wait_seconds=1)
    migrate(connection, path, MIGRATIONS[:4])
    connection.execute(
        """INSERT INTO tables (id, head, hash, epoch, changed_at_ms, opened_at_ms, game, private,
            rated) VALUES (1, 3, 'abc', 1, 0, 0, 'bingo', 0, 0)"""
    )
    order = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)]
    connection.executemany(
        "INSERT INTO journal VALUES (?, ?, ?, 5, 7, 'a', x'00', ?)",
        [(table, seq, f"{table} {seq}".encode(), seq % 2) for table, seq in order],
    )
    # Of a table that is forgotten.
    connection.execute("DELETE FROM journal WHERE table_id = 3")
    connection.close()
    async with started(path) as store:
        assert await answer(store, append(1, 3, NewRow(b"1 4"))) == Durable()
        lines = await store.read(1, 0, 10)
        assert [line.line for line in lines] == [b"1 1", b"1 2", b"1 3", b"1 4"]
        assert [line.request for line in lines] == [
            Request(7, "a", b"\0", by_round=True),
            Request(7, "a", b"\0"),
            Request(7, "a", b"\0", by_round=True),
            None,
        ]
        assert await answer(store, append(1, 0, beat_id=5)) == Durable(), "it lies there already"
    assert peek(path, "SELECT table_id, seq FROM lines ORDER BY row") == [
        (1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (1, 4),
    ]  # fmt: skip


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    open_writer(path, create=True).close()
    connection = connect(path, mode="rw", wait_seconds=1)
    broken = (*MIGRATIONS, ["ALTER TABLE tables ADD COLUMN mood TEXT", "NONSENSE"])
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, path, broken)
    assert not connection.in_transaction
    connection.close()
    assert version(path) == len(MIGRATIONS)
    open_writer(path, create=False).close()
    columns = [row[1] for row in peek(path, "PRAGMA table_info(tables)")]
    assert "mood" not in columns


async def test_a_newer_file_is_refused(path: Path) -> None:
    open_writer(path, create=True).close()
    peek(path, "PRAGMA user_version = 999")
    with pytest.raises(CannotOpen, match="newer Gamehall: its version is 999"):
        async with started(path):
            pass


def test_the_file_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    peek(path, "CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(CannotOpen, match="another program"):
        open_writer(path, create=True)
    assert path.read_bytes() == before


def test_what_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(CannotOpen, match="is not a database"):
        open_writer(path, create=True)
    assert path.read_bytes() == b"Dear diary, " * 1000


@pytest.mark.parametrize("name", ["missing/hall.db", ""])
async def test_where_no_file_can_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotOpen, match="cannot be opened: does its folder exist"):
        async with started(tmp_path / name):
            pass


async def test_a_file_that_another_program_holds(path: Path) -> None:
    open_writer(path, create=True).close()
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("PRAGMA locking_mode = EXCLUSIVE")
    lock.execute("BEGIN EXCLUSIVE")
    lock.execute("UPDATE counters SET value = 0")
    with pytest.raises(CannotOpen, match="locked by another program"):
        async with started(path):
            pass
    lock.close()


def test_a_file_that_has_vanished_is_not_replaced_by_an_empty_one(path: Path) -> None:
    with pytest.raises(CannotOpen):
        open_writer(path, create=False)
    assert not path.exists()


async def test_names_of_folders_may_hold_anything(tmp_path: Path) -> None:
    folder = tmp_path / "a b?c%20#ä"
    folder.mkdir()
    async with started(folder / "hall.db") as store:
        await store.ping()
    assert (folder / "hall.db").exists()
