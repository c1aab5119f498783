"""Tables: open, sit, draw, watch, leave, drop and come back, rematch, bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from gamehall.errors import (
    BadOptions,
    BadRequest,
    NoSuchBot,
    NoSuchTable,
    NotSeated,
    RateLimited,
    Refused,
    SeatsDrawn,
    TableFull,
    TooMany,
    Unavailable,
    WrongKey,
)
from gamehall.games.connect_four import Drop
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Done
from gamehall.hall.people.credentials import new_token
from gamehall.hall.people.notices import PlayerBack, PlayerDropped, Said, Seated, TableView
from gamehall.hall.people.online import Online
from gamehall.store.appends import Answer, Append, Request
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, until
from tests.support.waiting import WAIT_SECONDS


def me(link: FakeLink) -> Online:
    assert link.online is not None
    return link.online


async def opened(house: TestHall, link: FakeLink, **how: Any) -> int:
    how = {"private": False, "bots": (), "request": None, **how}
    options = how.pop("options", {})
    return (await house.hall.new_tables.open_table(me(link), "connect-four", options, **how)).table


async def sit(
    house: TestHall, link: FakeLink, table: int, seat: int | None = None, key: str | None = None
) -> Any:
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    await house.hall.seating.sit(link, me(link), table, seat, key, None, future.set_result)
    return await asyncio.wait_for(future, WAIT_SECONDS)


async def test_the_draw_assigns_the_seats_when_the_second_sits_down(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    begins = set()
    for _ in range(12):
        table = await opened(house, anna)
        first = await sit(house, anna, table)
        assert isinstance(first, Done)
        assert isinstance(await sit(house, bob, table, seat=1), SeatsDrawn)
        second = await sit(house, bob, table)
        assert isinstance(second, Done)
        await until(lambda: anna.of(Seated) and bob.of(Seated))
        seats = {anna.of(Seated)[-1].seat, bob.of(Seated)[-1].seat}
        assert seats == {0, 1}
        assert second.seat == bob.of(Seated)[-1].seat
        begins.add(anna.of(Seated)[-1].seat)
        await house.ask(anna, table, h.Leave())
        await until(lambda: not me(anna).busy and not me(bob).busy)
    assert begins == {0, 1}


async def test_the_commitment_is_durable_and_told_before_anyone_sits(house: TestHall) -> None:
    anna = await house.guest("anna")
    table = await opened(house, anna)
    watcher = await house.guest("watcher")
    await house.hall.seating.watch(watcher, table, None)
    await house.hall.seating.send_view(watcher, table)
    view = watcher.of(TableView)[-1]
    assert (view.status, view.seq, len(view.commitment)) == ("waiting", 1, 64)
    lines = await house.store.read(table, 0, 10)
    assert view.commitment in lines[0].line.decode()


async def test_a_seat_is_reserved_for_who_opens_and_lapses(house: TestHall) -> None:
    anna, bob, carol = [await house.guest(name) for name in ("anna", "bob", "carol")]
    table = await opened(house, anna)
    assert isinstance(await sit(house, bob, table), Done)
    assert isinstance(await sit(house, carol, table), TableFull)
    house.clock.advance(31_000)
    await until(lambda: any(isinstance(e, h.ReservationsLapsed) for e in bob.events()))
    assert isinstance(await sit(house, carol, table), Done)
    empty = await opened(house, anna)
    house.clock.advance(31_000)
    loaded = house.hall.rooms.tables.loaded(empty)
    assert loaded is not None
    await until(lambda: loaded.state.closed == "no_show")


async def test_sitting_again_answers_the_same_and_shows_the_table(house: TestHall) -> None:
    anna = await house.guest("anna")
    table = await opened(house, anna)
    first = await sit(house, anna, table)
    views = len(anna.of(TableView))
    second = await sit(house, anna, table)
    assert isinstance(first, Done)
    assert (second.seq, second.seat, second.events) == (first.seq, first.seat, ())
    assert len(anna.of(TableView)) == views + 1


async def test_a_private_table_needs_its_key(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await house.hall.new_tables.open_table(
        me(anna), "connect-four", {}, private=True, bots=(), request=None
    )
    assert isinstance(await sit(house, anna, table.table), Done)
    for key in (None, "wrong", ""):
        with pytest.raises(WrongKey):
            await sit(house, bob, table.table, key=key)
        with pytest.raises(WrongKey):
            await house.hall.seating.watch(bob, table.table, key)
    assert isinstance(await sit(house, bob, table.table, key=table.key), Done)
    listed = await house.store.tables(game=None, status=None, private=False, after=0, limit=10)
    assert not listed


async def test_opening_again_with_the_same_request_gives_the_same_table(house: TestHall) -> None:
    anna = await house.guest("anna")
    request = Request(me(anna).player.id, "r1", b"a")
    table = await opened(house, anna, request=request, private=True)
    assert await opened(house, anna, request=request, private=True) == table
    with pytest.raises(BadRequest):
        await opened(house, anna, request=Request(request.player, "r1", b"b"))


async def test_what_cannot_be_opened(house: TestHall) -> None:
    anna = await house.guest("anna")
    with pytest.raises(BadOptions):
        await opened(house, anna, options={"columns": 99})
    with pytest.raises(BadOptions):
        await opened(house, anna, options={"colums": 7})
    with pytest.raises(NoSuchBot):
        await opened(house, anna, bots=("perfect",))
    with pytest.raises(TooMany):
        await opened(house, anna, bots=("random", "random"))
    with pytest.raises(NoSuchTable):
        await sit(house, anna, 4711)
    assert isinstance(await house.ask(anna, 4711, Drop(0)), NoSuchTable)


def _may_move(table: KnownTable, seat: int) -> bool:
    return table.state.over or table.state.game.turn == seat


async def test_a_bot_sits_down_and_plays_to_the_end(house: TestHall) -> None:
    anna = await house.guest("anna")
    table = await opened(house, anna, bots=("sensible",))
    await sit(house, anna, table)
    await until(lambda: anna.of(Seated))
    loaded = house.hall.rooms.tables.loaded(table)
    assert loaded is not None
    for move in range(60):
        state = loaded.state
        assert state is not None
        if state.status == "over":
            break
        seat = state.seat_of[me(anna).player.id]
        await until(partial(_may_move, loaded, seat))
        await house.ask(anna, table, Drop(move % 7))
    assert loaded.state.status == "over"
    assert isinstance(await house.ask(anna, table, h.Rematch()), Done)
    await until(lambda: loaded.state.opened.round == 2)


async def running(house: TestHall) -> tuple[int, FakeLink, FakeLink]:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await house.hall.new_tables.open_match(
        (me(anna), me(bob)), "connect-four", {}, drawn=False, rated=False, origin="m"
    )
    await until(lambda: anna.of(Seated) and bob.of(Seated))
    return table, anna, bob


async def test_who_drops_keeps_the_seat_and_who_comes_back_in_time_goes_on(
    house: TestHall,
) -> None:
    table, anna, bob = await running(house)
    token, digest = new_token()
    await house.store.add_token(me(anna).player.id, digest, 0)
    house.hall.people.disconnected(anna)
    assert bob.of(PlayerDropped)[-1].seconds == 60
    house.clock.advance(59_000)
    back = FakeLink()
    await house.hall.people.hello(back, None, token)
    assert bob.of(PlayerBack)
    house.clock.advance(10_000)
    assert isinstance(await house.ask(back, table, Drop(3)), Done)


async def test_who_stays_away_loses_after_the_grace_time(house: TestHall) -> None:
    _, anna, bob = await running(house)
    house.hall.people.disconnected(anna)
    house.clock.advance(61_000)
    await until(lambda: any(isinstance(e, h.RoundEnded) for e in bob.events()))
    ended = next(e for e in bob.events() if isinstance(e, h.RoundEnded))
    assert ended.outcome.winners == (1,)
    left = next(e for e in bob.events() if isinstance(e, h.Left))
    assert left.reason == "dropped"


async def test_leaving_loses_at_once_and_frees_both(house: TestHall) -> None:
    table, anna, bob = await running(house)
    assert isinstance(await house.ask(anna, table, h.Leave()), Done)
    await until(lambda: any(isinstance(e, h.RoundEnded) for e in bob.events()))
    assert me(anna).free
    assert me(bob).free
    assert isinstance(await house.ask(anna, table, Drop(0)), NotSeated)


async def test_spectators_see_all_of_it_and_cannot_act(house: TestHall) -> None:
    table, anna, bob = await running(house)
    eve = await house.guest("eve")
    assert await house.hall.seating.watch(eve, table, None) is None
    await house.ask(anna, table, Drop(3))
    await until(lambda: eve.told)
    assert eve.events() == anna.events()[-1:]
    assert isinstance(await house.ask(eve, table, Drop(3)), NotSeated)
    house.hall.seating.unwatch(eve, table)
    await house.ask(bob, table, Drop(3))
    assert len(eve.told) == 1
    with pytest.raises(NotSeated):
        await house.hall.seating.send_view(eve, table)


async def test_resume_gives_what_was_missed_or_a_view(house: TestHall) -> None:
    table, anna, bob = await running(house)
    loaded = house.hall.rooms.tables.loaded(table)
    assert loaded is not None
    head = loaded.head
    await house.ask(anna, table, Drop(3))
    await house.ask(bob, table, Drop(3))
    missed = await house.hall.seating.resume(anna, table, head)
    assert isinstance(missed, list)
    assert [told.seq for told in missed] == [head + 1, head + 2]
    assert await house.hall.seating.resume(anna, table, head + 2) == []
    assert isinstance(await house.hall.seating.resume(anna, table, 0), list)
    await house.restart()
    link = FakeLink()
    player = await house.store.player(1)
    assert player is not None
    house.hall.rooms.players.attach(link, player)
    await house.hall.rooms.attendance.come_back(me(link), link)
    assert isinstance(await house.hall.seating.resume(link, table, head), TableView)


async def test_a_rematch_needs_both_and_swaps_the_seats(house: TestHall) -> None:
    table, anna, bob = await running(house)
    assert isinstance(await house.ask(anna, table, h.Rematch()), Refused)
    await house.ask(anna, table, Resign())
    assert isinstance(await house.ask(anna, table, h.Rematch()), Done)
    assert isinstance(await house.ask(bob, table, h.Rematch()), Done)
    await until(lambda: len(anna.of(Seated)) == 2)
    assert anna.of(Seated)[-1].seat == 1
    assert isinstance(await house.ask(anna, table, Drop(0)), Refused)
    assert isinstance(await house.ask(bob, table, Drop(0)), Done)
    history = await house.store.history(game=None, player=None, before=None, limit=10)
    assert [item.reason for item in history] == ["resigned"]


async def test_a_table_closes_when_nobody_wants_a_rematch(house: TestHall) -> None:
    table, anna, bob = await running(house)
    await house.ask(anna, table, Resign())
    house.clock.advance(121_000)
    await until(lambda: any(isinstance(e, h.Closed) for e in bob.events()))
    info = await house.store.table(table)
    assert info is not None
    assert info.status == "closed"
    assert not me(anna).seated


async def test_chat_reaches_all_at_the_table_and_is_rate_limited(house: TestHall) -> None:
    table, anna, bob = await running(house)
    for n in range(5):
        house.hall.seating.say(anna, me(anna), table, f"hello {n}")
    assert [said.text for said in bob.of(Said)] == [f"hello {n}" for n in range(5)]
    with pytest.raises(RateLimited):
        house.hall.seating.say(anna, me(anna), table, "more")
    house.clock.advance(11_000)
    house.hall.seating.say(anna, me(anna), table, "later")
    eve = await house.guest("eve")
    with pytest.raises(NotSeated):
        house.hall.seating.say(eve, me(eve), table, "hi")


async def test_idle_tables_are_let_go_and_come_back_whole(house: TestHall) -> None:
    table, anna, bob = await running(house)
    await house.ask(anna, table, Drop(3))
    house.hall.rooms.tables.evict(lambda _: False)
    assert house.hall.rooms.tables.loaded(table) is None
    assert isinstance(await house.ask(bob, table, Drop(3)), Done)
    loaded = house.hall.rooms.tables.loaded(table)
    assert loaded is not None
    await until(lambda: sum(len(told.events) for told, _ in anna.told) >= 2)


async def test_who_is_gone_before_the_seat_is_written_loses_it_after_the_grace_time(
    house: TestHall,
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    # It returns when the table is there, and before anyone sits.
    await house.hall.new_tables.open_match(
        [me(anna), me(bob)], "connect-four", {}, drawn=True, rated=False, origin="pair:1"
    )
    house.hall.people.disconnected(bob)
    await until(lambda: anna.of(Seated))
    house.clock.advance(61_000)
    await until(lambda: any(isinstance(e, h.RoundEnded) for e in anna.events()))


async def test_who_saw_more_elsewhere_than_is_known_here_to_be_written_is_to_ask_again(
    house: TestHall,
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await opened(house, anna)
    await sit(house, anna, table)
    written: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    told: list[Callable[[Answer], None]] = []

    def write_and_wait(append: Append, done: Callable[[Answer], None]) -> None:
        told.append(done)
        house.store.really_append(append, written.set_result)

    house.store.script.append(write_and_wait)
    sits = asyncio.create_task(sit(house, bob, table))
    answer = await written
    after = (await house.hall.reading.table(table, None)).head
    with pytest.raises(Unavailable):
        await house.hall.seating.resume(anna, table, after)
    told[0](answer)
    await sits
    assert await house.hall.seating.resume(anna, table, after) == []
    assert isinstance(await house.hall.seating.resume(anna, table, after + 1), TableView)
