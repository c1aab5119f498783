"""What a fault of one game, one table or one moment must not do to anyone else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import Internal, NameTaken, TableClosed, TooMany, Unavailable
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.two_in_turn import OfferDraw, Resign, TimedOut
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.sent_again import JOINED_MAX
from gamehall.hall.beat.table import Table
from gamehall.hall.people.notices import PlayerBack, Seated, TableView
from gamehall.hall.seats.new_tables import TABLES_MAX
from gamehall.store.appends import NotWritten, Request
from gamehall.table_log import house as h
from tests.games.toys import HighCard
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_seating import me, opened, running, sit
from tests.hall.test_table import game


async def test_a_fork_that_fails_is_answered_and_the_third_closes_the_table(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, anna, bob = await game(house)
    with monkeypatch.context() as broken:
        broken.setattr(ConnectFour, "fork", lambda self, state: 1 / 0)
        assert isinstance(await house.ask(anna, table, Drop(3), "r1"), Internal)
    assert isinstance(await house.ask(anna, table, Drop(3), "r1"), Done)
    monkeypatch.setattr(ConnectFour, "fork", lambda self, state: 1 / 0)
    for _ in range(2):
        assert isinstance(await house.ask(bob, table, Drop(3)), Internal)
    await until(lambda: any(isinstance(event, h.Closed) for event in bob.events()))
    assert isinstance(await house.ask(bob, table, Drop(3)), TableClosed)


async def test_a_view_that_fails_stops_neither_the_clock_nor_the_next_request(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    with monkeypatch.context() as broken:
        broken.setattr(ConnectFour, "view", lambda self, state, seat: 1 / 0)
        table = await house.hall.new_tables.open_match(
            (me(anna), me(bob)),
            "connect-four",
            {"move_seconds": 5},
            drawn=False,
            rated=False,
            origin="v",
        )
        await until(lambda: any(isinstance(event, h.Started) for event in bob.events()))
    assert isinstance(await house.ask(anna, table, Drop(3)), Done)
    house.clock.advance(6_000)
    await until(lambda: any(isinstance(event, TimedOut) for event in anna.events()))


async def test_a_timer_that_gave_way_to_what_was_not_written_rings_again(house: TestHall) -> None:
    table, anna, _ = await game(house, move_seconds=10)
    answers: list[Any] = []
    house.store.script = [lambda _, done: done(NotWritten())]
    house.hall.rooms.tables.put(Ask(table, me(anna).player.id, OfferDraw(), answers.append))
    house.clock.advance(10_000)
    await until(lambda: answers)
    assert isinstance(answers[0], Unavailable)
    loaded = house.hall.rooms.tables.loaded(table)
    assert isinstance(loaded, Table)
    await until(lambda: loaded.alarm.due_ms is not None)
    house.clock.advance(0)
    await until(lambda: any(isinstance(event, TimedOut) for event in anna.events()))


async def test_a_game_that_is_gone_keeps_nobody_out(tmp_path: Path) -> None:
    first = TestHall(tmp_path, {"connect-four": ConnectFour(), "other": _Renamed()})
    await first.start()
    link = FakeLink()
    welcome = await first.hall.people.hello(link, "anna", None)
    table = (
        await first.hall.new_tables.open_table(
            me(link), "other", {}, private=False, bots=(), request=None
        )
    ).table
    await sit(first, link, table)
    await first.stop()
    second = TestHall(tmp_path)
    await second.start()
    assert (
        await second.hall.people.hello(FakeLink(), None, welcome.token)
    ).player == welcome.player
    await second.stop()


class _Renamed(ConnectFour):
    name = "other"


async def test_a_table_at_which_only_bots_wait_closes(house: TestHall) -> None:
    anna = await house.guest("anna")
    unclaimed = await opened(house, anna, bots=("random",))
    left = await opened(house, anna, bots=("random",), options={"length": 4})
    tables = [house.hall.rooms.tables.loaded(table) for table in (unclaimed, left)]
    await until(lambda: all(t is not None and t.state and t.state.chairs for t in tables))
    house.clock.advance(31_000)
    await until(lambda: all(t is not None and t.state and t.state.closed for t in tables))
    assert not me(anna).opened


async def test_opening_tables_without_sitting_down_is_limited(house: TestHall) -> None:
    anna = await house.guest("anna")
    for _ in range(TABLES_MAX):
        await opened(house, anna)
    with pytest.raises(TooMany):
        await opened(house, anna)
    house.clock.advance(31_000)
    await until(lambda: not me(anna).opened)
    await opened(house, anna)


async def test_watching_tables_that_close_does_not_use_up_the_limit(house: TestHall) -> None:
    table, anna, bob = await running(house)
    eve = await house.guest("eve")
    await house.hall.seating.watch(eve, table, None)
    await house.ask(anna, table, Resign())
    await house.ask(anna, table, h.Leave())
    await house.ask(bob, table, h.Leave())
    await until(lambda: any(isinstance(event, h.Closed) for event in eve.events()))
    assert not eve.watching


async def test_who_sits_down_in_a_running_round_is_shown_it(tmp_path: Path) -> None:
    house = TestHall(tmp_path, {HighCard.name: HighCard()})
    await house.start()
    links = [await house.guest(name) for name in ("anna", "bob", "carol")]
    opened_table = await house.hall.new_tables.open_table(
        me(links[0]), HighCard.name, {"least": 2}, private=False, bots=(), request=None
    )
    table = opened_table.table
    for link in links:
        assert isinstance(await sit(house, link, table), Done)
    await until(lambda: links[2].of(TableView))
    assert links[2].of(TableView)[-1].status == "playing"
    assert not links[2].of(Seated)
    await house.stop()


async def test_after_a_restart_the_others_hear_who_is_back(house: TestHall) -> None:
    links = [FakeLink(), FakeLink()]
    tokens = [(await house.hall.people.hello(link, None, None)).token for link in links]
    await house.hall.new_tables.open_match(
        (me(links[0]), me(links[1])), "connect-four", {}, drawn=False, rated=False, origin="r"
    )
    await until(lambda: all(link.of(Seated) for link in links))
    await house.restart()
    back = [FakeLink(), FakeLink()]
    for link, token in zip(back, tokens, strict=True):
        await house.hall.people.hello(link, None, token)
    assert back[0].of(PlayerBack)
    assert not back[1].of(PlayerBack)


async def test_a_challenge_that_ran_out_while_it_was_accepted_is_over(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    id = await house.hall.challenges.challenge(me(anna), me(bob).player.id, "connect-four", {})
    held: list[Any] = []
    house.store.script = [lambda _, done: held.append(done)]
    accepting = asyncio.create_task(house.hall.challenges.accept(me(bob), id))
    await until(lambda: held)
    house.clock.advance(61_000)
    held[0](NotWritten())
    with pytest.raises(Unavailable):
        await accepting
    await house.hall.challenges.challenge(me(anna), me(bob).player.id, "connect-four", {})


async def test_wanting_a_rematch_twice_changes_nothing(house: TestHall) -> None:
    table, anna, _ = await running(house)
    await house.ask(anna, table, Resign())
    first = await house.ask(anna, table, h.Rematch())
    second = await house.ask(anna, table, h.Rematch())
    assert isinstance(first, Done)
    assert second == Done(table, first.seq, first.seat)


async def test_a_request_repeated_too_often_in_flight_is_unavailable(house: TestHall) -> None:
    table, anna, _ = await game(house)
    held: list[Any] = []
    house.store.script = [lambda append, done: held.append((append, done))]
    answers: list[Any] = []
    player = me(anna).player.id
    for _ in range(JOINED_MAX + 2):
        request = Request(player, "r", b"d")
        house.hall.rooms.tables.put(Ask(table, player, Drop(3), answers.append, request))
    await until(lambda: held)
    assert [type(answer) for answer in answers] == [Unavailable]
    house.store.really_append(*held[0])
    await until(lambda: len(answers) == JOINED_MAX + 2)
    assert len(set(answers[1:])) == 1


async def test_a_wrong_password_at_register_is_known_as_a_failed_login(house: TestHall) -> None:
    await house.hall.people.register(FakeLink(), "anna", "secret1")
    with pytest.raises(NameTaken) as refused:
        await house.hall.people.register(FakeLink(), "anna", "guessed")
    assert refused.value.__cause__ is not None
