"""Journals as anyone may read them: nothing of a running round that a spectator may not see."""

from __future__ import annotations

import msgspec
import pytest

from gamehall.games.bingo_duel import Pick
from gamehall.games.two_in_turn import Resign
from gamehall.hall.records import reading
from gamehall.hall.records.reading import HistoryFilter
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, until


async def duel(house: TestHall, *, rated: bool) -> tuple[int, FakeLink, FakeLink]:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    table = await house.hall.new_tables.open_match(
        (anna.online, bob.online), "bingo-duel", {"size": 3}, drawn=False, rated=rated, origin="t"
    )
    await until(lambda: any(isinstance(e, h.Started) for e in bob.events()))
    return table, anna, bob


async def dealt(house: TestHall, table: int, round: int | None = None) -> list[tuple[bool, bool]]:
    """For each deal in the journal, whether its row is filtered and whether boards are shown."""
    page = await house.hall.reading.journal(table, None, 0, 100, round)
    rows = [msgspec.json.decode(line) for line in page.lines]
    return [
        (row.get("filtered", False), any(event["boards"]))
        for row in rows
        for event in row["events"]
        if event["type"] == "boards_dealt"
    ]


async def test_boards_of_a_rated_game_are_hidden_till_its_end(house: TestHall) -> None:
    table, anna, bob = await duel(house, rated=True)
    assert await dealt(house, table) == [(True, False)]
    await house.ask(anna, table, Resign())
    assert await dealt(house, table) == [(False, True)]
    await house.ask(anna, table, h.Rematch())
    await house.ask(bob, table, h.Rematch())
    # The row in which the second round opened deals its boards too.
    assert await dealt(house, table) == [(False, True), (True, False)]
    assert await dealt(house, table, 1) == [(False, True)]
    await house.ask(anna, table, Resign())
    assert await dealt(house, table) == [(False, True), (False, True)]


async def test_boards_of_a_casual_game_are_open_to_spectators(house: TestHall) -> None:
    table, _, bob = await duel(house, rated=False)
    assert await dealt(house, table) == [(True, True)]
    await house.ask(bob, table, Pick(1))
    await house.ask(bob, table, h.Leave())


async def test_filtered_history_looks_through_so_many_rounds_at_once(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FILTERED_AT_ONCE", 2)
    monkeypatch.setattr(reading, "FILTERED_PAGES_MAX", 2)
    table, anna, bob = await duel(house, rated=False)
    assert anna.online is not None
    for loser in (bob, anna, anna, anna, anna, anna):
        await house.ask(loser, table, Resign())
        for link in (anna, bob):
            await house.ask(link, table, h.Rematch())
    wins = HistoryFilter(player=anna.online.player.id, result="win")
    found, next = await house.hall.reading.history(wins, None, 1)
    # Four were looked through, and anna has lost them all; the rest comes with the next page.
    assert found == []
    found, next = await house.hall.reading.history(wins, next, 5)
    assert ([item.round for item in found], next) == ([1], None)
    losses = HistoryFilter(player=anna.online.player.id, result="loss")
    found, next = await house.hall.reading.history(losses, None, 3)
    assert [item.round for item in found] == [6, 5, 4]
    assert next == found[-1].place
    every = HistoryFilter(player=anna.online.player.id)
    assert len((await house.hall.reading.history(every, None, 6))[0]) == 6
