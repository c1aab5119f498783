"""Called Bingo in the hall: who is waited for, what is only noted, what a restart leaves."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from gamehall.errors import RoundRunning
from gamehall.games.bingo import (
    BingoClaimed,
    Called,
    Claim,
    Deal,
    NoBingo,
    NoCard,
    NoRound,
    Ready,
    columns,
)
from gamehall.games.game import Command
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.people.notices import PlayerBack, PlayerDropped, TableView
from gamehall.store.appends import SeatResult
from gamehall.table_log import house as h
from tests.games.counting import operations
from tests.hall.bingo_hall import GRACE_MS, PAUSE_MS, READY_MS, BingoHall
from tests.hall.halls import TestHall, until


async def test_a_round_from_the_start_to_the_next(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("bob")
    assert bingo.wait_ms == PAUSE_MS
    cards = dict(bingo.state.cards)
    while not bingo.state.has_bingo(0):
        await bingo.call()
        assert bingo.wait_ms == READY_MS
        await bingo.ready("anna", "bob")
        assert bingo.wait_ms == PAUSE_MS
    called = list(bingo.state.called)
    done = await bingo.do("anna", Claim())
    assert isinstance(done, Done)
    assert [type(e) for e in done.events] == [BingoClaimed, h.RoundEnded, h.Opened, h.Started]
    assert bingo.round == 2
    for name, seat in (("anna", 0), ("bob", 1)):
        assert [dealt.cards for dealt in bingo.cards(name)] == [{seat: cards[seat]}]
        assert bingo.numbers(name) == called
    (ended,) = await house.store.history(game="bingo", player=None, before=None, limit=5)
    assert ended.results == (
        SeatResult(0, bingo.player("anna").id, "anna", "win", None),
        SeatResult(1, bingo.player("bob").id, "bob", "loss", None),
    )
    await bingo.start("bob")
    assert bingo.cards("bob")[1].cards != bingo.cards("bob")[0].cards


async def test_ready_is_noted_and_neither_written_nor_told(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    await bingo.call()
    head, appends, told = bingo.table.head, len(house.store.appends), len(bingo.at["bob"].told)
    done = await bingo.do("anna", Ready())
    assert done == Done(bingo.id, head, 0)
    assert (bingo.table.head, len(house.store.appends)) == (head, appends)
    assert len(bingo.at["bob"].told) == told
    assert bingo.wait_ms == READY_MS
    await bingo.ready("bob")
    assert bingo.wait_ms == PAUSE_MS
    await bingo.call()
    assert bingo.table.head == head + 1


async def test_a_number_that_is_overdue_comes_when_the_last_is_ready(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    await bingo.call()
    await bingo.ready("anna")
    house.clock.advance(4_000)
    await bingo.ready("bob")
    assert bingo.wait_ms == PAUSE_MS - 4_000
    await bingo.call()
    assert len(bingo.state.called) == 2


async def test_one_silent_player_holds_nobody_up_for_long(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    await bingo.call()
    for numbers in (2, 3, 4):
        await bingo.ready("anna")
        house.clock.advance(READY_MS - 1)
        await bingo.settle()
        assert len(bingo.state.called) == numbers - 1
        await bingo.call()
        assert len(bingo.state.called) == numbers


async def test_two_claims_in_one_moment_have_one_winner(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    while not (bingo.state.has_bingo(0) and bingo.state.has_bingo(1)):
        await bingo.call()
    won, late, again = await bingo.together([("bob", Claim()), ("anna", Claim()), ("bob", Claim())])
    assert isinstance(won, Done)
    assert isinstance(late, NoRound)
    assert isinstance(again, NoRound)
    claimed = [e for e in bingo.at["anna"].events() if isinstance(e, BingoClaimed)]
    assert claimed == [BingoClaimed(1)]


async def test_two_starts_in_one_moment_deal_once(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    first, second = await bingo.together([("anna", Deal()), ("bob", Deal())])
    assert isinstance(first, Done)
    assert isinstance(second, RoundRunning)
    assert len(bingo.cards("anna")) == 1


async def test_false_claims_are_refused_and_the_round_goes_on(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    assert isinstance(await bingo.do("anna", Claim()), NoRound)
    await bingo.start("anna")
    head = bingo.table.head
    assert isinstance(await bingo.do("anna", Claim()), NoBingo)
    await bingo.come("cleo")
    assert isinstance(await bingo.do("cleo", Claim()), NoCard)
    assert bingo.table.head == head + 1, "only Cleo's sitting down was written"
    await bingo.call()
    assert bingo.numbers("cleo") == bingo.numbers("anna"), "the rows are public"
    assert bingo.cards("cleo") == []


# Who is away


async def test_who_drops_is_not_waited_for_and_can_come_back(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    await bingo.call()
    await bingo.ready("anna")
    card = bingo.state.cards[1]
    bob = await bingo.drop("bob")
    assert bingo.at["anna"].of(PlayerDropped)
    assert bingo.wait_ms == PAUSE_MS
    for _ in range(3):
        await bingo.call()
        await bingo.ready("anna")
        assert bingo.wait_ms == PAUSE_MS
    link = await bingo.back("bob", bob)
    assert bingo.at["anna"].of(PlayerBack)
    assert link.online is not None
    assert link.online.seated == {bingo.id: 1}
    await house.hall.seating.send_view(link, bingo.id)
    view = link.of(TableView)[-1].view
    assert (view.card, view.called) == (columns(card), bingo.state.called)
    await bingo.call()
    await bingo.ready("anna")
    assert bingo.wait_ms == READY_MS, "he is waited for again"
    await bingo.ready("bob")
    assert bingo.wait_ms == PAUSE_MS


async def test_one_of_two_connections_is_enough(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    first = bingo.at["bob"]
    await bingo.back("bob", bingo.player("bob"))
    await bingo.start("anna")
    await bingo.call()
    await bingo.ready("anna")
    house.hall.people.disconnected(first)
    await bingo.settle()
    assert bingo.wait_ms == READY_MS
    await bingo.drop("bob")
    assert bingo.wait_ms == PAUSE_MS


async def test_who_is_away_when_the_next_round_starts_is_not_waited_for(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    while not bingo.state.has_bingo(0):
        await bingo.call()
        await bingo.ready("anna")
    # Not before: a long round would outlast the time that the seat is kept.
    bob = await bingo.drop("bob")
    await bingo.do("anna", Claim())
    await bingo.settle()
    await bingo.start("anna")
    assert 1 in bingo.state.cards, "the seat is kept, so it is dealt in"
    await bingo.call()
    await bingo.ready("anna")
    assert bingo.wait_ms == PAUSE_MS
    await bingo.back("bob", bob)
    await bingo.call()
    await bingo.ready("anna")
    assert bingo.wait_ms == READY_MS


async def test_who_is_gone_before_the_seat_is_written_is_not_waited_for(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna")
    bob = await house.guest("bob")
    assert bob.online is not None
    player = bob.online.player
    person = h.Person(player.id, player.name)
    house.hall.rooms.tables.put(Ask(bingo.id, player.id, h.Sit(person), lambda _: None))
    house.hall.people.disconnected(bob)
    await until(lambda: len(bingo.state.seats) == 2)
    await bingo.settle()
    await bingo.start("anna")
    await bingo.call()
    await bingo.ready("anna")
    assert bingo.wait_ms == PAUSE_MS


async def test_who_does_not_come_back_has_left(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    await bingo.drop("bob")
    # Numbers are called meanwhile, and Anna is silent.
    while not any(isinstance(e, h.Left) for e in bingo.at["anna"].events()):
        await bingo.call()
    assert (1, "dropped") in [
        (e.seat, e.reason) for e in bingo.at["anna"].events() if isinstance(e, h.Left)
    ]
    assert bingo.state.playing == {0}
    assert bingo.round == 1


async def test_a_round_that_nobody_comes_back_to_is_over(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna")
    await bingo.start("anna")
    await bingo.drop("anna")
    while bingo.round == 1:
        await bingo.call()
    (ended,) = await house.store.history(game="bingo", player=None, before=None, limit=5)
    assert ended.reason == "abandoned"
    assert ended.ended_at_ms == 1_000_000 + GRACE_MS
    assert bingo.table.alarm.due_ms is None, "the hall's own table waits for people"
    await bingo.come("bob")
    await bingo.start("bob")


# A restart


async def test_after_a_restart_the_first_who_is_back_does_not_wait_for_the_others(
    house: TestHall,
) -> None:
    bingo = await BingoHall.open(house, "anna", "bob", "carl")
    await bingo.start("anna")
    await bingo.call()
    anna, bob = bingo.player("anna"), bingo.player("bob")
    await house.restart()
    await house.hall.rooms.tables.load(bingo.id)
    await bingo.back("anna", anna)
    assert bingo.wait_ms == READY_MS
    await bingo.ready("anna")
    assert bingo.wait_ms == PAUSE_MS
    await bingo.back("bob", bob)
    await bingo.call()
    await bingo.ready("anna")
    assert bingo.wait_ms == READY_MS, "bob is back, and asked"


async def test_who_leaves_and_sits_down_again_has_lost(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    await bingo.call()
    await bingo.do("bob", h.Leave())
    assert isinstance(await bingo.sit(bingo.at["bob"]), Done)
    while bingo.round == 1:
        await bingo.call()
    (item,) = await house.store.history(game="bingo", player=None, before=None, limit=10)
    assert item.reason == "all_called"
    assert [result.result for result in item.results] == ["draw", "loss"]


async def test_a_restart_in_mid_round_leaves_all_but_the_notes(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    await bingo.start("anna")
    for _ in range(5):
        await bingo.call()
    await bingo.ready("anna", "bob")
    assert bingo.wait_ms == PAUSE_MS
    before = msgspec.structs.asdict(bingo.state)
    anna, bob = bingo.player("anna"), bingo.player("bob")
    await house.restart()
    await house.hall.rooms.tables.load(bingo.id)
    after = msgspec.structs.asdict(bingo.state)
    for noted in ("answered", "away", "owns_seats"):
        del before[noted], after[noted]
    assert after == before
    assert bingo.wait_ms == READY_MS, "everyone is asked again"
    await bingo.back("anna", anna)
    await bingo.back("bob", bob)
    await bingo.ready("anna", "bob")
    assert bingo.wait_ms == PAUSE_MS
    await bingo.call()
    assert bingo.state.called[:5] == before["called"]
    while not bingo.state.has_bingo(1):
        await bingo.call()
    assert isinstance(await bingo.do("bob", Claim()), Done)


async def test_numbers_go_on_after_a_restart_without_anyone(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna")
    await bingo.start("anna")
    await bingo.call()
    await house.restart()
    house.clock.advance(READY_MS)
    await house.hall.start()
    await until(lambda: house.hall.rooms.tables.loaded(bingo.id) is not None)
    house.clock.advance(0)
    await until(lambda: len(bingo.state.called) == 2)


# A crowd


@pytest.fixture
async def crowd(house: TestHall) -> BingoHall:
    """A thousand people in one round."""
    bingo = await BingoHall.open(house)
    names = [f"p{n}" for n in range(1000)]
    links = await asyncio.gather(*map(house.guest, names))
    bingo.at = dict(zip(names, links, strict=True))
    people = [(n, h.Sit(h.Person(bingo.player(n).id, n))) for n in bingo.at]
    await bingo.together(people)
    await bingo.start("p0")
    return bingo


async def test_a_crowd_plays_a_round_to_its_end(crowd: BingoHall) -> None:
    house = crowd.house
    head, appends = crowd.table.head, len(house.store.appends)
    everyone = [(name, Ready()) for name in crowd.at]
    winner = None
    while winner is None:
        await crowd.call()
        assert crowd.wait_ms == READY_MS
        await crowd.together(everyone)
        assert crowd.wait_ms == PAUSE_MS
        winner = next((n for n in crowd.at if crowd.state.has_bingo(crowd.seat(n))), None)
    called = list(crowd.state.called)
    cards = dict(crowd.state.cards)
    assert isinstance(await crowd.do(winner, Claim()), Done)
    assert crowd.table.head == head + len(called) + 1, "a row for each number, and for the end"
    assert len(house.store.appends) == appends + len(called) + 1
    for seat, name in enumerate(crowd.at):
        assert crowd.numbers(name) == called
        assert [dealt.cards for dealt in crowd.cards(name)] == [{seat: cards[seat]}]


async def test_a_crowd_is_not_told_of_each_who_drops(
    crowd: BingoHall, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = TestHall(tmp_path_factory.mktemp("other"))
    await other.start()
    few = await BingoHall.open(other, "p0", "p1", "p2")
    for bingo, told in ((few, 1), (crowd, 0)):
        player = await bingo.drop("p1")
        assert len(bingo.at["p0"].of(PlayerDropped)) == told
        await bingo.back("p1", player)
        assert len(bingo.at["p0"].of(PlayerBack)) == told
    await other.stop()


async def test_cards_of_a_crowd_are_not_kept_for_those_who_resume(crowd: BingoHall) -> None:
    link = crowd.at["p1"]
    after = crowd.table.head - 1
    assert isinstance(await crowd.house.hall.seating.resume(link, crowd.id, after), TableView)
    after = crowd.table.head
    await crowd.call()
    missed = await crowd.house.hall.seating.resume(link, crowd.id, after)
    assert isinstance(missed, list)
    assert [type(event) for told in missed for event in told.events] == [Called]


async def test_what_one_person_does_costs_the_same_in_a_crowd(
    crowd: BingoHall, tmp_path_factory: pytest.TempPathFactory
) -> None:
    others = [TestHall(tmp_path_factory.mktemp("other")) for _ in range(2)]
    few = []
    for other in others:
        await other.start()
        few.append(await BingoHall.open(other, "p0", "p1"))
        await few[-1].start("p0")
    costs = []
    for bingo in (*few, crowd):
        # With nothing called, a claim costs the same whatever the card.
        refused = [cost(bingo, command) for command in (Claim(), Deal())]
        await bingo.call()
        costs.append((*refused, cost(bingo, Ready())))
    for other in others:
        await other.stop()
    # In the first, what is made once and kept is counted too.
    assert costs[1] == costs[2]


def cost(bingo: BingoHall, command: Command) -> int:
    """The operations of a beat in which p1 asks for that."""
    answers: list[object] = []
    bingo.table.put(Ask(bingo.id, bingo.player("p1").id, command, answers.append))
    count = operations(bingo.table.beat)
    assert len(answers) == 1
    return count
