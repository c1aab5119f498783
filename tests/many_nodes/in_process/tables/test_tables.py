"""Tables that reach over nodes: what the bus loses, owners that go, releases that differ."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from gamehall.errors import HallError, NotYourTurn, Unavailable
from gamehall.games import GAMES
from gamehall.games.connect_four import ConnectFour, Drop, Dropped, NoSuchColumn
from gamehall.games.game import Event
from gamehall.hall.beat.deciding import Decider
from gamehall.hall.beat.requests import Done
from gamehall.hall.beat.table import Table
from gamehall.hall.people.notices import TableView
from gamehall.hall.tables.replica import Replica
from gamehall.store.journals import Line
from gamehall.store.nodes import Renewed
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, nodes


async def game(a: NodeHall, b: NodeHall) -> tuple[int, FakeLink, FakeLink]:
    """A game at `a`'s table; who moves first, at `a`, and the other, at `b`."""
    anna, bob = await a.guest("anna"), await b.guest("bob")
    table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
    await a.sit(anna, table)
    await b.sit(bob, table)
    return table, anna, bob


def columns(link: FakeLink) -> list[int]:
    return [event.column for event in link.events() if isinstance(event, Dropped)]


async def test_players_at_two_nodes_play_one_game_in_one_order() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        assert isinstance(a.hall.rooms.tables.loaded(table), Table)
        assert isinstance(b.hall.rooms.tables.loaded(table), Replica)
        assert isinstance(await b.ask(bob, table, Drop(3)), NotYourTurn)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        answer = await b.ask(bob, table, Drop(4))
        assert isinstance(answer, Done)
        # When the answer is there, so is what it names.
        replica = b.hall.rooms.tables.loaded(table)
        assert replica is not None
        assert replica.head == answer.seq
        await until(lambda: columns(anna) == columns(bob) == [3, 4])
        owner = a.hall.rooms.tables.loaded(table)
        assert owner is not None
        assert (replica.head, replica.hash) == (owner.head, owner.hash)


async def test_a_relayed_request_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        sent: list[bytes] = []
        send = b.bus.send

        def keep(to: str, message: bytes) -> None:
            sent.append(message)
            send(to, message)

        monkeypatch.setattr(b.bus, "send", keep)
        assert isinstance(await b.ask(bob, table, Drop(4)), Done)
        asked = [said for said in map(msgspec.json.decode, sent) if said[0] == "ask"]
        assert [body[3] for _, body, _ in asked] == [{"type": "drop", "column": 4}]


@pytest.mark.parametrize("column", [7, 2**63, 2**64, -(2**64), 10**400])
async def test_a_number_of_any_size_is_refused_as_at_the_owner(column: int) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        answer = await b.ask(bob, table, Drop(column))
        assert isinstance(answer, NoSuchColumn)


@pytest.mark.parametrize("lost", [{"rows"}, {"rows", "follows"}])
async def test_rows_that_the_bus_loses_are_read_from_the_journal(lost: set[str]) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset(lost)
        # The last message of all: no gap shows that it is missing.
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        await until(lambda: columns(bob) == [3])
        # An answer that names a row which has not come.
        assert isinstance(await b.ask(bob, table, Drop(4)), Done)
        assert columns(bob) == [3, 4]


async def test_an_answer_that_the_bus_loses_is_asked_for_again_by_its_request() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        await a.ask(anna, table, Drop(3))
        a.bus.loses = frozenset({"answer"})
        asking = asyncio.ensure_future(b.ask(bob, table, Drop(4), "r1"))
        await until(lambda: columns(anna) == [3, 4])
        a.bus.loses = frozenset()
        answer = await asking
        assert isinstance(answer, Done)
        await until(lambda: columns(bob) == [3, 4])
        # Without a request nobody knows whether it was done: it is not sent twice.
        a.bus.loses = frozenset({"answer"})
        await a.ask(anna, table, Drop(0))
        assert isinstance(await b.ask(bob, table, Drop(1)), Unavailable)
        await until(lambda: columns(anna) == [3, 4, 0, 1])


async def test_a_dead_nodes_table_goes_on_at_another_which_tells_what_was_missed() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({"rows"})
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        await a.crash()
        answer = await b.ask(bob, table, Drop(4), "r1")
        assert isinstance(answer, Done)
        assert isinstance(b.hall.rooms.tables.loaded(table), Table)
        assert columns(bob) == [3, 4]


async def test_a_planned_stop_hands_tables_over_at_once() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        await a.ask(anna, table, Drop(3))
        stopping = asyncio.ensure_future(a.stop())
        answer = await b.ask(bob, table, Drop(4), "r1")
        assert isinstance(answer, Done)
        await stopping
        await until(lambda: isinstance(b.hall.rooms.tables.loaded(table), Table))


