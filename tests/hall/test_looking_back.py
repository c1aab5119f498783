"""What a request costs and waits for while the journal is asked whether it was answered before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.errors import (
    HallError,
    Internal,
    NotYourTurn,
    Unavailable,
)
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Context
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat import sent_again as requests
from gamehall.hall.beat.requests import Ask, Done
from gamehall.store.appends import Append, Overtaken, Request
from gamehall.table_log import house as h
from tests.hall.halls import TestHall, answer_of, until
from tests.hall.series import Series, count_looks


class Held:
    """The journal does not answer until it is let."""

    def __init__(self, house: TestHall, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.answers: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        look = house.store.used_ids

        async def held(*of: Any) -> Any:
            self.asked += 1
            await self.answers
            return await look(*of)

        monkeypatch.setattr(house.store, "used_ids", held)


async def test_new_requests_cost_one_look_at_the_journal_for_each_player(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count_looks(house, monkeypatch)
    await series.rounds(1)
    assert looks == []  # All there is, is in memory.
    await series.rounds(5)
    assert looks == ["used_ids"] * 2
    await series.restart()
    looks = count_looks(house, monkeypatch)
    await series.rounds(5)
    assert looks == ["used_ids"] * 2


async def test_one_with_many_ids_is_looked_up_each_time(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "IDS_MAX", 3)
    monkeypatch.setattr("gamehall.hall.beat.recalling.IDS_MAX", 3)
    first = await series.ask(0, Resign(), "r1")
    await series.rematch()
    await series.rounds(3)
    looks = count_looks(house, monkeypatch)
    await series.rounds(1)
    assert looks == ["request"] * 2
    assert await series.ask(0, Resign(), "r1") == first


async def test_ids_of_many_players_are_read_again(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ALL_IDS_MAX", 2)
    first = await series.ask(0, Resign(), "r1")
    await series.rematch()
    await series.rounds(3)
    assert await series.ask(0, Resign(), "r1") == first


async def test_what_a_player_asks_waits_behind_what_is_looked_up(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    await series.rounds(2)
    await series.restart()
    held = Held(house, monkeypatch)
    who = series.turn
    move = series.put(who, Drop(0), "move")
    again = series.put(who, Drop(0), "move")
    later = series.put(who, Resign(), "resign")
    await until(lambda: held.asked == 1)
    # Others do not wait behind it, though their own are looked up too.
    house.hall.rooms.tables.put(Ask(series.table, series.players[1 - who], Drop(1), (
        other := asyncio.get_running_loop().create_future()).set_result))  # fmt: skip
    assert isinstance(await other, NotYourTurn)
    assert not series.at.idle
    late = series.put(who, Drop(6), "too late")
    assert not any(each.done() for each in (move, again, later, late))
    held.answers.set_result(None)
    answers = await asyncio.gather(move, again, later, late)
    assert [isinstance(each, Done) for each in answers] == [True, True, True, False]
    assert answers[0] == answers[1]
    assert answers[0].seq + 1 == answers[2].seq
    assert held.asked == 1
    assert series.at.idle


async def test_what_was_looked_up_comes_before_what_was_asked_meanwhile(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    await series.rounds(2)
    await series.restart()
    held = Held(house, monkeypatch)
    who = series.turn
    move = series.put(who, Drop(0), "move")
    await until(lambda: held.asked == 1)
    writing: list[Callable[[], None]] = []
    house.store.script.append(
        lambda append, done: writing.append(lambda: house.store.really_append(append, done))
    )
    options = asyncio.ensure_future(house.ask_hall(series.table, h.SetOptions({})))
    await until(lambda: writing)
    later = series.put(who, Resign(), "resign")
    held.answers.set_result(None)
    await until(lambda: series.at._recalling.count == 0)
    writing[0]()
    answers = [await options, await move, await later]
    assert [answer.seq - answers[0].seq for answer in answers] == [0, 1, 2]
    times = [msgspec.json.decode(line.line)["at_ms"] for line in
             await house.store.read(series.table, 0, 1000)]  # fmt: skip
    assert times == sorted(times)


async def test_if_the_journal_cannot_be_read_nothing_is_done(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await series.ask(0, Resign(), "r1")
    await series.rematch()
    await series.rounds(1)
    await series.restart()
    head = series.at.head
    with monkeypatch.context() as away:

        async def out_of_reach(*_: Any) -> list[str]:
            raise Unavailable

        away.setattr(house.store, "used_ids", out_of_reach)
        for id in ("r1", "one never sent before"):
            assert isinstance(await series.ask(0, Resign(), id), Unavailable)
    assert series.at.head == head
    assert await series.ask(0, Resign(), "r1") == first


async def test_a_fault_while_looking_back_is_answered(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    await series.rounds(2)
    await series.restart()

    async def broken(*_: Any) -> list[str]:
        raise ZeroDivisionError

    with monkeypatch.context() as away:
        away.setattr(house.store, "used_ids", broken)
        answer = await series.ask(0, Resign(), "r1")
        assert isinstance(answer, HallError)
        assert answer.code == "internal"
    assert isinstance(await series.ask(0, Resign(), "r1"), Done)


async def test_what_waits_goes_to_the_new_owner(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    await series.rounds(2)
    await series.restart()
    held = Held(house, monkeypatch)
    who, before = series.turn, series.at
    move = series.put(who, Drop(0), "move")
    again = series.put(who, Drop(0), "move")
    later = series.put(who, Resign(), "resign")
    await until(lambda: held.asked == 1)

    def conflict(append: Append, done: Callable[[Any], None]) -> None:
        asyncio.get_running_loop().call_soon(done, Overtaken())

    house.store.script.append(conflict)
    closing = asyncio.ensure_future(house.ask_hall(series.table, h.SetOptions({})))
    await until(lambda: held.asked == 2)
    assert before.gone
    held.answers.set_result(None)
    answers = await asyncio.gather(move, again, later)
    assert [isinstance(each, Done) for each in answers] == [True, True, True]
    assert answers[0] == answers[1]
    assert isinstance(await closing, (Done, HallError))


async def test_what_waits_when_the_hall_stops_is_told_that_it_is_not_known(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    await series.rounds(2)
    await series.restart()
    held = Held(house, monkeypatch)
    move = series.put(series.turn, Drop(0), "move")
    await until(lambda: held.asked == 1)
    stopping = asyncio.ensure_future(house.hall.stop())
    await until(lambda: series.at.gone)
    held.answers.set_result(None)
    assert isinstance(await move, Unavailable)
    await stopping


async def test_a_round_that_leaves_memory_while_it_is_read_is_not_missed(
    house: TestHall, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rounds pass while a player's ids are read, in which it has used another id elsewhere."""
    await series.rounds(2)
    await series.restart()
    table = series.at
    look, played = house.store.used_ids, False

    async def slow(*of: Any) -> Any:
        nonlocal played
        ids = await look(*of)
        if not played:
            played = True
            table._requests.next_round(table._requests.round + 1)
            table._requests.next_round(table._requests.round + 1)
        return ids

    looks: list[Any] = []

    async def counted(*of: Any) -> Any:
        looks.append(of)
        return await slow(*of)

    monkeypatch.setattr(house.store, "used_ids", counted)
    await series.ask(0, Drop(0), "move")
    assert len(looks) == 2


class Faulty(ConnectFour):
    def decide(self, state: Any, seat: int | None, command: Any, context: Context) -> Any:
        if isinstance(command, Drop) and command.column == 6:
            raise RuntimeError("a bug")
        return super().decide(state, seat, command, context)


async def test_a_fault_in_the_beat_takes_nothing_up_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = TestHall(tmp_path, {"connect-four": Faulty()})
    await house.start()
    series = await Series.begin(house)
    await series.rounds(2)
    await series.restart()
    held = Held(house, monkeypatch)
    who = series.turn
    replies: list[Any] = []
    request = Request(series.players[1 - who], "waits", b"d")
    resign = Ask(series.table, request.player, Resign(), replies.append, request)
    house.hall.rooms.tables.put(resign)
    fault = answer_of(
        lambda reply: house.hall.rooms.tables.put(
            Ask(series.table, series.players[who], Drop(6), reply)
        )
    )
    assert isinstance(await fault, Internal)
    assert held.asked == 1
    await until(lambda: series.at._inbox == [])
    held.answers.set_result(None)
    await until(lambda: replies)
    await series.rematch()
    assert [type(reply) for reply in replies] == [Done]
    assert held.asked == 2
    await house.stop()
