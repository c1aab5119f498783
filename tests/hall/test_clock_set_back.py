"""A clock that is set back: timers go on, and a journal from the future stops no table."""

from __future__ import annotations

import asyncio
import time

import pytest
from msgspec.structs import replace

from gamehall.games.sicbo_events import Bet
from gamehall.games.two_in_turn import TimedOut
from gamehall.hall.beat.requests import Done
from gamehall.hall.housekeeping import SWEEP_SECONDS
from gamehall.hall.nodes.clock import SystemClock, TableTime
from gamehall.hall.people.notices import TableView
from gamehall.table_log.journal import RowCodec
from tests.hall.halls import TestHall, until
from tests.hall.test_seating import opened, sit
from tests.hall.test_walk_in import (
    BETTING_MS,
    PAUSE_MS,
    REVEAL_MS,
    bet,
    loaded,
    pass_time,
    state,
    watching,
)
from tests.support.fake_clock import FakeClock
from tests.support.waiting import WAIT_SECONDS

HOUR_MS = 3_600_000


def set_back(house: TestHall) -> None:
    """As if a machine had come up with another time: no alarm of the one before rings here."""
    house.clock = FakeClock(house.clock.now_ms() - HOUR_MS)


def test_the_machines_clock_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    assert abs(clock.now_ms() - time.time() * 1000) < 60_000
    before_ms, true = clock.now_ms(), time.time
    monkeypatch.setattr(time, "time", lambda: true() - 3600)
    monkeypatch.setattr(time, "time_ns", lambda: int((true() - 3600) * 1e9))
    assert clock.now_ms() >= before_ms


async def test_an_alarm_rings_also_if_the_machines_clock_is_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, rung = SystemClock(), asyncio.Event()
    true = time.time
    due_ms = clock.now_ms() + 50

    def ring() -> None:
        if clock.now_ms() < due_ms:
            clock.call_at(due_ms, ring)  # As whoever waits for a time does.
        else:
            rung.set()

    clock.call_at(due_ms, ring)
    monkeypatch.setattr(time, "time", lambda: true() - 3600)
    monkeypatch.setattr(time, "time_ns", lambda: int((true() - 3600) * 1e9))
    await asyncio.wait_for(rung.wait(), WAIT_SECONDS)


def test_a_tables_time_goes_on_from_its_journal() -> None:
    table = TableTime()
    assert table.at(1000) == 1000
    table.last_ms = 5000
    assert table.at(1000) == 5000
    assert table.at(1250) == 5250
    assert table.at(500) == 5000
    assert table.at(501) == 5001


async def test_rounds_go_on_after_a_restart_with_a_clock_behind_the_journal(
    house: TestHall,
) -> None:
    _, table = await watching(house, "anna")
    await pass_time(house, table, BETTING_MS)
    await house.stop()
    set_back(house)
    await house.start()
    link, same = await watching(house, "bob")
    assert same == table
    await house.hall.seating.send_view(link, table)
    view = link.of(TableView)[-1]
    assert view.clock.due_ms - view.clock.now_ms == 3_000
    # Closed, revealed, the next one open, closed again: each when its own time is over.
    for ms in (3_000, 5_000, 30_000, 3_000):
        head = loaded(house, table).head
        house.clock.advance(ms - 1)
        await house.settled(table)
        assert loaded(house, table).head == head
        house.clock.advance(1)
        await until(lambda head=head: loaded(house, table).head > head)  # type: ignore[misc]
    assert state(house, table).opened.round == 2
    lines = await house.store.read(table, 0, 100)
    codec = RowCodec(house.hall.games["sicbo"])
    times = [codec.read(line.line).at_ms for line in lines]
    assert times == sorted(times)


async def test_a_move_clock_runs_on_at_a_table_that_nobody_comes_back_to(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await opened(house, anna, options={"move_seconds": 5})
    for link in (anna, bob):
        assert isinstance(await sit(house, link, table), Done)
    await until(lambda: loaded(house, table).state.status == "playing")
    await house.stop()
    set_back(house)
    await house.start()
    # It is woken although its timer, by the clock, is not due for an hour; and then kept.
    await house.hall.rooms.tables.waking.wake_due()
    house.hall._housekeeping.let_go_idle()
    spectator = await house.guest("eve")
    await house.hall.seating.watch(spectator, table, None)
    # Whoever was here is given the grace time to come back, and then has lost on time.
    house.clock.advance(60_000)
    await until(lambda: any(isinstance(event, TimedOut) for event in spectator.events()))


async def test_a_clock_that_is_corrected_backwards_freezes_no_running_table(
    house: TestHall,
) -> None:
    link, table = await watching(house, "anna")
    house.clock.correct(-HOUR_MS)
    for ms in (30_000, 3_000, 5_000, 30_000):
        head = loaded(house, table).head
        # The alarm that was armed before stays where it was on the test's clock: a real one counts
        # seconds. What is armed from now on is due in the table's own time.
        loaded(house, table).arm()
        house.clock.advance(ms)
        await until(lambda head=head: loaded(house, table).head > head)  # type: ignore[misc]
    assert state(house, table).opened.round == 2
    assert link.events()


async def test_a_table_that_rests_wakes_no_earlier_than_it_was_due(house: TestHall) -> None:
    """Else its journal could not be decided again."""
    link, table = await watching(house, "anna")
    house.hall.people.disconnected(link)
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    ended_ms = loaded(house, table).time.last_ms
    house.clock.advance(PAUSE_MS)
    await until(lambda: loaded(house, table).resting)
    house.clock.correct(-HOUR_MS)
    bob = await house.guest("bob")
    assert isinstance(await bet(house, bob, table, Bet("BIG", 1000)), Done)
    assert state(house, table).game.open_ms == ended_ms + PAUSE_MS


async def test_absent_players_leave_after_a_restart_with_a_clock_behind_the_journal(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await house.guest("anna")
    table = await opened(house, anna, options={"move_seconds": 5})
    assert isinstance(await sit(house, anna, table), Done)
    await house.stop()
    set_back(house)
    await house.start()
    rooms = house.hall.rooms
    monkeypatch.setattr(rooms, "settings", replace(rooms.settings, grace_seconds=0))
    await house.hall._housekeeping.leave_for_absent()
    lines: list[bytes] = []

    async def is_left() -> bool:
        lines[:] = [line.line for line in await house.store.read(table, 0, 100)]
        return any(b'"left"' in line for line in lines)

    async with asyncio.timeout(SWEEP_SECONDS):
        while not await is_left():
            await asyncio.sleep(0.01)
