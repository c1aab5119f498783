"""Beats in which seats change hands, and what follows from them for those who sit there."""

from __future__ import annotations

from gamehall.games.bingo import CardsDealt, Deal
from gamehall.hall.beat.requests import Ask, unheard
from gamehall.table_log.house import Leave, Person, Sit
from tests.hall.bingo_hall import BingoHall
from tests.hall.halls import FakeLink, TestHall, until


def put(bingo: BingoHall, link: FakeLink, *commands: Leave | Sit | Deal) -> None:
    """In the beat in which all that is put now is decided."""
    assert link.online is not None
    for command in commands:
        player = link.online.player.id
        bingo.house.hall.rooms.tables.put(Ask(bingo.id, player, command, unheard))


def sit(link: FakeLink) -> Sit:
    assert link.online is not None
    return Sit(Person(link.online.player.id, link.online.player.name))


async def test_who_leaves_and_sits_down_in_one_beat_has_a_seat(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    anna = bingo.at["anna"]
    put(bingo, anna, Leave(), sit(anna), Deal())
    await until(lambda: any(isinstance(event, CardsDealt) for event in anna.events()))
    assert anna.online is not None
    assert bingo.id in anna.online.seated


async def test_who_sits_down_and_leaves_in_one_beat_is_shown_nothing(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna")
    carl = await house.guest("carl")
    put(bingo, carl, sit(carl), Leave())
    put(bingo, bingo.at["anna"], Deal())
    await until(lambda: any(isinstance(event, CardsDealt) for event in bingo.at["anna"].events()))
    assert carl.online is not None
    assert (carl.notices, carl.told, bingo.id in carl.online.seated) == ([], [], False)
