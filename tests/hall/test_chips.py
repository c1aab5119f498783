"""Refills and statements: chips as each player sees them, through bets, ends and a void."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import NotBroke, RefilledToday
from gamehall.games.game import Event, Payment
from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import Bet
from gamehall.hall.beat.requests import Done
from gamehall.hall.people.online import Online
from gamehall.store.people import PlayerKind, StatementItem
from gamehall.table_log import house as at_table
from tests.hall.halls import FakeLink, TestHall
from tests.hall.ledger_play import EVERY_GAME, SICBO, play_cards, play_sicbo
from tests.hall.test_walk_in import bet, loaded

DAY_MS = 86_400_000


def online(link: FakeLink) -> Online:
    assert link.online is not None
    return link.online


async def with_chips(house: TestHall, chips: int, kind: PlayerKind = "guest") -> Online:
    return Online(await house.store.add_player(kind, kind, chips=chips, at_ms=0))


async def statement(house: TestHall, player: int) -> list[StatementItem]:
    items: list[StatementItem] = []
    while page := await house.store.statement(
        player, before=items[-1].id if items else None, limit=3
    ):
        items += page
    return items


@pytest.mark.parametrize(
    ("start", "broke", "not_broke"), [(1_000_000, 9_999, 10_000), (15, 14, 15), (1, 0, 1)]
)
async def test_the_bound_is_ten_thousand_chips_or_what_everyone_begins_with(
    house: TestHall, start: int, broke: int, not_broke: int
) -> None:
    players = house.hall.rooms.players
    players.start_balance = start
    assert await players.refill(await with_chips(house, broke)) == start
    with pytest.raises(NotBroke, match=rf"fewer than {not_broke}\."):
        await players.refill(await with_chips(house, not_broke))


async def test_where_nobody_begins_with_chips_there_are_none(house: TestHall) -> None:
    house.hall.rooms.players.start_balance = 0
    anna = online(await house.guest("anna"))
    for _ in range(3):
        with pytest.raises(NotBroke):
            await house.hall.rooms.players.refill(anna)
    assert await statement(house, anna.player.id) == []


async def test_a_bot_can_be_broke_too(house: TestHall) -> None:
    bot = await with_chips(house, 0, "bot")
    assert await house.hall.rooms.players.refill(bot) == house.hall.rooms.players.start_balance


async def test_chips_at_stake_count(house: TestHall) -> None:
    anna = await house.guest("anna")
    table = await house.hall.house_tables.table("sicbo")
    await bet(house, anna, table, Bet("BIG", 500_000))
    await bet(house, anna, table, Bet("SMALL", 490_001))
    assert await house.store.balance(online(anna).player.id) == 9_999
    with pytest.raises(NotBroke, match="at stake"):
        await house.hall.people.refill(online(anna))
    await house.hall.seating.void(table, "test")
    with pytest.raises(NotBroke, match="fewer than"):
        await house.hall.people.refill(online(anna))


async def test_new_chips_can_be_bet_at_once(house: TestHall) -> None:
    anna = await house.guest("anna")
    table = await house.hall.house_tables.table("sicbo")
    assert isinstance(await bet(house, anna, table, Bet("BIG", 1_000_000)), Done)
    assert await house.hall.rooms.players.refill(online(anna)) == 1_000_000
    assert isinstance(await bet(house, anna, table, Bet("BIG", 1_000_000)), Done)
    assert await house.store.balance(online(anna).player.id) == 0


async def test_there_are_new_chips_once_a_day(house: TestHall) -> None:
    anna = await house.guest("anna")
    table = await house.hall.house_tables.table("sicbo")
    players = house.hall.rooms.players
    await bet(house, anna, table, Bet("BIG", 1_000_000))
    assert await players.refill(online(anna)) == 1_000_000
    await bet(house, anna, table, Bet("BIG", 1_000_000))
    house.clock.advance(DAY_MS - 1)
    with pytest.raises(RefilledToday):
        await players.refill(online(anna))
    house.clock.advance(1)
    assert await players.refill(online(anna)) == 1_000_000


async def test_statements_add_up_after_rounds_that_end_are_void_or_run(tmp_path: Path) -> None:
    house = TestHall(tmp_path, EVERY_GAME)
    await house.start()
    people = [await house.guest(f"guest {number}") for number in range(1, 6)]
    await play_sicbo(house, people)
    await play_cards(house, people[1], people[2])
    for link in people:
        player = online(link).player.id
        items = await statement(house, player)
        assert sum(item.chips for item in items) == await house.store.balance(player)
        assert len({item.id for item in items}) == len(items)
        ids = [item.id for item in items]
        assert ids == sorted(ids, reverse=True)
        others = {item.other for item in items}
        assert {"mint", "pot:1:1", "pot:1:2", "pot:1:3", "pot:1:5"} <= others
        assert items[-1].other == "mint"
    first = await statement(house, online(people[0]).player.id)
    back = [item.chips for item in first if item.other == "pot:1:4"]
    assert sum(back) == 0, "the void round"
    await house.stop()


class AskedSicBo(SicBo):
    """Keeps the events whose money it was asked for."""

    def __init__(self) -> None:
        self.asked: list[Event] = []

    def money(self, state: Any, event: Any) -> tuple[Payment, ...]:
        self.asked.append(event)
        return super().money(state, event)


async def test_the_game_is_asked_for_the_money_of_each_event_once(tmp_path: Path) -> None:
    game = AskedSicBo()
    house = TestHall(tmp_path, {game.name: game})
    await house.start()
    await play_sicbo(house, [await house.guest(f"guest {number}") for number in range(5)])
    codec = loaded(house, SICBO).kind.codec
    lines = await house.store.read(SICBO, 0, 1000)
    await house.stop()
    events = [event for line in lines for event in codec.decode(line.line).events]
    assert game.asked == [event for event in events if type(event) not in at_table.EVENT_TYPES]
