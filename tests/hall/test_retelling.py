"""A round retold: as the player has seen it from the seat it has now, and from no other."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import gamehall.hall.records.replays as module
from gamehall.errors import NotSeated, NotStarted
from gamehall.games.bingo import Deal
from gamehall.games.connect_four import Drop
from gamehall.hall.beat.requests import Done
from gamehall.table_log import house as at_table
from tests.hall.halls import FakeLink, TestHall

BINGO = "bingo"


def person(link: FakeLink) -> at_table.Person:
    assert link.online is not None
    return at_table.Person(link.online.player.id, link.online.player.name)


async def sit(house: TestHall, link: FakeLink, table: int, seat: int | None = None) -> int:
    done = await house.ask(link, table, at_table.Sit(person(link), seat))
    assert isinstance(done, Done)
    assert done.seat is not None
    return done.seat


async def view_of(house: TestHall, table: int, seat: int) -> Any:
    found = await house.hall.rooms.tables.load(table)
    return msgspec.json.decode(msgspec.json.encode(found.kind.game.view(found.state.game, seat)))


async def test_who_leaves_and_sits_down_again_sees_its_own_card_alone(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await house.hall.house_tables.table(BINGO)
    assert await sit(house, anna, table) == 0
    await house.ask(anna, table, at_table.Leave())
    assert await sit(house, bob, table) == 0
    assert await sit(house, anna, table) == 1
    assert isinstance(await house.ask(bob, table, Deal()), Done)
    retold = await house.hall.replays.retold(table, person(anna).player)
    assert retold.seat == 1
    now = msgspec.json.decode(retold.view_now)
    assert now == await view_of(house, table, 1)
    assert now["card"] != (await view_of(house, table, 0))["card"]
    dealt = [event for event in retold.events if hasattr(event, "cards")]
    assert [set(event.cards) for event in dealt] == [{1}]
    await house.ask(anna, table, at_table.Leave())
    with pytest.raises(NotSeated):
        await house.hall.replays.retold(table, person(anna).player)


async def two_at_connect_four(house: TestHall) -> tuple[int, FakeLink, FakeLink]:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await house.hall.rooms.tables.open("connect-four", {}, drawn=False)
    await sit(house, anna, table, 0)
    with pytest.raises(NotStarted):
        await house.hall.replays.retold(table, person(anna).player)
    await sit(house, bob, table, 1)
    return table, anna, bob


async def test_from_the_beginning_with_every_move(house: TestHall) -> None:
    table, anna, bob = await two_at_connect_four(house)
    first = await view_of(house, table, 1)
    for n, column in enumerate((3, 3, 2)):
        await house.ask((anna, bob)[n % 2], table, Drop(column))
    retold = await house.hall.replays.retold(table, person(bob).player)
    assert (retold.seat, retold.over, retold.round) == (1, False, 1)
    assert msgspec.json.decode(retold.view) == first
    assert [event.column for event in retold.events] == [3, 3, 2]  # type: ignore[attr-defined]
    assert msgspec.json.decode(retold.view_now) == await view_of(house, table, 1)


async def test_a_long_round_is_told_from_a_later_view_on(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVENTS_MAX", 2)
    table, anna, bob = await two_at_connect_four(house)
    for n, column in enumerate((3, 3, 2, 2, 4)):
        await house.ask((anna, bob)[n % 2], table, Drop(column))
    retold = await house.hall.replays.retold(table, person(bob).player)
    shown = msgspec.json.decode(retold.view)
    stones = sum(stone > 0 for row in shown["board"] for stone in row)
    assert stones + len(retold.events) == 5
    assert 0 < len(retold.events) <= 3
