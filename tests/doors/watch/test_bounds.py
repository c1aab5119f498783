"""However many pages ask, and however much there is to read, the hall does little at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.games.bingo_duel import Pick
from gamehall.games.two_in_turn import Resign
from gamehall.wire.bingo import watch
from gamehall.wire.bingo.watch import WatchDoor
from tests.hall.halls import FakeLink, TestHall


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[TestHall]:
    house = TestHall(tmp_path)
    await house.start()
    yield house
    await house.stop()


async def a_match(house: TestHall, number: int) -> tuple[FakeLink, FakeLink, int]:
    first, second = await house.guest(f"first {number}"), await house.guest(f"second {number}")
    assert first.online is not None
    assert second.online is not None
    table = await house.hall.new_tables.open_match(
        [first.online, second.online],
        "bingo-duel",
        {"size": 3},
        drawn=False,
        rated=False,
        origin=f"a test's {number}",
    )
    await house.ask(second, table, Pick(1))
    return first, second, table


async def answer(door: WatchDoor) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(await door.get())
    return found


async def test_a_journal_is_read_once_as_long_as_nothing_happens(house: TestHall) -> None:
    matches = [await a_match(house, number) for number in range(6)]
    for first, _, table in matches[:3]:
        await house.ask(first, table, Resign())
    door = WatchDoor(house.hall)
    shown = await answer(door)
    assert (len(shown["game_state"]), len(shown["game_history"])) == (3, 3)
    reads = door.rooms.reads
    assert reads == 6
    await house.ask(matches[5][0], matches[5][2], Pick(2))
    again = await answer(door)
    assert again["game_history"] == shown["game_history"]
    assert again["game_state"] != shown["game_state"]
    assert door.rooms.reads == reads


async def test_of_too_much_at_once_the_rest_comes_later(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [await a_match(house, number) for number in range(8)]
    for first, _, table in matches[:4]:
        await house.ask(first, table, Resign())
    monkeypatch.setattr(watch, "READS_MAX", 3)
    door = WatchDoor(house.hall)
    told = []
    for _ in range(3):
        reads = door.rooms.reads
        shown = await answer(door)
        told.append((len(shown["game_state"]), len(shown["game_history"])))
        assert door.rooms.reads - reads <= 3
    assert told == [(3, 0), (4, 2), (4, 4)]


async def test_all_who_ask_at_once_share_an_answer(house: TestHall) -> None:
    await a_match(house, 0)
    door = WatchDoor(house.hall)
    first = asyncio.create_task(door.get())
    await asyncio.sleep(0)
    while door._next is not None:
        await asyncio.sleep(0)
    # These come too late for that one: it may have missed what they have seen.
    others = await asyncio.gather(*(door.get() for _ in range(50)))
    assert len({id(each) for each in others}) == 1
    assert others[0] == await first
    assert others[0] is not await first


async def test_who_gives_up_waiting_takes_nothing_from_the_others(house: TestHall) -> None:
    await a_match(house, 0)
    door = WatchDoor(house.hall)
    impatient, patient = asyncio.create_task(door.get()), asyncio.create_task(door.get())
    await asyncio.sleep(0)
    impatient.cancel()
    assert b"game_state" in await patient
