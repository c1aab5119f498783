"""The beat: the store's five answers, requests sent again, timers, faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import BadRequest, Internal, NotYourTurn, Refused, TableClosed, Unavailable
from gamehall.games.connect_four import ConnectFour, Drop, Dropped
from gamehall.games.game import Context, Event
from gamehall.games.two_in_turn import TimedOut
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import FAULTS_MAX
from gamehall.store.appends import Answer, Append, NotWritten, Overtaken, Request, Unknown
from gamehall.table_log import house as h
from tests.hall.halls import LIMIT_SECONDS, FakeLink, TestHall, answer_of, until


async def game(house: TestHall, **options: Any) -> tuple[int, FakeLink, FakeLink]:
    """A running game: the table, who begins, and the other."""
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    table = await house.hall.new_tables.open_match(
        (anna.online, bob.online), "connect-four", options, drawn=False, rated=False, origin="t"
    )
    await until(lambda: house.hall.rooms.tables.loaded(table).state.status == "playing")  # type: ignore[union-attr]
    return table, anna, bob


async def test_a_move_is_told_to_both_and_to_nobody_before_it_is_durable(house: TestHall) -> None:
    table, anna, bob = await game(house)
    held: list[tuple[Append, Callable[[Answer], None]]] = []
    house.store.script = [lambda append, done: held.append((append, done))]
    answered = asyncio.create_task(house.ask(anna, table, Drop(3)))
    await until(lambda: held)
    told = len(bob.told)
    for _ in range(20):
        await asyncio.sleep(0)
    assert not answered.done()
    assert len(bob.told) == told
    house.store.really_append(*held[0])
    assert isinstance(await answered, Done)
    await until(lambda: len(bob.told) > told)
    assert [type(event) for event in bob.events()][-1] is Dropped


async def test_a_refusal_that_rests_on_an_unwritten_step_waits_for_it(house: TestHall) -> None:
    table, anna, bob = await game(house)
    answers: list[str] = []
    assert anna.online is not None
    assert bob.online is not None
    a, b = anna.online.player.id, bob.online.player.id
    tables = house.hall.rooms.tables
    tables.put(Ask(table, a, Drop(3), lambda _: answers.append("anna moved")))
    tables.put(Ask(table, a, Drop(3), lambda x: answers.append(type(x).__name__)))
    tables.put(Ask(table, b, Drop(3), lambda _: answers.append("bob moved")))
    await until(lambda: len(answers) == 3)
    assert answers == ["anna moved", "bob moved", "NotYourTurn"]
    assert len(house.store.appends[-1].rows) == 2


async def test_unavailable_changes_nothing_and_the_same_move_works_later(house: TestHall) -> None:
    table, anna, bob = await game(house)
    house.store.script = [lambda _, done: done(NotWritten())]
    told = len(bob.told)
    assert isinstance(await house.ask(anna, table, Drop(3), "r1"), Unavailable)
    assert isinstance(await house.ask(bob, table, Drop(3)), NotYourTurn)
    assert len(bob.told) == told
    assert isinstance(await house.ask(anna, table, Drop(3), "r1"), Done)


@pytest.mark.parametrize("was_written", [True, False])
async def test_in_doubt_the_same_append_is_repeated_until_the_answer_is_definite(
    house: TestHall, was_written: bool
) -> None:
    table, anna, bob = await game(house)

    def in_doubt(append: Append, done: Callable[[Answer], None]) -> None:
        if was_written:
            house.store.really_append(append, lambda _: done(Unknown()))
        else:
            done(Unknown())

    house.store.script = [in_doubt, lambda _, done: done(Unknown())]
    answer = asyncio.create_task(house.ask(anna, table, Drop(3), "r1"))
    await until(lambda: not house.store.script)
    assert isinstance(await house.ask(bob, table, Drop(3)), Unavailable)
    done = await answer
    assert isinstance(done, Done)
    first, second, third = house.store.appends[-3:]
    assert first == second == third
    lines = await house.store.read(table, 0, 100)
    assert [line.seq for line in lines] == list(range(1, done.seq + 1))
    assert sum(isinstance(event, Dropped) for event in bob.events()) == 1


async def test_a_conflict_hands_the_request_to_whoever_owns_the_table_once(
    house: TestHall,
) -> None:
    table, anna, bob = await game(house)
    await house.store.claim(table)  # Someone else takes it over.
    assert isinstance(await house.ask(anna, table, Drop(3)), Done)
    assert [type(event) for event in bob.events()][-1] is Dropped
    house.store.script = [lambda _, done: done(Overtaken()) for _ in range(2)]
    assert isinstance(await house.ask(bob, table, Drop(3)), Unavailable)


async def test_a_request_sent_again_gets_the_same_answer_also_after_a_restart(
    house: TestHall,
) -> None:
    table, anna, _ = await game(house)
    first, second = await asyncio.gather(
        house.ask(anna, table, Drop(3), "r1"), house.ask(anna, table, Drop(3), "r1")
    )
    later = await house.ask(anna, table, Drop(3), "r1")
    other = await house.ask(anna, table, Drop(4), "r1", digest=b"other")
    assert isinstance(other, BadRequest)
    assert anna.online is not None
    player = anna.online.player.id
    await house.restart()
    request = Request(player, "r1", b"d")
    again = await answer_of(
        lambda reply: house.hall.rooms.tables.put(Ask(table, player, Drop(3), reply, request))
    )
    assert first == second == later == again
    assert isinstance(first, Done)


async def test_other_content_in_flight_is_refused(house: TestHall) -> None:
    table, anna, _ = await game(house)
    first, other = await asyncio.gather(
        house.ask(anna, table, Drop(3), "r1"), house.ask(anna, table, Drop(4), "r1", digest=b"x")
    )
    assert isinstance(first, Done)
    assert isinstance(other, BadRequest)


async def test_a_refusal_is_decided_anew(house: TestHall) -> None:
    table, anna, bob = await game(house)
    assert isinstance(await house.ask(bob, table, Drop(3), "r1"), NotYourTurn)
    assert isinstance(await house.ask(anna, table, Drop(3), "r1"), Done)
    assert isinstance(await house.ask(bob, table, Drop(3), "r1"), Done)


async def test_the_move_clock_is_enforced_and_a_stale_timer_is_not_heard(house: TestHall) -> None:
    table, anna, bob = await game(house, move_seconds=10)
    house.clock.advance(9_000)
    assert isinstance(await house.ask(anna, table, Drop(3)), Done)
    house.clock.advance(9_000)
    await house.settled(table)
    assert not any(isinstance(event, TimedOut) for event in bob.events())
    house.clock.advance(2_000)
    await until(lambda: any(isinstance(event, TimedOut) for event in anna.events()))
    ended = next(event for event in anna.events() if isinstance(event, h.RoundEnded))
    assert ended.outcome.winners == (0,)
    assert isinstance(await house.ask(bob, table, Drop(3)), Refused)


async def test_a_timer_is_not_lost_when_the_store_is_away(house: TestHall) -> None:
    _, anna, _ = await game(house, move_seconds=10)
    house.store.script = [lambda _, done: done(NotWritten()) for _ in range(2)]
    house.clock.advance(10_000)
    await until(lambda: len(house.store.script) == 1)
    house.clock.advance(1_000)
    await until(lambda: not house.store.script)
    async with asyncio.timeout(LIMIT_SECONDS):
        while not any(isinstance(event, TimedOut) for event in anna.events()):
            house.clock.advance(1_000)
            await asyncio.sleep(0.005)


async def test_after_a_restart_the_clock_waits_for_players_to_come_back(house: TestHall) -> None:
    table, *_ = await game(house, move_seconds=10)
    house.clock.advance(0)
    await house.stop()
    house.clock.advance(600_000)
    await house.start()
    await house.hall.rooms.tables.waking.wake_due()
    loaded = house.hall.rooms.tables.loaded(table)
    assert loaded is not None
    house.clock.advance(59_000)
    await house.settled(table)
    assert loaded.state.status == "playing"
    house.clock.advance(2_000)
    await until(lambda: loaded.state.status == "over")


class Faulty(ConnectFour):
    """Raises when a stone goes to column 6: while deciding, or while recording."""

    def decide(
        self, state: Any, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if isinstance(command, Drop) and command.column == 6:
            raise RuntimeError("a bug")
        return super().decide(state, seat, command, context)

    def apply(self, state: Any, event: Any) -> Any:
        if isinstance(event, Dropped) and event.column == 5:
            raise RuntimeError("another bug")
        return super().apply(state, event)


async def test_an_exception_harms_only_who_caused_it_and_the_third_closes_the_table(
    tmp_path: Path,
) -> None:
    house = TestHall(tmp_path, {"connect-four": Faulty()})
    await house.start()
    table, anna, bob = await game(house)
    other, carol, _ = await _another(house)
    fault, move = await asyncio.gather(
        house.ask(anna, table, Drop(5)), house.ask(anna, table, Drop(3))
    )
    assert isinstance(fault, Internal)
    assert isinstance(move, Done)
    for _ in range(FAULTS_MAX - 1):
        assert isinstance(await house.ask(bob, table, Drop(6)), Internal)
    await until(lambda: any(isinstance(event, h.Closed) for event in bob.events()))
    voided = next(event for event in bob.events() if isinstance(event, h.RoundVoided))
    assert voided.reason == "fault"
    assert isinstance(await house.ask(bob, table, Drop(0)), TableClosed)
    assert isinstance(await house.ask(carol, other, Drop(0)), Done)
    await house.stop()


class Unspeakable(ConnectFour):
    """Fails after a move was decided: when its timer is looked at, or when it is to be seen."""

    def timer(self, state: Any) -> Any:
        if state.last_column == 6:
            raise RuntimeError("no timer")
        return super().timer(state)

    def seen(self, event: Any, seat: int | None) -> Any:
        if isinstance(event, Dropped) and event.column == 5:
            raise RuntimeError("not seen")
        return event


async def test_rules_that_fail_around_the_write_leave_nobody_without_an_answer(
    tmp_path: Path,
) -> None:
    house = TestHall(tmp_path, {"connect-four": Unspeakable()})
    await house.start()
    table, anna, bob = await game(house)
    assert isinstance(await house.ask(anna, table, Drop(6)), Internal)
    assert isinstance(await house.ask(anna, table, Drop(5)), Done)
    assert isinstance(await house.ask(bob, table, Drop(4)), Done)
    await until(lambda: bob.told[-1][0].events)
    # The notice that could not be told shows as a gap.
    before, last = bob.told[-2][0], bob.told[-1][0]
    assert last.after == before.seq + 1
    await house.stop()


async def _another(house: TestHall) -> tuple[int, FakeLink, FakeLink]:
    carol, dan = await house.guest("carol"), await house.guest("dan")
    assert carol.online is not None
    assert dan.online is not None
    table = await house.hall.new_tables.open_match(
        (carol.online, dan.online), "connect-four", {}, drawn=False, rated=False, origin="u"
    )
    await until(lambda: house.hall.rooms.tables.loaded(table).state.status == "playing")  # type: ignore[union-attr]
    return table, carol, dan