async def test_a_node_whose_lease_ran_out_asks_whoever_owns_its_tables_by_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        await a.ask(anna, table, Drop(3))

        async def out_of_reach(node: str, lease_ms: int) -> Renewed:
            raise Unavailable

        renew = a.database.renew
        monkeypatch.setattr(a.database, "renew", out_of_reach)
        await until(lambda: isinstance(b.hall.rooms.tables.loaded(table), Table))
        assert isinstance(await b.ask(bob, table, Drop(4)), Done)
        assert not isinstance(a.hall.rooms.tables.loaded(table), Table)
        monkeypatch.setattr(a.database, "renew", renew)
        await until(lambda: isinstance(a.hall.rooms.tables.loaded(table), Replica))
        assert isinstance(await a.ask(anna, table, Drop(5), "r1"), Done)
        await until(lambda: columns(anna) == columns(bob) == [3, 4, 5])


async def test_an_owner_that_wakes_up_after_its_lease_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table, anna, _ = await game(a, b)
        owner = a.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        # Nothing has run here since long before the lease ended: not even the alarm for that.
        a.hall.rooms.nodes._lease_until = 0.001
        decided: list[object] = []
        monkeypatch.setattr(Decider, "decide", lambda *how: decided.append(how))
        assert isinstance(await a.ask(anna, table, Drop(3)), HallError)
        assert not decided
        assert owner.gone


async def test_who_comes_back_at_a_node_that_lags_is_shown_no_older_state() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({"rows"})
        answer = await a.ask(anna, table, Drop(3))
        assert isinstance(answer, Done)
        replica = b.hall.rooms.tables.loaded(table)
        assert replica is not None
        assert replica.head < answer.seq
        # It has seen the move through another connection.
        await b.hall.seating.resume(bob, table, answer.seq)
        assert replica.head == answer.seq


async def test_who_comes_back_and_knows_half_of_a_notice_is_told_nothing_twice() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({"rows"})
        known = await a.ask(anna, table, Drop(3))
        assert isinstance(known, Done)
        last = await a.ask(bob, table, Drop(4))
        assert isinstance(last, Done)
        # The node reads both moves at once, and bob has seen the first through another connection.
        assert isinstance(await b.hall.seating.resume(bob, table, known.seq), TableView)
        assert bob.told[-1][0].seq == last.seq
        # Who has seen neither of them is told both.
        missed = await b.hall.seating.resume(bob, table, known.seq - 1)
        assert isinstance(missed, list)
        assert [told.seq for told in missed] == [last.seq]


async def test_who_has_seen_more_than_a_node_can_read_is_shown_no_older_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({"rows"})

        async def out_of_reach(*_: object) -> list[Line]:
            raise Unavailable

        monkeypatch.setattr(b.database, "read", out_of_reach)
        answer = await a.ask(anna, table, Drop(3))
        assert isinstance(answer, Done)
        with pytest.raises(Unavailable):
            await b.hall.seating.resume(bob, table, answer.seq)


async def test_rows_that_come_twice_are_told_once() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        await until(lambda: columns(bob) == [3])
        replica = b.hall.rooms.tables.loaded(table)
        assert isinstance(replica, Replica)
        rows = await b.database.read(table, 0, 100)
        assert list(replica.follows(rows)) == []
        new = Line(replica.head + 1, b"", None)
        assert list(replica.follows([*rows, new])) == [new]


class Wobbled(Event, frozen=True):
    """What only a newer release knows."""


class NewerConnectFour(ConnectFour):
    events = (*ConnectFour.events, Wobbled)  # type: ignore[assignment]

    def decide(self, state, seat, command, context):  # type: ignore[no-untyped-def]
        return [*super().decide(state, seat, command, context), Wobbled()]

    def apply(self, state, event):  # type: ignore[no-untyped-def]
        return state if isinstance(event, Wobbled) else super().apply(state, event)


async def test_a_node_does_not_own_tables_whose_events_it_does_not_know() -> None:
    newer = {game.name: game for game in GAMES} | {"connect-four": NewerConnectFour()}
    async with nodes(1, games=newer) as (a,):
        anna, bob = await a.guest("anna"), await a.guest("bob")
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await a.sit(anna, table)
        await a.sit(bob, table)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        old = NodeHall(a._url, a._prefix)
        await old.start()
        try:
            await a.crash()
            await until(lambda: len(old.hall.rooms.nodes.live) == 1)
            with pytest.raises(HallError):
                await old.hall.rooms.tables.load(table)
            await old.gives_up(table)
        finally:
            await old.stop()


async def test_fields_and_commands_that_are_unknown_are_skipped() -> None:
    async with nodes(1) as (a,):
        codec = a.hall.rooms.tables.kind("connect-four").codec
        line = msgspec.json.encode(
            {
                "table": 1, "seq": 9, "round": 1, "at_ms": 5, "seat": 0, "fresh": 1,
                "command": {"type": "wobble", "hard": True},
                "events": [{"type": "left", "seat": 0, "reason": "left", "mood": "sour"}],
            }
        )  # fmt: skip
        row = codec.read(line)
        assert row.events[0].reason == "left"


async def test_clocks_that_differ_are_set_by_the_databases() -> None:
    async with nodes(1, wrong_by_ms=3_600_000) as (late,):
        right = NodeHall(late._url, late._prefix, wrong_by_ms=-3_600_000)
        await right.start()
        try:
            assert abs(late.hall.clock.now_ms() - right.hall.clock.now_ms()) < 60_000
        finally:
            await right.stop()
