"""Closed tables are shown from their journals, to whoever sat there, and kept by nobody."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from gamehall.errors import NotSeated, TableClosed
from gamehall.games.connect_four import Drop
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Done
from gamehall.hall.beat.table import Table
from gamehall.hall.people.notices import TableView
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_seating import me

TABLES = 100


async def closed_tables(house: TestHall, *people: FakeLink, number: int = TABLES) -> list[int]:
    """Tables at which these two have played, and sat to the end."""
    tables = await asyncio.gather(*(_closed_table(house, *people) for _ in range(number)))
    await until(lambda: not house.hall.rooms.tables.all_loaded())
    return tables


async def _closed_table(house: TestHall, *people: FakeLink) -> int:
    table = await house.hall.rooms.tables.open("connect-four", {}, drawn=False)
    for link in people:
        person = h.Person(me(link).player.id, me(link).player.name)
        assert isinstance(await house.ask(link, table, h.Sit(person)), Done)
    assert isinstance(await house.ask(people[0], table, Drop(3), "moved"), Done)
    assert isinstance(await house.ask(people[1], table, Resign()), Done)
    assert isinstance(await house.ask_hall(table, h.Close("finished")), Done)
    return table


async def test_who_resumes_closed_tables_is_shown_them_and_none_stays(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    tables = await closed_tables(house, anna, bob)
    seating, views = house.hall.seating, []
    for table in tables:
        view = await seating.resume(anna, table, 1)
        assert isinstance(view, TableView)
        views.append(view)
    assert [view.table for view in views] == tables
    assert {view.status for view in views} == {"closed"}
    assert {view.outcome and view.outcome.reason for view in views} == {"resigned"}
    # Who has the last row has missed nothing.
    assert await seating.resume(anna, tables[0], views[0].seq) == []
    assert not house.hall.rooms.tables.all_loaded()
    house.hall.rooms.audiences.forget_unknown(house.hall.rooms.tables.is_known)
    assert not house.hall.rooms.audiences._audiences


async def test_closed_tables_are_freed_at_once(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the garbage collector, which comes rarely where much is kept."""
    anna, bob = await house.guest("anna"), await house.guest("bob")
    known: list[weakref.ref[Table]] = []
    opened = house.hall.rooms.tables.opened

    def note(table: Table) -> None:
        known.append(weakref.ref(table))
        opened(table)

    monkeypatch.setattr(house.hall.rooms.tables, "opened", note)
    gc.collect()
    gc.disable()
    try:
        (table,) = await closed_tables(house, anna, bob, number=1)
        # It was looked for in the journal, where a table holds those who wait.
        assert isinstance(await house.ask(anna, table, Drop(3), "moved"), Done)
        await until(lambda: known[0]() is None)
    finally:
        gc.enable()


async def test_who_never_sat_there_watches_and_leaves_nothing_behind(house: TestHall) -> None:
    anna, bob, eve = [await house.guest(name) for name in ("anna", "bob", "eve")]
    (table,) = await closed_tables(house, anna, bob, number=1)
    with pytest.raises(NotSeated):
        await house.hall.seating.resume(eve, table, None)
    assert await house.hall.seating.watch(eve, table, None) is None
    await house.hall.seating.send_view(eve, table)
    assert eve.of(TableView)[-1].status == "closed"
    assert not house.hall.rooms.tables.all_loaded()
    house.hall.people.disconnected(eve)
    house.hall.rooms.audiences.forget_unknown(house.hall.rooms.tables.is_known)
    assert not house.hall.rooms.audiences._audiences


async def test_a_request_sent_again_to_a_closed_table_gets_its_answer(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    (table,) = await closed_tables(house, anna, bob, number=1)
    answer = await house.ask(anna, table, Drop(3), "moved")
    assert isinstance(answer, Done)
    assert answer.events
    assert isinstance(await house.ask(anna, table, Drop(3), "another"), TableClosed)
    assert not house.hall.rooms.tables.all_loaded()
