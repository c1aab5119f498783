"""Requests of earlier rounds, sent again: found in the journal, and never done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.errors import (
    BadRequest,
    Forgotten,
    HallError,
    Internal,
    NoSuchTable,
    NotYourTurn,
    Unavailable,
)
from gamehall.games.bingo import Deal, Ready
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Command, Context
from gamehall.games.sicbo_events import Bet, BetWindowClosed, RoundNotFound
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat import sent_again as requests
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.store.appends import Append, Overtaken, Request
from gamehall.table_log import house as h
from tests.hall.bingo_hall import BingoHall
from tests.hall.halls import FakeLink, TestHall, answer_of, until
from tests.support.waiting import WAIT_SECONDS

LOOKS = ("used_ids", "request", "request_between")


class Series:
    """Rounds of Connect Four between the same two, at one table."""

    def __init__(self, house: TestHall, table: int, players: list[int]) -> None:
        self.house = house
        self.table = table
        self.players = players
        self.requests = 0

    @classmethod
    async def begin(cls, house: TestHall) -> Series:
        links = [await house.guest(name) for name in ("anna", "bob")]
        table = await house.hall.rooms.tables.open("connect-four", {}, drawn=False)
        players = [link.online.player.id for link in links if link.online is not None]
        series = cls(house, table, players)
        for place, player in enumerate(players):
            person = h.Person(player, ("anna", "bob")[place])
            assert isinstance(await series.ask(place, h.Sit(person), f"sit {place}"), Done)
        return series

    def put(self, who: int, command: Command, id: str, digest: bytes = b"d") -> asyncio.Future[Any]:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        player = self.players[who]
        request = Request(player, id, digest)
        ask = Ask(self.table, player, command, answer.set_result, request)
        self.house.hall.rooms.tables.put(ask)
        return answer

    async def ask(self, who: int, command: Command, id: str, digest: bytes = b"d") -> Any:
        return await asyncio.wait_for(self.put(who, command, id, digest), WAIT_SECONDS)

    async def do(self, who: int, command: Command) -> Done:
        """With an id that nobody has used."""
        self.requests += 1
        answer = await self.ask(who, command, f"new {self.requests}")
        assert isinstance(answer, Done), answer
        return answer

    async def rounds(self, count: int) -> None:
        """So many are played and over, and the next has begun."""
        for _ in range(count):
            await self.do(0, Resign())
            await self.rematch()

    async def rematch(self) -> None:
        for who in (0, 1):
            await self.do(who, h.Rematch())

    async def restart(self) -> None:
        await self.house.restart()
        await self.house.hall.rooms.tables.load(self.table)

    @property
    def at(self) -> Table:
        table = self.house.hall.rooms.tables.loaded(self.table)
        assert isinstance(table, Table)
        return table

    @property
    def turn(self) -> int:
        """Whose turn it is, 0 or 1."""
        state: Any = self.at.state
        return next(who for who in (0, 1) if state.seat_of[self.players[who]] == state.game.turn)


@pytest.fixture
async def series(house: TestHall) -> Series:
    return await Series.begin(house)


def count_looks(house: TestHall, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the journal from now on."""
    looks: list[str] = []

    def counted(name: str, look: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def counting(*of: Any) -> Any:
            looks.append(name)
            return await look(*of)

        return counting

    for name in LOOKS:
        monkeypatch.setattr(house.store, name, counted(name, getattr(house.store, name)))
    return looks


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


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_resign_of_another_round_is_not_done_again(series: Series, restarts: bool) -> None:
    first = await series.ask(0, Resign(), "r1")
    assert isinstance(first, Done)
    for rounds in range(4):
        await series.rematch()
        if restarts:
            await series.restart()
        head = series.at.head
        assert await series.ask(0, Resign(), "r1") == first, rounds
        assert isinstance(await series.ask(0, Drop(3), "r1", b"other"), BadRequest)
        assert series.at.head == head
        # The ids of others are others.
        assert isinstance(await series.ask(1, Resign(), f"r1 {rounds}"), Done)


async def test_ids_are_known_also_when_their_round_leaves_memory(series: Series) -> None:
    await series.rounds(3)
    first = await series.ask(0, Resign(), "r1")
    for _ in range(3):
        await series.rematch()
        assert await series.ask(0, Resign(), "r1") == first
        await series.do(1, Resign())


async def test_the_seat_that_was_told(house: TestHall, series: Series) -> None:
    table = series.at
    sat = [table._requests.recent(Request(player, f"sit {who}", b"d")) for who, player in
           enumerate(series.players)]  # fmt: skip
    await series.rounds(3)
    await series.restart()
    for who, first in enumerate(sat):
        person = h.Person(series.players[who], ("anna", "bob")[who])
        assert first is not None
        assert first.seat == who
        assert await series.ask(who, h.Sit(person), f"sit {who}") == first


async def test_before_the_draw_no_seat_was_told(house: TestHall) -> None:
    series = Series(house, await house.hall.rooms.tables.open("connect-four", {}), [])
    people = []
    for name in ("anna", "bob"):
        online = (await house.guest(name)).online
        assert online is not None
        series.players.append(online.player.id)
        people.append(h.Person(online.player.id, name))
    sat = [await series.ask(who, h.Sit(person), "sit") for who, person in enumerate(people)]
    assert [done.seat is None for done in sat] == [True, False]
    await series.rounds(2)
    await series.restart()
    assert [await series.ask(who, h.Sit(person), "sit") for who, person in enumerate(people)] == sat


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


# Bets


async def place(
    house: TestHall, link: FakeLink, table: int, bet: Bet, digest: bytes = b"d",
    id: str = "1", by_round: bool = True,
) -> Any:  # fmt: skip
    assert link.online is not None
    player = link.online.player
    request = Request(player.id, id, digest, by_round)
    person = h.Person(player.id, player.name)
    return await answer_of(
        lambda reply: house.hall.rooms.tables.put(
            Ask(table, player.id, bet, reply, request, person)
        )
    )


async def sicbo(house: TestHall) -> tuple[FakeLink, int]:
    link = await house.guest("anna")
    table = await house.hall.house_tables.table("sicbo")
    await house.hall.seating.watch(link, table, None)
    return link, table


async def next_round(house: TestHall, table: int) -> None:
    """One timer after the other rings, until a round has just opened."""
    found = house.hall.rooms.tables.loaded(table)
    assert isinstance(found, Table)
    for _ in range(3):
        await until(lambda: found.alarm.due_ms is not None)
        head, due_ms = found.head, found.alarm.due_ms or 0
        house.clock.advance(max(due_ms - house.clock.now_ms(), 0))
        await until(lambda: found.head > head)  # noqa: B023


async def test_a_bets_id_counts_in_its_round(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, table = await sicbo(house)
    looks = count_looks(house, monkeypatch)
    bets = []
    for _ in range(4):
        bets.append(await place(house, anna, table, Bet("BIG", 10)))
        await next_round(house, table)
    assert len({bet.seq for bet in bets}) == 4
    assert [bet.round for bet in bets] == [1, 2, 3, 4]
    assert looks == []
    for number, first in enumerate(bets, start=1):
        bet = Bet("BIG", 10, number)
        assert await place(house, anna, table, bet) == first
        assert isinstance(await place(house, anna, table, bet, b"other"), BadRequest)
        assert isinstance(await place(house, anna, table, bet, id="2"), BetWindowClosed)
    for never in (-1, 0, 99):
        assert isinstance(await place(house, anna, table, Bet("BIG", 10, never)), RoundNotFound)
    assert set(looks) == {"request_between"}


async def test_a_bet_without_a_round_whose_id_counts_at_the_table(house: TestHall) -> None:
    anna, table = await sicbo(house)
    first = await place(house, anna, table, Bet("BIG", 10), by_round=False)
    # Of another round, and so another.
    for number in (2, 3):
        await next_round(house, table)
        assert isinstance(await place(house, anna, table, Bet("BIG", 10, number)), Done)
    await next_round(house, table)
    assert await place(house, anna, table, Bet("BIG", 10), by_round=False) == first
    assert await place(house, anna, table, Bet("BIG", 10, 1)) == first


async def test_bets_of_two_rounds_with_one_id_in_flight(house: TestHall) -> None:
    anna, table = await sicbo(house)
    first = await place(house, anna, table, Bet("BIG", 10))
    for _ in range(3):
        await next_round(house, table)
    old, new, same = await asyncio.gather(
        place(house, anna, table, Bet("BIG", 10, 1)),
        place(house, anna, table, Bet("BIG", 10, 4)),
        place(house, anna, table, Bet("BIG", 10)),
    )
    assert old == first
    assert new == same
    assert (new.round, new.seq > first.seq) == (4, True)


async def test_a_round_that_is_not_kept(house: TestHall, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, table = await sicbo(house)
    await place(house, anna, table, Bet("BIG", 10))
    for _ in range(3):
        await next_round(house, table)

    async def nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(house.store, "round_span", nothing)
    assert isinstance(await place(house, anna, table, Bet("BIG", 10, 1)), Forgotten)


async def test_a_table_that_is_not_kept(house: TestHall, series: Series) -> None:
    await series.ask(0, Resign(), "r1")
    await house.ask_hall(series.table, h.Close("test"))
    assert await house.store.forget(house.clock.now_ms() + 1, 10) == 1
    assert isinstance(await series.ask(0, Resign(), "r1"), Forgotten)
    series.table += 1
    assert isinstance(await series.ask(0, Resign(), "r1"), NoSuchTable)


async def test_what_is_only_noted_is_noted_once(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    anna = bingo.at["anna"]
    start = await house.ask(anna, bingo.id, Deal(), "start")
    await bingo.call()
    first = await house.ask(anna, bingo.id, Ready(), "ready")
    assert isinstance(first, Done)
    assert bingo.state.answered == {0}
    await bingo.ready("bob")
    await bingo.call()
    assert await house.ask(anna, bingo.id, Ready(), "ready") == first
    assert isinstance(await house.ask(anna, bingo.id, Ready(), "ready", b"other"), BadRequest)
    assert isinstance(await house.ask(anna, bingo.id, Ready(), "start", b"other"), BadRequest)
    assert bingo.state.answered == set()
    assert await house.ask(anna, bingo.id, Deal(), "start") == start
