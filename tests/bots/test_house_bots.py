"""Bots that the hall seats: at tables into which people walk, round after round."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gamehall.games.connect_four import ConnectFour
from gamehall.games.sicbo_betting import Bettor
from gamehall.games.sicbo_events import BettingClosed
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState
from tests.contract.store_builders import opened, pay, paying
from tests.hall.halls import FakeLink, TestHall, until

START = 1_000_000
LEVELS = ("random", "sensible")


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[TestHall]:
    hall = TestHall(tmp_path)
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture
async def anna(hall: TestHall) -> FakeLink:
    return await hall.guest("anna")


async def with_bots(hall: TestHall, link: FakeLink, *levels: str) -> int:
    """A table of Sic Bo that was opened with these bots, and is watched."""
    assert link.online is not None
    new = await hall.hall.new_tables.open_table(
        link.online, "sicbo", {}, private=False, bots=levels, request=None
    )
    await hall.hall.seating.watch(link, new.table, None)
    return new.table


def state(hall: TestHall, table: int) -> TableState:
    loaded = hall.hall.rooms.tables.loaded(table)
    assert loaded is not None
    assert loaded.state is not None
    return loaded.state


def bettors(hall: TestHall, table: int) -> dict[str | None, Bettor]:
    """By their levels."""
    at_table = state(hall, table)
    return {at_table.chairs[seat].bot: bettor for seat, bettor in at_table.game.bettors.items()}


async def finish(hall: TestHall, link: FakeLink) -> None:
    """Has the running round end, and waits for what follows."""
    for ms, kind in ((30_000, BettingClosed), (3_000, house.RoundEnded)):
        heard = len(link.events())
        hall.clock.advance(ms)
        await until(partial(_heard, hall, link, heard, kind))


def _heard(hall: TestHall, link: FakeLink, after: int, kind: type[Any]) -> bool:
    # A timer that gave way to a bet which was then refused is armed anew, and is due at once.
    hall.clock.advance(0)
    return any(isinstance(event, kind) for event in link.events()[after:])


async def next_round(hall: TestHall, table: int) -> None:
    """The pause is over."""
    round = state(hall, table).opened.round
    hall.clock.advance(5_000)
    await until(lambda: state(hall, table).opened.round == round + 1)


async def test_they_bet_once_in_every_round(hall: TestHall, anna: FakeLink) -> None:
    table = await with_bots(hall, anna, *LEVELS)
    for round in (1, 2, 3):
        await until(lambda: set(bettors(hall, table)) == set(LEVELS))
        assert state(hall, table).opened.round == round
        bets = bettors(hall, table)
        assert sum(bet.amount for bet in bets["sensible"].bets) == 10_000
        await finish(hall, anna)
        assert [len(bettor.bets) for bettor in bettors(hall, table).values()] == [1, 1]
        await next_round(hall, table)


async def test_they_have_chips_like_everyone(hall: TestHall, anna: FakeLink) -> None:
    table = await with_bots(hall, anna, *LEVELS)
    await until(lambda: set(bettors(hall, table)) == set(LEVELS))
    at_table = state(hall, table)
    for seat, bettor in at_table.game.bettors.items():
        balance = await hall.store.balance(at_table.chairs[seat].player)
        assert balance == START - sum(bet.amount for bet in bettor.bets)


async def test_who_is_broke_gets_new_chips(hall: TestHall, anna: FakeLink) -> None:
    table = await with_bots(hall, anna, "sensible")
    await until(lambda: "sensible" in bettors(hall, table))
    await finish(hall, anna)
    (person,) = state(hall, table).chairs.values()
    left = await hall.store.balance(person.player)
    await opened(hall.store, rows=(paying(pay(person.player, "house", left)),))
    await next_round(hall, table)
    await until(lambda: "sensible" in bettors(hall, table))
    assert await hall.store.balance(person.player) == START - 10_000


async def test_who_has_too_little_for_a_bet_waits(hall: TestHall, anna: FakeLink) -> None:
    await hall.hall.bots.person("random", 1)
    hall.hall.rooms.players.start_balance = 500
    table = await with_bots(hall, anna, "random", "sensible")
    await until(lambda: "random" in bettors(hall, table))
    await finish(hall, anna)
    assert set(bettors(hall, table)) == {"random"}, "500 chips are not broke, and no bet either"
    await next_round(hall, table)
    await until(lambda: "random" in bettors(hall, table))


async def test_two_of_one_level_are_two_players(hall: TestHall, anna: FakeLink) -> None:
    table = await with_bots(hall, anna, "sensible", "sensible")
    await until(lambda: len(state(hall, table).game.bettors) == 2)
    names = {person.name for person in state(hall, table).chairs.values()}
    assert names == {"Sensible bot", "Sensible bot 2"}


async def test_they_do_not_keep_a_table_awake(hall: TestHall, anna: FakeLink) -> None:
    table = await with_bots(hall, anna, *LEVELS)
    await until(lambda: set(bettors(hall, table)) == set(LEVELS))
    await finish(hall, anna)
    hall.hall.seating.unwatch(anna, table)
    hall.clock.advance(5_000)
    await until(lambda: hall.hall.rooms.tables.loaded(table) is None)
    info = await hall.store.table(table)
    assert info is not None
    assert (info.status, info.round) == ("closed", 1)


async def test_they_go_on_after_a_restart(hall: TestHall, anna: FakeLink) -> None:
    table = await with_bots(hall, anna, *LEVELS)
    await until(lambda: set(bettors(hall, table)) == set(LEVELS))
    await hall.restart()
    anna = await hall.guest("anna")
    await hall.hall.seating.watch(anna, table, None)
    await finish(hall, anna)
    await next_round(hall, table)
    await until(lambda: set(bettors(hall, table)) == set(LEVELS))


async def test_they_still_play_what_is_played_by_appointment(
    hall: TestHall, anna: FakeLink
) -> None:
    assert anna.online is not None
    new = await hall.hall.new_tables.open_table(
        anna.online, ConnectFour.name, {}, private=False, bots=("sensible",), request=None
    )
    table = new.table
    sit: Any = house.Sit(house.Person(anna.online.player.id, "anna"))
    await hall.ask(anna, table, sit)
    await until(lambda: state(hall, table).game is not None)
    game = ConnectFour()

    def my_turn() -> bool:
        at_table = state(hall, table)
        assert anna.online is not None
        seat = at_table.seat_of[anna.online.player.id]
        return at_table.over or bool(list(game.legal(at_table.game, seat)))

    for _ in range(50):
        await until(my_turn)
        at_table = state(hall, table)
        if at_table.over:
            break
        seat = at_table.seat_of[anna.online.player.id]
        await hall.ask(anna, table, next(iter(game.legal(at_table.game, seat))))
    assert state(hall, table).over
