"""Requests of earlier rounds, sent again: found in the journal, and never done twice."""

from __future__ import annotations

import pytest

from gamehall.errors import (
    BadRequest,
    Forgotten,
    NoSuchTable,
)
from gamehall.games.bingo import Deal, Ready
from gamehall.games.connect_four import Drop
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Done
from gamehall.store.appends import Request
from gamehall.table_log import house as h
from tests.hall.bingo_hall import BingoHall
from tests.hall.halls import TestHall
from tests.hall.series import Series


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_resign_of_another_round_is_not_done_again(series: Series, restarts: bool) -> None:
    first = await series.ask(0, Resign(), "r1")
    assert isinstance(first, Done)
    for rounds in range(4):
        await series.rematch()
        if restarts:
            await series.restart()
        head = series.at.head
        assert await series.ask(0, Resign(), "r1") == first, rounds
        assert isinstance(await series.ask(0, Drop(3), "r1", b"other"), BadRequest)
        assert series.at.head == head
        # The ids of others are others.
        assert isinstance(await series.ask(1, Resign(), f"r1 {rounds}"), Done)


async def test_ids_are_known_also_when_their_round_leaves_memory(series: Series) -> None:
    await series.rounds(3)
    first = await series.ask(0, Resign(), "r1")
    for _ in range(3):
        await series.rematch()
        assert await series.ask(0, Resign(), "r1") == first
        await series.do(1, Resign())


async def test_the_seat_that_was_told(house: TestHall, series: Series) -> None:
    table = series.at
    sat = [table._requests.recent(Request(player, f"sit {who}", b"d")) for who, player in
           enumerate(series.players)]  # fmt: skip
    await series.rounds(3)
    await series.restart()
    for who, first in enumerate(sat):
        person = h.Person(series.players[who], ("anna", "bob")[who])
        assert first is not None
        assert first.seat == who
        assert await series.ask(who, h.Sit(person), f"sit {who}") == first


async def test_before_the_draw_no_seat_was_told(house: TestHall) -> None:
    series = Series(house, await house.hall.rooms.tables.open("connect-four", {}), [])
    people = []
    for name in ("anna", "bob"):
        online = (await house.guest(name)).online
        assert online is not None
        series.players.append(online.player.id)
        people.append(h.Person(online.player.id, name))
    sat = [await series.ask(who, h.Sit(person), "sit") for who, person in enumerate(people)]
    assert [done.seat is None for done in sat] == [True, False]
    await series.rounds(2)
    await series.restart()
    assert [await series.ask(who, h.Sit(person), "sit") for who, person in enumerate(people)] == sat


async def test_a_table_that_is_not_kept(house: TestHall, series: Series) -> None:
    await series.ask(0, Resign(), "r1")
    await house.ask_hall(series.table, h.Close("test"))
    assert await house.store.forget(house.clock.now_ms() + 1, 10) == 1
    assert isinstance(await series.ask(0, Resign(), "r1"), Forgotten)
    series.table += 1
    assert isinstance(await series.ask(0, Resign(), "r1"), NoSuchTable)


async def test_what_is_only_noted_is_noted_once(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    anna = bingo.at["anna"]
    start = await house.ask(anna, bingo.id, Deal(), "start")
    await bingo.call()
    first = await house.ask(anna, bingo.id, Ready(), "ready")
    assert isinstance(first, Done)
    assert bingo.state.answered == {0}
    await bingo.ready("bob")
    await bingo.call()
    assert await house.ask(anna, bingo.id, Ready(), "ready") == first
    assert isinstance(await house.ask(anna, bingo.id, Ready(), "ready", b"other"), BadRequest)
    assert isinstance(await house.ask(anna, bingo.id, Ready(), "start", b"other"), BadRequest)
    assert bingo.state.answered == set()
    assert await house.ask(anna, bingo.id, Deal(), "start") == start
