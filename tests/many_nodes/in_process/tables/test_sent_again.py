"""Requests sent again rounds later, at another node or to another owner: done once, as before."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import Bet
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.hall.tables import relay
from gamehall.store.appends import Request
from gamehall.table_log.house import Person, Rematch, Void
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, nodes
from tests.support.waiting import WAIT_SECONDS


async def test_a_resign_is_known_at_every_node_and_to_every_owner() -> None:
    async with nodes(2) as (a, b):
        anna, bob = await a.guest("anna"), await b.guest("bob")
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await a.sit(anna, table)
        await b.sit(bob, table)
        first = await b.ask(bob, table, Resign(), "r1")
        assert isinstance(first, Done)
        for number in range(3):
            for hall, link in ((a, anna), (b, bob)):
                assert isinstance(await hall.ask(link, table, Rematch(), f"again {number}"), Done)
            assert await b.ask(bob, table, Resign(), "r1") == first
            assert isinstance(await a.ask(anna, table, Resign(), f"a{number}"), Done)
        await a.crash()
        assert await b.ask(bob, table, Resign(), "r1") == first
        owner = b.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        assert owner.state.opened.round == 4


async def place(hall: NodeHall, link: FakeLink, table: int, bet: Bet) -> asyncio.Future[Any]:
    assert link.online is not None
    player = link.online.player
    answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    request = Request(player.id, "1", b"d", by_round=True)
    who = Person(player.id, player.name)
    hall.hall.rooms.tables.put(Ask(table, player.id, bet, answer.set_result, request, who))
    return answer


async def next_round(a: NodeHall, table: int) -> None:
    owner = a.hall.rooms.tables.loaded(table)
    assert isinstance(owner, Table)
    round = owner.state.opened.round
    assert isinstance(await a.ask_hall(table, Void("test")), Done)
    await until(lambda: owner.state.opened.round > round)


async def test_a_bet_of_an_older_round_at_every_node() -> None:
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open(SicBo.name, {})
        anna, bob = await a.guest("anna"), await b.guest("bob")
        await a.hall.seating.watch(anna, table, None)
        await b.hall.seating.watch(bob, table, None)
        first = await (await place(b, bob, table, Bet("BIG", 10)))
        assert isinstance(first, Done)
        for number in (2, 3):
            await next_round(a, table)
            again = await (await place(b, bob, table, Bet("BIG", 10)))
            assert isinstance(again, Done)
            assert again.round == number
            assert await (await place(b, bob, table, Bet("BIG", 10, 1))) == first
        await a.crash()
        assert await (await place(b, bob, table, Bet("BIG", 10, 1))) == first


async def test_a_bet_that_the_hall_sends_again_is_found_some_rounds_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No other way to hear of it than the answer.
    monkeypatch.setattr(relay, "HEAL_SECONDS", 60.0)
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open(SicBo.name, {})
        anna, bob = await a.guest("anna"), await b.guest("bob")
        await a.hall.seating.watch(anna, table, None)
        await b.hall.seating.watch(bob, table, None)
        owner = a.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        head = owner.head
        a.bus.loses = frozenset({"answer", "rows"})
        answer = await place(b, bob, table, Bet("BIG", 10))
        await until(lambda: owner.head > head)
        for _ in range(2):
            await next_round(a, table)
        a.bus.loses = frozenset({"rows"})
        done = await asyncio.wait_for(answer, WAIT_SECONDS)
        assert isinstance(done, Done)
        assert (done.seq, done.round) == (head + 1, 1)


async def test_rows_that_come_with_the_next_round_are_of_the_round_before() -> None:
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open(SicBo.name, {})
        anna, bob = await a.guest("anna"), await b.guest("bob")
        await a.hall.seating.watch(anna, table, None)
        await b.hall.seating.watch(bob, table, None)
        a.bus.loses = frozenset({"rows", "follows"})
        first = await (await place(a, anna, table, Bet("BIG", 10)))
        await next_round(a, table)
        await a.crash()
        await until(lambda: isinstance(b.hall.rooms.tables.loaded(table), Table))
        # The new owner has taken both rounds at once; the id counts in each of them.
        again = await (await place(b, anna, table, Bet("BIG", 10)))
        assert isinstance(again, Done)
        assert (again.round, again.seq > first.seq) == (2, True)
        assert await (await place(b, anna, table, Bet("BIG", 10, 1))) == first
