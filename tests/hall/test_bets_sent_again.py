"""Bets that are sent again: their ids count in their round."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.errors import (
    BadRequest,
    Forgotten,
)
from gamehall.games.sicbo_events import Bet, BetWindowClosed, RoundNotFound
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.store.appends import Request
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, answer_of, until
from tests.hall.series import count_looks


async def place(
    house: TestHall, link: FakeLink, table: int, bet: Bet, digest: bytes = b"d",
    id: str = "1", by_round: bool = True,
) -> Any:  # fmt: skip
    assert link.online is not None
    player = link.online.player
    request = Request(player.id, id, digest, by_round)
    person = h.Person(player.id, player.name)
    return await answer_of(
        lambda reply: house.hall.rooms.tables.put(
            Ask(table, player.id, bet, reply, request, person)
        )
    )


async def sicbo(house: TestHall) -> tuple[FakeLink, int]:
    link = await house.guest("anna")
    table = await house.hall.house_tables.table("sicbo")
    await house.hall.seating.watch(link, table, None)
    return link, table


async def next_round(house: TestHall, table: int) -> None:
    """One timer after the other rings, until a round has just opened."""
    found = house.hall.rooms.tables.loaded(table)
    assert isinstance(found, Table)
    for _ in range(3):
        await until(lambda: found.alarm.due_ms is not None)
        head, due_ms = found.head, found.alarm.due_ms or 0
        house.clock.advance(max(due_ms - house.clock.now_ms(), 0))
        await until(lambda: found.head > head)  # noqa: B023


async def test_a_bets_id_counts_in_its_round(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, table = await sicbo(house)
    looks = count_looks(house, monkeypatch)
    bets = []
    for _ in range(4):
        bets.append(await place(house, anna, table, Bet("BIG", 10)))
        await next_round(house, table)
    assert len({bet.seq for bet in bets}) == 4
    assert [bet.round for bet in bets] == [1, 2, 3, 4]
    assert looks == []
    for number, first in enumerate(bets, start=1):
        bet = Bet("BIG", 10, number)
        assert await place(house, anna, table, bet) == first
        assert isinstance(await place(house, anna, table, bet, b"other"), BadRequest)
        assert isinstance(await place(house, anna, table, bet, id="2"), BetWindowClosed)
    for never in (-1, 0, 99):
        assert isinstance(await place(house, anna, table, Bet("BIG", 10, never)), RoundNotFound)
    assert set(looks) == {"request_between"}


async def test_a_bet_without_a_round_whose_id_counts_at_the_table(house: TestHall) -> None:
    anna, table = await sicbo(house)
    first = await place(house, anna, table, Bet("BIG", 10), by_round=False)
    # Of another round, and so another.
    for number in (2, 3):
        await next_round(house, table)
        assert isinstance(await place(house, anna, table, Bet("BIG", 10, number)), Done)
    await next_round(house, table)
    assert await place(house, anna, table, Bet("BIG", 10), by_round=False) == first
    assert await place(house, anna, table, Bet("BIG", 10, 1)) == first


async def test_bets_of_two_rounds_with_one_id_in_flight(house: TestHall) -> None:
    anna, table = await sicbo(house)
    first = await place(house, anna, table, Bet("BIG", 10))
    for _ in range(3):
        await next_round(house, table)
    old, new, same = await asyncio.gather(
        place(house, anna, table, Bet("BIG", 10, 1)),
        place(house, anna, table, Bet("BIG", 10, 4)),
        place(house, anna, table, Bet("BIG", 10)),
    )
    assert old == first
    assert new == same
    assert (new.round, new.seq > first.seq) == (4, True)


async def test_a_round_that_is_not_kept(house: TestHall, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, table = await sicbo(house)
    await place(house, anna, table, Bet("BIG", 10))
    for _ in range(3):
        await next_round(house, table)

    async def nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(house.store, "round_span", nothing)
    assert isinstance(await place(house, anna, table, Bet("BIG", 10, 1)), Forgotten)
