"""An evening in a hall with all that moves chips, for those who look at the books afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.games.sicbo_events import Bet
from gamehall.hall.beat.requests import Done
from gamehall.table_log import house as at_table
from tests.games.toys import Ante, HighCard
from tests.hall.halls import FakeLink, TestHall
from tests.hall.test_walk_in import BETTING_MS, PAUSE_MS, REVEAL_MS, bet, loaded, pass_time

TOY = HighCard()
EVERY_GAME: dict[str, Game[Any]] = {**{game.name: game for game in GAMES}, TOY.name: TOY}
BETTORS = 5
SICBO, CARDS = 1, 2
"""The tables at which it is played."""


async def play_an_evening(folder: Path) -> None:
    """Keeps in `folder` what a hall has kept when it is stopped in the middle of the play.

    At the Sic Bo table rounds 1 to 3 are settled, 4 is void, and 5 takes bets; at the card table
    round 1 is settled and 2 takes antes. The first bettor was broke, and was given new chips.
    """
    house = TestHall(folder, EVERY_GAME)
    await house.start()
    people = [await house.guest(f"guest {number}") for number in range(1, BETTORS + 1)]
    await play_sicbo(house, people)
    await play_cards(house, people[1], people[2])
    await house.stop()


async def play_sicbo(house: TestHall, people: list[FakeLink]) -> None:
    table = await house.hall.house_tables.table("sicbo")
    assert table == SICBO
    await house.hall.seating.watch(people[0], table, None)
    for round in range(1, 4):
        for number, link in enumerate(people, start=1):
            for command in (Bet("BIG", 1000 * number), Bet("SMALL", 10 * round)):
                id = f"{command.side} {round}"
                assert isinstance(await bet(house, link, table, command, id), Done)
        await pass_time(house, table, BETTING_MS)
        await pass_time(house, table, REVEAL_MS)
        await pass_time(house, table, PAUSE_MS)
    first = people[0].online
    assert first is not None
    rich = await house.store.balance(first.player.id)
    for amount in (rich // 2, rich - rich // 2 - 5):
        assert isinstance(await bet(house, people[0], table, Bet("BIG", amount)), Done)
    assert await house.hall.rooms.players.refill(first) == house.hall.rooms.players.start_balance
    await house.hall.seating.void(table, "a trial")
    await pass_time(house, table, 1000)
    assert loaded(house, table).state.opened.round == 5
    for number, link in enumerate(people, start=1):
        assert isinstance(await bet(house, link, table, Bet("SMALL", 7 * number)), Done)


async def play_cards(house: TestHall, *people: FakeLink) -> None:
    first = people[0].online
    assert first is not None
    opened = await house.hall.new_tables.open_table(
        first, TOY.name, {}, private=False, bots=(), request=None
    )
    assert opened.table == CARDS
    for link in people:
        assert link.online is not None
        person = at_table.Person(link.online.player.id, link.online.player.name)
        assert isinstance(await house.ask(link, CARDS, at_table.Sit(person)), Done)
    for link in people:
        assert isinstance(await house.ask(link, CARDS, Ante(25)), Done)
    await pass_time(house, CARDS, 1000)
    await pass_time(house, CARDS, 500)
    assert isinstance(await house.ask(people[0], CARDS, Ante(10)), Done)
