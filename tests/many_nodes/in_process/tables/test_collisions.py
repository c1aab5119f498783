"""What falls into one moment at two nodes: rows and requests of several rounds, new owners."""

from __future__ import annotations

import asyncio

import pytest

import gamehall.hall.tables.relay as relay
from gamehall.errors import HallError
from gamehall.games.connect_four import Drop, Dropped
from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import Bet
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.hall.tables.replica import Replica
from gamehall.store.appends import Request
from gamehall.table_log.house import Person, Void
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, nodes
from tests.many_nodes.in_process.tables.test_balance import handed_over
from tests.many_nodes.in_process.tables.test_tables import game


def person(link: FakeLink) -> Person:
    assert link.online is not None
    return Person(link.online.player.id, link.online.player.name)


def asked(hall: NodeHall, table: int, who: Person, bet: Bet, content: bytes) -> list[Done]:
    """The answers to a bet with an id that counts in its round, as at `rfc`."""
    answers: list[Done] = []

    def answered(answer: Done | HallError) -> None:
        assert isinstance(answer, Done), answer
        answers.append(answer)

    request = Request(who.player, "=1", content, by_round=True)
    hall.hall.rooms.tables.put(Ask(table, who.player, bet, answered, request, who))
    return answers


@pytest.mark.parametrize("reaches_the_owner", [False, True])
async def test_a_row_answers_only_who_asked_in_its_round(
    monkeypatch: pytest.MonkeyPatch, reaches_the_owner: bool
) -> None:
    monkeypatch.setattr(relay, "HEAL_SECONDS", 60.0)
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open(SicBo.name, {"betting_seconds": 600})
        anna, eve, zoe = await b.guest("anna"), await b.guest("eve"), await a.guest("zoe")
        for hall, link in ((a, zoe), (b, anna), (b, eve)):
            await hall.hall.seating.watch(link, table, None)
        owner, replica = a.hall.rooms.tables.loaded(table), b.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        assert isinstance(replica, Replica)
        a.bus.loses = frozenset({"rows", "answer"})
        first = asked(a, table, person(anna), Bet("BIG", 10), b"BIG 10")
        await until(lambda: first)
        assert isinstance(await a.ask_hall(table, Void("test")), Done)
        await until(lambda: owner.state.opened.round == 2)
        if not reaches_the_owner:
            b.bus.loses = frozenset({"ask"})
        content = b"SMALL 5" if reaches_the_owner else b"BIG 10"
        bet = Bet("SMALL", 5, round=2) if reaches_the_owner else Bet("BIG", 10, round=2)
        second = asked(b, table, person(anna), bet, content)
        if reaches_the_owner:
            await until(lambda: owner.state.seat_of)
        told = len(eve.told)
        await b.hall.rooms.tables.relay.read_on(replica)
        assert replica.head == owner.head
        assert [answer.round for answer in second] == ([2] if reaches_the_owner else [])
        assert len(eve.told) > told


async def test_rows_that_cannot_be_applied_leave_a_replica_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        owner, replica = a.hall.rooms.tables.loaded(table), b.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        assert isinstance(replica, Replica)
        await until(lambda: replica.head == owner.head)
        a.bus.loses = frozenset({"rows"})
        before = (replica.head, replica.hash, replica.round_seq)
        for column, link in enumerate((anna, bob, anna)):
            ask = asyncio.get_running_loop().create_future()
            player = person(link).player
            a.hall.rooms.tables.put(Ask(table, player, Drop(column), ask.set_result))
            assert isinstance(await ask, Done)
        lines = await b.database.read(table, replica.head, 100)
        rules = replica.kind.rules
        apply = rules.apply

        def fails_at_the_second(state: object, event: object) -> object:
            if isinstance(event, Dropped) and event.column == 1:
                raise ZeroDivisionError
            return apply(state, event)  # type: ignore[arg-type]

        monkeypatch.setattr(rules, "apply", fails_at_the_second)
        with pytest.raises(ZeroDivisionError):
            replica.take(lines)
        assert (replica.head, replica.hash, replica.round_seq) == before


async def test_who_owns_a_table_does_not_receive_it_again() -> None:
    async with nodes(2) as (a, _):
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        owner = a.hall.rooms.tables.loaded(table)
        a.hall.rooms.tables.receive(table, 0)
        assert not a.hall.rooms.tables.is_loading(table)
        assert a.hall.rooms.tables.loaded(table) is owner


async def test_a_table_just_taken_over_has_people_until_the_others_have_told() -> None:
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open(SicBo.name, {"betting_seconds": 600})
        zoe = await a.guest("zoe")
        await a.hall.seating.watch(zoe, table, None)
        b.hall.rooms.audiences.watched_elsewhere = lambda *_: None  # type: ignore[method-assign]
        await handed_over(a, b, table)
        await until(lambda: b.hall.rooms.tables.owned(table))
        owner = b.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        assert not b.hall.rooms.has_people(table)
        assert b.hall.rooms.tables.needs(owner)
