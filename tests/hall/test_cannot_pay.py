"""Rounds that begin with stakes: who cannot pay is told, gives up the seat, and stops nobody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import NoFunds
from gamehall.games.game import Command, Context, Event
from gamehall.hall.audit.doctor import examine
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import FAULTS_MAX, Table
from gamehall.table_log import house as h
from gamehall.table_log.verify import verify_log
from tests.games.toys import Ante, Deal, Dealt, Fold, Folded, HighCard, Showdown
from tests.hall.halls import FakeLink, TestHall, answer_of, until
from tests.hall.test_seating import me
from tests.hall.test_walk_in import state

STAKE = 500


class Blinds(HighCard):
    """Everyone pays when the cards are dealt, which is at once."""

    name = "blinds"

    def begin(self, state: Deal, context: Context) -> tuple[Event, ...]:
        return tuple(
            Dealt(seat, STAKE, *context.chance.below(f"card:{seat}", 52))
            for seat in sorted(state.seats)
        )


class Deals(Command, frozen=True):
    """All who sit there are dealt a card, and pay for it."""


class DealsLater(HighCard):
    """A round begins empty, and someone says when all are to pay."""

    name = "deals-later"
    commands = (*HighCard.commands, Deals)  # type: ignore[assignment]

    def decide(
        self, state: Deal, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if isinstance(command, Deals):
            return Blinds().begin(state, context)
        return super().decide(state, seat, command, context)

    def apply(self, state: Deal, event: Any) -> Deal:
        if isinstance(event, Folded):
            state.seats.discard(event.seat)
        return super().apply(state, event)


class Dues(HighCard):
    """Whoever has a card pays for it once more when the time is up."""

    name = "dues"

    def decide(
        self, state: Deal, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        events = super().decide(state, seat, command, context)
        if not isinstance(command, Showdown):
            return events
        return (*(Dealt(seat, STAKE, card) for seat, card in state.cards.items()), *events)


BLINDS, LATER, DUES = Blinds(), DealsLater(), Dues()
TOYS = {game.name: game for game in (BLINDS, LATER, DUES)}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[TestHall]:
    house = TestHall(tmp_path, TOYS)
    await house.start()
    yield house
    async with house.store.audit() as audit:
        findings = await examine(audit, TOYS)
    assert not findings.problems
    await house.stop()


async def guest(house: TestHall, name: str, chips: int) -> FakeLink:
    house.hall.rooms.players.start_balance = chips
    return await house.guest(name)


async def opened(house: TestHall, **how: Any) -> int:
    options = {"least": 2, "deal_ms": 1000, "again_ms": 500, **how.pop("options", {})}
    return await house.hall.rooms.tables.open(
        how.pop("game", BLINDS.name), options, drawn=False, **how
    )


async def sit(house: TestHall, link: FakeLink, table: int) -> Any:
    person = h.Person(me(link).player.id, me(link).player.name)
    return await house.ask(link, table, h.Sit(person))


def left(link: FakeLink) -> list[tuple[int, str]]:
    return [(event.seat, event.reason) for event in link.events() if isinstance(event, h.Left)]


def names(house: TestHall, table: int) -> set[str]:
    at = state(house, table)
    return {at.chairs[seat].name for seat in at.seat_of.values()}


async def is_verified(house: TestHall, table: int) -> None:
    """The round is called off, which tells its secret, and its log is judged."""
    if house.hall.rooms.tables.loaded(table) is not None:
        await house.ask_hall(table, h.Close("test"))
    lines = [line.line for line in await house.store.read(table, 0, 1000)]
    game = LATER if b"deals-later" in lines[0] else BLINDS
    verdict = verify_log(lines, {game.name: game})
    assert not verdict.problems


async def test_who_sat_first_and_cannot_pay_gives_up_the_seat(house: TestHall) -> None:
    broke, anna, bob = [
        await guest(house, n, c) for n, c in (("broke", 10), ("anna", 999), ("bob", 999))
    ]
    table = await opened(house)
    assert isinstance(await sit(house, broke, table), Done)
    assert isinstance(await sit(house, anna, table), Done)
    assert state(house, table).status == "waiting"
    assert names(house, table) == {"anna"}
    # All hear why, and so does the one concerned.
    assert left(anna) == left(broke) == [(0, "no_funds")]
    assert table not in me(broke).seated
    assert isinstance(await sit(house, bob, table), Done)
    assert state(house, table).status == "playing"
    assert state(house, table).pot == 2 * STAKE
    await is_verified(house, table)


async def test_who_sits_down_last_and_cannot_pay_is_refused(house: TestHall) -> None:
    broke, anna = await guest(house, "broke", 10), await guest(house, "anna", 999)
    table = await opened(house)
    assert isinstance(await sit(house, anna, table), Done)
    assert isinstance(await sit(house, broke, table), NoFunds)
    assert names(house, table) == {"anna"}
    assert state(house, table).status == "waiting"


async def test_several_who_cannot_pay_all_give_up_their_seats(house: TestHall) -> None:
    chips = {"one": 10, "anna": 999, "two": 20, "bob": 999}
    people = [await guest(house, name, has) for name, has in chips.items()]
    table = await opened(house, options={"least": 4})
    for link in people:
        assert isinstance(await sit(house, link, table), Done)
    assert names(house, table) == {"anna", "bob"}
    assert left(people[0]) == left(people[1]) == [(0, "no_funds"), (2, "no_funds")]
    await is_verified(house, table)


@pytest.mark.parametrize("again_ms", [500, 0])
async def test_the_next_round_begins_without_who_cannot_pay(house: TestHall, again_ms: int) -> None:
    chips = {"anna": 5000, "bob": 5000, "poor": STAKE}
    people = [await guest(house, name, has) for name, has in chips.items()]
    table = await opened(house, options={"least": 3, "again_ms": again_ms, "most": 3})
    for link in people:
        assert isinstance(await sit(house, link, table), Done)
    assert state(house, table).status == "playing"
    assert isinstance(await house.ask(people[2], table, Fold()), Done)
    house.clock.advance(1000)
    await until(lambda: state(house, table).status != "playing")
    house.clock.advance(again_ms)
    # It waits for a third, and the two others have their seats and chips.
    await until(lambda: state(house, table).status == "waiting")
    assert names(house, table) == {"anna", "bob"}
    assert left(people[0]) == left(people[2]) == [(2, "no_funds")]
    assert await house.store.balance(me(people[0]).player.id) >= 5000 - STAKE
    await is_verified(house, table)


@pytest.mark.parametrize("anna_last", [True, False])
async def test_who_cannot_pay_a_rematch_gives_up_the_seat(house: TestHall, anna_last: bool) -> None:
    anna, poor = await guest(house, "anna", 5000), await guest(house, "poor", STAKE)
    table = await opened(house, options={"again_ms": None})
    for link in (anna, poor):
        assert isinstance(await sit(house, link, table), Done)
    assert isinstance(await house.ask(poor, table, Fold()), Done)
    house.clock.advance(1000)
    await until(lambda: state(house, table).status == "over")
    for link in (poor, anna) if anna_last else (anna, poor):
        assert isinstance(await house.ask(link, table, h.Rematch()), Done)
    # The seats have moved on by one. Whoever wants to can take the other now.
    assert state(house, table).status == "waiting"
    assert names(house, table) == {"anna"}
    assert left(poor) == left(anna) == [(0, "no_funds")]
    assert anna.told[-1][0].left == ((me(poor).player.id, 0, "poor", "no_funds"),)
    assert table not in me(poor).seated
    await is_verified(house, table)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_a_match_that_someone_cannot_pay_ends_at_once_and_both_are_told(
    house: TestHall, order: tuple[int, int]
) -> None:
    people = [await guest(house, "broke", 10), await guest(house, "anna", 999)]
    broke, anna = people
    table = await house.hall.new_tables.open_match(
        [me(people[place]) for place in order],
        BLINDS.name,
        {"least": 2},
        drawn=False,
        rated=False,
        origin="match",
    )
    await until(lambda: house.hall.rooms.tables.loaded(table) is None)
    for link in (broke, anna):
        assert [reason for _, reason in left(link)] == ["no_funds"]
        closed = [event for event in link.events() if isinstance(event, h.Closed)]
        assert [event.reason for event in closed] == ["no_funds"]
        assert me(link).free
    await is_verified(house, table)


async def test_stakes_that_are_due_in_a_running_round_stop_nobody_either(house: TestHall) -> None:
    chips = {"broke": 10, "anna": 999, "bob": 999}
    people = [await guest(house, name, has) for name, has in chips.items()]
    table = await opened(house, game=LATER.name, options={"least": 3})
    for link in people:
        assert isinstance(await sit(house, link, table), Done)
    _, anna, bob = people
    assert isinstance(await house.ask(anna, table, Deals()), Done)
    assert names(house, table) == {"anna", "bob"}
    assert state(house, table).pot == 2 * STAKE
    assert left(bob) == [(0, "no_funds")]
    await is_verified(house, table)


async def test_who_asks_for_more_than_it_has_is_refused_and_stays(house: TestHall) -> None:
    broke, anna = await guest(house, "broke", 10), await guest(house, "anna", 999)
    table = await opened(house, game=LATER.name)
    for link in (broke, anna):
        assert isinstance(await sit(house, link, table), Done)
    assert isinstance(await house.ask(broke, table, Ante(11)), NoFunds)
    assert names(house, table) == {"broke", "anna"}


async def test_a_timer_that_nobody_can_pay_does_not_ring_for_ever(house: TestHall) -> None:
    anna = await guest(house, "anna", 10)
    table = await opened(house, game=DUES.name, options={"least": 0, "kept": False})
    await house.hall.seating.watch(anna, table, None)
    online = me(anna)
    who = h.Person(online.player.id, online.player.name)
    answer = await answer_of(
        lambda reply: house.hall.rooms.tables.put(
            Ask(table, online.player.id, Ante(10), reply, person=who)
        )
    )
    assert isinstance(answer, Done)
    at = house.hall.rooms.tables.loaded(table)
    assert isinstance(at, Table)
    for _ in range(FAULTS_MAX):
        house.clock.advance(1000)
        await until(lambda: at.gone or at.alarm.due_ms is not None)
    # Where people walk in nobody can be sent away: the table closes, and gives back what it has.
    await until(lambda: at.gone)
    assert await house.store.balance(online.player.id) == 10
