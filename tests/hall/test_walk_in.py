"""Tables into which people walk: seated by a bet, bound to nothing, and at rest when empty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import (
    BadRequest,
    HallError,
    NoFunds,
    NoSuchTable,
    NotSeated,
    NotStarted,
    RoundOver,
    TooMany,
    WrongKey,
)
from gamehall.games.sicbo_events import (
    Bet,
    BetPlaced,
    BettingClosed,
    BetWindowClosed,
    Rolled,
    RoundNotFound,
    Settled,
)
from gamehall.hall.beat.requests import Done
from gamehall.hall.beat.table import Table
from gamehall.hall.seats.new_tables import TABLES_MAX
from gamehall.store.appends import Request
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, answer_of, until

START = 1_000_000
BETTING_MS, REVEAL_MS, PAUSE_MS = 30_000, 3_000, 5_000


async def bet(
    house: TestHall, link: FakeLink, table: int, command: Bet, request: str | None = None,
    digest: bytes = b"d",
) -> Done | HallError:  # fmt: skip
    online = link.online
    assert online is not None
    asked = None if request is None else Request(online.player.id, request, digest)
    answer: Done | HallError = await answer_of(
        lambda reply: house.hall.seating.act(online, table, command, asked, reply)
    )
    return answer


def loaded(house: TestHall, table: int) -> Table:
    found = house.hall.rooms.tables.loaded(table)
    assert isinstance(found, Table)
    return found


def state(house: TestHall, table: int) -> Any:
    return loaded(house, table).state


async def pass_time(house: TestHall, table: int, ms: int) -> None:
    """The time passes, and what was due then has been written."""
    head = loaded(house, table).head
    house.clock.advance(ms)
    await until(lambda: loaded(house, table).head > head)


async def balance(house: TestHall, link: FakeLink) -> int:
    assert link.online is not None
    return await house.store.balance(link.online.player.id)


async def watching(house: TestHall, name: str) -> tuple[FakeLink, int]:
    link = await house.guest(name)
    table = await house.hall.house_tables.table("sicbo")
    await house.hall.seating.watch(link, table, None)
    return link, table


async def test_the_hall_has_one_table_of_its_own(house: TestHall) -> None:
    table = await house.hall.house_tables.table("sicbo")
    assert await house.hall.house_tables.table("sicbo") == table
    with pytest.raises(NoSuchTable):
        await house.hall.house_tables.table("connect-four")
    await house.restart()
    await house.hall.start()
    assert await house.hall.house_tables.table("sicbo") == table


async def test_a_table_of_the_halls_own_that_was_closed_is_replaced(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    await house.ask_hall(table, h.Close("fault"))
    other = await house.hall.house_tables.table("sicbo")
    assert other != table
    assert isinstance(await bet(house, anna, other, Bet("BIG", 1)), Done)
    await house.restart()
    await house.hall.start()
    assert await house.hall.house_tables.table("sicbo") == other
    assert other in house.hall.rooms.tables.of_the_house


async def test_a_bet_seats_its_player_in_the_same_row(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    head = loaded(house, table).head
    first = await bet(house, anna, table, Bet("BIG", 1000))
    second = await bet(house, anna, table, Bet("SMALL", 500))
    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert [type(event) for event in first.events] == [h.Seated, BetPlaced]
    assert [type(event) for event in second.events] == [BetPlaced]
    assert loaded(house, table).head == head + 2
    assert (first.seq, first.seat, second.seat) == (head + 1, 0, 0)
    assert await balance(house, anna) == START - 1500


async def test_a_refused_bet_leaves_no_seat_and_no_row(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    head = loaded(house, table).head
    assert isinstance(await bet(house, anna, table, Bet("BIG", 1, 99)), RoundNotFound)
    assert isinstance(await bet(house, anna, table, Bet("BIG", START)), Done)
    assert isinstance(await bet(house, anna, table, Bet("BIG", 1)), NoFunds)
    bob = await house.guest("bob")
    house.clock.advance(BETTING_MS)
    assert isinstance(await bet(house, bob, table, Bet("BIG", 1)), BetWindowClosed)
    assert list(state(house, table).chairs) == [0]
    assert loaded(house, table).head <= head + 2


async def test_only_bets_seat_people(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    assert isinstance(await house.ask(anna, table, h.Rematch()), NotSeated)
    head = loaded(house, table).head
    assert await house.ask(anna, table, h.Leave()) == Done(table, head, None)
    await bet(house, anna, table, Bet("BIG", 1))
    assert await house.ask(anna, table, h.Leave()) == Done(table, head + 1, 0)
    assert list(state(house, table).seat_of) == [1]


async def test_a_round_from_the_first_bet_to_the_next_round(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    bob = await house.guest("bob")
    await bet(house, anna, table, Bet("BIG", 1000))
    await bet(house, anna, table, Bet("SMALL", 200))
    await bet(house, bob, table, Bet("SMALL", 5000))
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    rolled = next(e for e in anna.events() if isinstance(e, Rolled))
    assert rolled.sum == sum(rolled.dice)
    won = {"BIG": (2000, 0), "SMALL": (400, 10_000), "NONE": (0, 0)}[rolled.result]
    assert await balance(house, anna) == START - 1200 + won[0]
    assert await balance(house, bob) == START - 5000 + won[1]
    await pass_time(house, table, PAUSE_MS)
    assert state(house, table).opened.round == 2
    assert not state(house, table).chairs
    assert [type(e) for e in anna.events()] == [
        h.Seated,
        BetPlaced,
        BetPlaced,
        BettingClosed,
        Rolled,
        Settled,
        h.RoundEnded,
        h.Opened,
        h.Started,
    ]
    # Bob does not watch: he hears what is his, and what came with it.
    assert [type(e) for e in bob.events()] == [h.Seated, BetPlaced, Rolled, Settled, h.RoundEnded]


async def test_nobody_hears_of_the_bets_of_others(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    bob, _ = await watching(house, "bob")
    await bet(house, bob, table, Bet("SMALL", 5000))
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    assert [type(e) for e in anna.events()] == [BettingClosed, Rolled, h.RoundEnded]
    await bet(house, anna, table, Bet("BIG", 1))
    settled = [e for e in bob.events() if isinstance(e, Settled)]
    assert [list(e.payouts) for e in settled] == [[0]]


async def test_all_connections_of_a_bettor_hear_each_thing_once(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    assert anna.online is not None
    phone = FakeLink()
    house.hall.rooms.players.attach(phone, anna.online.player)
    await house.hall.seating.watch(phone, table, None)
    await bet(house, anna, table, Bet("BIG", 1000))
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    kinds = [h.Seated, BetPlaced, BettingClosed, Rolled, Settled, h.RoundEnded]
    assert [type(e) for e in anna.events()] == kinds
    assert [type(e) for e in phone.events()] == kinds


async def test_a_bettor_is_free_and_may_go(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    bob, _ = await watching(house, "bob")
    await bet(house, anna, table, Bet("BIG", 1000))
    await bet(house, anna, table, Bet("SMALL", 1000))
    assert anna.online is not None
    assert anna.online.free
    assert not anna.online.seated
    player = anna.online.player.id
    house.hall.people.disconnected(anna)
    assert player not in house.hall.rooms.players.online
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    rolled = next(e for e in bob.events() if isinstance(e, Rolled))
    won = 0 if rolled.result == "NONE" else 2000
    assert await house.store.balance(player) == START - 2000 + won
    assert await house.store.tables_of(player) == []


async def test_the_same_request_is_one_bet_also_after_the_close_and_a_restart(
    house: TestHall,
) -> None:
    anna, table = await watching(house, "anna")
    first = await bet(house, anna, table, Bet("BIG", 1000), "r1")
    assert isinstance(first, Done)
    assert await bet(house, anna, table, Bet("BIG", 1000), "r1") == first
    await pass_time(house, table, BETTING_MS)
    assert await bet(house, anna, table, Bet("BIG", 1000), "r1") == first
    other = await bet(house, anna, table, Bet("BIG", 2000), "r1", b"other")
    assert isinstance(other, BadRequest)
    assert loaded(house, table).knows(1, "r1")
    assert not loaded(house, table).knows(1, "r2")
    assert anna.online is not None
    player = anna.online.player
    await house.restart()
    again = FakeLink()
    house.hall.rooms.players.attach(again, player)
    await house.hall.rooms.tables.load(table)
    assert await bet(house, again, table, Bet("BIG", 1000), "r1") == first
    assert await balance(house, again) == START - 1000


async def test_an_interrupted_round_goes_on(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    await bet(house, anna, table, Bet("BIG", 1000))
    await bet(house, anna, table, Bet("SMALL", 300))
    opened = state(house, table).opened
    assert anna.online is not None
    player = anna.online.player.id
    await house.restart()
    house.clock.advance(BETTING_MS + 1)
    await house.hall.start()
    await until(lambda: house.hall.rooms.tables.loaded(table) is not None)
    await pass_time(house, table, 0)
    assert state(house, table).game.status == "BETTING_CLOSE"
    assert state(house, table).opened == opened
    await pass_time(house, table, REVEAL_MS)
    won = {"BIG": 2000, "SMALL": 600, "NONE": 0}[state(house, table).game.rolled.result]
    assert await house.store.balance(player) == START - 1300 + won


async def test_a_bet_that_wakes_a_table_after_its_time_is_too_late(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    assert anna.online is not None
    player = anna.online.player
    await house.restart()
    house.clock.advance(BETTING_MS)
    again = FakeLink()
    house.hall.rooms.players.attach(again, player)
    assert isinstance(await bet(house, again, table, Bet("BIG", 1)), BetWindowClosed)


async def test_a_table_that_nobody_is_connected_to_rests_after_its_round(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    await bet(house, anna, table, Bet("BIG", 1000))
    house.hall.people.disconnected(anna)
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    house.clock.advance(PAUSE_MS)
    await until(lambda: loaded(house, table).resting)
    house.clock.advance(10 * PAUSE_MS)
    assert state(house, table).status == "over"
    house.hall.rooms.tables.evict(lambda table: False)
    assert house.hall.rooms.tables.loaded(table) is None
    await house.hall.rooms.tables.waking.wake_due()
    assert house.hall.rooms.tables.loaded(table) is None
    bob = await house.guest("bob")
    assert await house.hall.seating.watch(bob, table, None) is None
    await pass_time(house, table, 0)
    assert [type(e) for e in bob.events()] == [h.Opened, h.Started]


async def test_a_bet_wakes_a_resting_table_and_counts_in_the_round_it_opens(
    house: TestHall,
) -> None:
    anna, table = await watching(house, "anna")
    house.hall.people.disconnected(anna)
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    house.clock.advance(PAUSE_MS)
    await until(lambda: loaded(house, table).resting)
    bob = await house.guest("bob")
    assert isinstance(await bet(house, bob, table, Bet("BIG", 1000)), Done)
    assert state(house, table).opened.round == 2


async def test_a_table_that_a_player_opened_closes_when_nobody_is_left(house: TestHall) -> None:
    anna = await house.guest("anna")
    assert anna.online is not None
    opened = await house.hall.new_tables.open_table(
        anna.online, "sicbo", {"betting_seconds": 1}, private=False, bots=(), request=None
    )
    await pass_time(house, opened.table, 1000)
    await pass_time(house, opened.table, REVEAL_MS)
    table = loaded(house, opened.table)
    house.clock.advance(PAUSE_MS)
    await until(lambda: table.state.closed == "empty")


async def test_a_private_table_takes_bets_of_those_who_showed_its_key(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    opened = await house.hall.new_tables.open_table(
        anna.online, "sicbo", {}, private=True, bots=(), request=None
    )
    with pytest.raises(WrongKey):
        await bet(house, bob, opened.table, Bet("BIG", 1))
    with pytest.raises(WrongKey):
        await house.hall.seating.watch(bob, opened.table, "wrong")
    await house.hall.seating.watch(bob, opened.table, opened.key)
    assert isinstance(await bet(house, bob, opened.table, Bet("BIG", 1)), Done)


async def test_a_void_round_gives_every_stake_back_and_the_next_one_opens(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    with pytest.raises(NoSuchTable):
        await house.hall.seating.void(table + 1, "none")
    await bet(house, anna, table, Bet("BIG", 1000))
    await bet(house, anna, table, Bet("SMALL", 500))
    assert await balance(house, anna) == START - 1500
    await house.hall.seating.void(table, "a test")
    assert await balance(house, anna) == START
    voided = [e for e in anna.events() if isinstance(e, h.RoundVoided)]
    assert [(e.reason, e.again_ms) for e in voided] == [("a test", 1000)]
    with pytest.raises(RoundOver):
        await house.hall.seating.void(table, "again")
    assert isinstance(await bet(house, anna, table, Bet("BIG", 1)), RoundOver)
    await pass_time(house, table, 1000)
    assert state(house, table).opened.round == 2
    assert isinstance(await bet(house, anna, table, Bet("BIG", 1)), Done)


async def test_a_table_without_a_game_cannot_be_voided(house: TestHall) -> None:
    anna = await house.guest("anna")
    assert anna.online is not None
    opened = await house.hall.new_tables.open_table(
        anna.online, "connect-four", {}, private=False, bots=(), request=None
    )
    with pytest.raises(NotStarted):
        await house.hall.seating.void(opened.table, "none")


async def test_new_settings_hold_from_the_next_round_on(tmp_path: Path) -> None:
    house = TestHall(tmp_path, options={"sicbo": {"betting_seconds": 10}})
    await house.start()
    _, table = await watching(house, "anna")
    assert state(house, table).options.betting_seconds == 10
    await house.stop()
    house = TestHall(tmp_path, options={"sicbo": {"betting_seconds": 20}})
    await house.start()
    await house.hall.start()
    _, again = await watching(house, "bob")
    assert again == table
    await until(lambda: state(house, table).next_options)
    assert state(house, table).options.betting_seconds == 10
    await pass_time(house, table, 10_000)
    await pass_time(house, table, REVEAL_MS)
    await pass_time(house, table, PAUSE_MS)
    assert state(house, table).options.betting_seconds == 20
    await house.stop()


async def test_one_player_opens_only_so_many_tables(house: TestHall) -> None:
    anna = await house.guest("anna")
    online = anna.online
    assert online is not None

    async def opens(request: Request | None = None) -> int:
        opened = await house.hall.new_tables.open_table(
            online, "sicbo", {}, private=False, bots=(), request=request
        )
        return opened.table

    last = Request(online.player.id, "last", b"d")
    tables = [await opens() for _ in range(TABLES_MAX - 1)]
    tables.append(await opens(last))
    with pytest.raises(TooMany):
        await opens()
    # What is let go from memory is still open.
    house.hall.rooms.tables.evict(lambda table: False)
    assert house.hall.rooms.tables.loaded(tables[0]) is None
    with pytest.raises(TooMany):
        await opens()
    # Sent again it opens none, and so is not one too many.
    assert await opens(last) == tables[-1]
    await house.ask_hall(tables[0], h.Close("test"))
    await opens()


async def test_tables_that_nobody_watches_or_bets_at_are_closed(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    own = await house.hall.house_tables.table("sicbo")
    tables = []
    for _ in range(3):
        opened = await house.hall.new_tables.open_table(
            anna.online, "sicbo", {"betting_seconds": 86_400}, private=False, bots=(), request=None
        )
        tables.append(opened.table)
    await house.hall.seating.watch(bob, tables[0], None)
    await bet(house, anna, tables[1], Bet("BIG", 1))
    deserted = loaded(house, tables[2])
    house.hall.house_tables.close_deserted()
    house.clock.advance(31_000)
    assert deserted.state.closed is None, "whoever opened it may be about to come"
    house.hall.house_tables.close_deserted()
    await until(lambda: deserted.state.closed == "empty")
    for table in (own, *tables[:2]):
        assert state(house, table).closed is None


async def test_the_journal_of_a_running_round_does_not_tell_who_bets(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    await bet(house, anna, table, Bet("BIG", 1))
    page = await house.hall.reading.journal(table, None, 0, 100)
    assert not any(b"anna" in line for line in page.lines)
    await pass_time(house, table, BETTING_MS)
    await pass_time(house, table, REVEAL_MS)
    page = await house.hall.reading.journal(table, None, 0, 100)
    assert any(b"anna" in line for line in page.lines)
