"""Rules that do what no rules may: nothing of it is written, and the table can always be loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import Internal
from gamehall.games.game import Context, Event, Game, Payment
from gamehall.hall.audit.doctor import examine
from gamehall.hall.beat.requests import Done
from gamehall.table_log import house as h
from tests.games.toys import Ante, Deal, Dealt, Fold, Folded, HighCard, Shown
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_seating import me


class Winked(Event, frozen=True):
    seat: int


class Winks(HighCard):
    """Who folds winks, which the game does not declare."""

    def decide(
        self, state: Deal, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        events = super().decide(state, seat, command, context)
        return (*events, Winked(seat or 0)) if isinstance(command, Fold) else events


class Folds(HighCard):
    """Its event has text where it declares a number."""

    def decide(
        self, state: Deal, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        events = super().decide(state, seat, command, context)
        return (Folded("me"),) if isinstance(command, Fold) else events  # type: ignore[arg-type]


class PaysFolders(HighCard):
    """Who folds gets more than lies in the pot."""

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, Folded) and event.seat in state.cards:
            return (Payment("pot", event.seat, 1000),)
        return super().money(state, event)


class BorrowsFromThePot(HighCard):
    """The house fills the pot up after it was overdrawn."""

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, Folded) and event.seat in state.cards:
            return (Payment("pot", event.seat, 1000), Payment("house", "pot", 1000))
        return super().money(state, event)


class PaysNothing(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, Folded):
            return (Payment("pot", event.seat, 0),)
        return super().money(state, event)


class PaysNobody(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        return (Payment("pot", 4, 1),) if isinstance(event, Folded) else super().money(state, event)


class KeepsTheRake(HighCard):
    """A chip is left in the pot when the round is over."""

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        paid = super().money(state, event)
        return paid[:1] if isinstance(event, Shown) else paid


class HouseAdds(HighCard):
    """The house adds ten chips to each ante, and takes two of them."""

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        paid = super().money(state, event)
        if isinstance(event, Dealt):
            return (*paid, Payment("house", "pot", 10), Payment("pot", "house", 2))
        return paid

    def apply(self, state: Deal, event: Any) -> Deal:
        state = super().apply(state, event)
        if isinstance(event, Dealt):
            state.pot += 8
        return state


async def playing(folder: Path, game: Game[Any]) -> tuple[TestHall, int, list[FakeLink]]:
    """A table at which two have paid."""
    house = TestHall(folder, {game.name: game})
    await house.start()
    people = [await house.guest("anna"), await house.guest("bob")]
    opened = await house.hall.new_tables.open_table(
        me(people[0]), game.name, {}, private=False, bots=(), request=None
    )
    for link in people:
        person = h.Person(me(link).player.id, me(link).player.name)
        assert isinstance(await house.ask(link, opened.table, h.Sit(person)), Done)
    for link in people:
        assert isinstance(await house.ask(link, opened.table, Ante(25)), Done)
    return house, opened.table, people


async def chips(house: TestHall, people: list[FakeLink]) -> list[int]:
    return [await house.store.balance(me(link).player.id) for link in people]


async def is_sound(house: TestHall, game: Game[Any]) -> bool:
    async with house.store.audit() as audit:
        return not (await examine(audit, {game.name: game})).problems


@pytest.mark.parametrize(
    "game",
    [Winks, Folds, PaysFolders, BorrowsFromThePot, PaysNothing, PaysNobody],
    ids=lambda game: game.__name__,
)
async def test_nothing_is_written_of_what_no_rules_may_do(
    tmp_path: Path, game: type[HighCard]
) -> None:
    house, table, people = await playing(tmp_path, game())
    anna, bob = people
    before, head = await chips(house, people), len(await house.store.read(table, 0, 100))
    told = len(bob.told)
    for _ in range(2):
        assert isinstance(await house.ask(anna, table, Fold()), Internal)
    assert len(await house.store.read(table, 0, 100)) == head
    assert len(bob.told) == told
    assert await chips(house, people) == before
    await house.restart()
    found = await house.hall.rooms.tables.load(table)
    assert found.head == head
    assert await is_sound(house, game())
    await house.stop()


async def test_a_round_cannot_end_with_chips_in_its_pot(tmp_path: Path) -> None:
    house, table, people = await playing(tmp_path, KeepsTheRake())
    # Its timer fails three times; then the table is closed, and every stake goes back.
    for _ in range(3):
        house.clock.advance(1000)
        await until(
            lambda: house.hall.rooms.tables.loaded(table) is None or _is_armed(house, table)
        )
    await until(lambda: any(isinstance(event, h.Closed) for event in people[0].events()))
    assert not any(isinstance(event, h.RoundEnded) for event in people[0].events())
    assert await chips(house, people) == [1_000_000, 1_000_000]
    assert await is_sound(house, KeepsTheRake())
    await house.stop()


def _is_armed(house: TestHall, table: int) -> bool:
    found: Any = house.hall.rooms.tables.loaded(table)
    return bool(found.alarm.due_ms is not None and found.idle)


@pytest.mark.parametrize("void", [True, False], ids=["void", "played"])
async def test_the_house_may_add_to_a_pot_and_gets_back_what_is_called_off(
    tmp_path: Path, void: bool
) -> None:
    game = HouseAdds()
    house, table, people = await playing(tmp_path, game)
    if void:
        await house.hall.seating.void(table, "a trial")
        assert await chips(house, people) == [1_000_000, 1_000_000]
    else:
        house.clock.advance(1000)
        await until(lambda: any(isinstance(event, h.RoundEnded) for event in people[0].events()))
        assert sum(await chips(house, people)) == 2_000_000 + 2 * 8 - 1
    assert await is_sound(house, game)
    await house.stop()
