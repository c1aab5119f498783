"""Audits of the SQLite file: of a store that runs, that is stopped, and that was left behind."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from gamehall.errors import Unavailable
from gamehall.store.appends import Durable, NewRow
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.store import CannotOpen
from tests.contract.store_audit_contract import whole
from tests.contract.store_builders import answer, append, guest, opened, pay, paying, summary
from tests.store.stores import peek, started


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hall.db"


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


async def test_a_store_that_is_not_started(path: Path) -> None:
    async with started(path) as store:
        ada = await guest(store, 7)
    before = content(path)
    async with SqliteStore(path).audit() as audit:
        names = [sum.account for sum in await whole(audit.accounts())]
    assert names == ["mint", f"player:{ada}"]
    assert content(path) == before


async def test_where_there_is_no_file_none_is_made(path: Path) -> None:
    with pytest.raises(CannotOpen, match="cannot be opened"):
        async with SqliteStore(path).audit():
            pass
    assert content(path) is None


async def test_what_cannot_be_read_is_said(path: Path) -> None:
    async with started(path) as store:
        await opened(store)
    peek(path, "DROP VIEW journal")
    async with SqliteStore(path).audit() as audit:
        with pytest.raises(Unavailable, match="cannot be read: no such table: journal"):
            await whole(audit.lines(1))


async def test_an_audit_cannot_write(path: Path) -> None:
    async with started(path) as store, store.audit() as audit:
        with pytest.raises(Unavailable, match="readonly"):
            await whole(audit._pages(int, "DELETE FROM counters"))
        assert await store.new_table() == 1


@pytest.mark.parametrize("link", ["NULL", "id", "id + 1", "1"])
async def test_a_statement_that_is_not_whole_shows(path: Path, link: str) -> None:
    async with started(path) as store:
        ada, bob = await guest(store, 100), await guest(store, 100)
        table = await opened(store)
        steps = [paying(pay(bob, ada, 1)), paying(pay(bob, ada, 2))]
        assert await answer(store, append(table, 1, *steps)) == Durable()
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE transfers SET source_before = {link} WHERE seq = 3")
    connection.close()
    async with SqliteStore(path).audit() as audit:
        sums = {sum.account: sum for sum in await whole(audit.accounts())}
    assert (sums[f"player:{ada}"].chips, sums[f"player:{ada}"].listed) == (103, 103)
    assert (sums[f"player:{bob}"].chips, sums[f"player:{bob}"].listed) == (97, -2)


async def test_a_table_that_is_being_forgotten(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamehall.store.journals.FORGET_ROWS", 10)
    async with started(path) as store:
        table = await store.new_table()
        end = append(table, 0, *[NewRow(b"{}")] * 25, at_ms=0, summary=summary("closed"))
        assert await answer(store, end) == Durable()
        assert await store._forget_part(table), "there is more"
        async with store.audit() as audit:
            (known,) = await whole(audit.tables())
            assert known.head == 0
        assert await store.claim(table) is None
        assert await store.table(table) is None
        assert await store.forget(1, 10) == 1
        async with store.audit() as audit:
            assert await whole(audit.tables()) == []
