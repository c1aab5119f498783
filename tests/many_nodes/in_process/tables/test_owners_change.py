"""Owners that change at an awkward moment, and what becomes of people and requests then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

import gamehall.hall.tables.relay as relay
from gamehall.errors import HallError, Unavailable
from gamehall.games import GAMES
from gamehall.games.connect_four import Drop
from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import Bet
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.hall.tables.replica import Replica
from gamehall.store.appends import Answer, Append, Request
from gamehall.store.journals import Line
from gamehall.store.nodes import Claim, Owned, Renewed
from gamehall.table_log.house import Person, Void
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, nodes
from tests.many_nodes.in_process.tables.test_tables import NewerConnectFour, columns, game
from tests.store.postgres_server import peek
from tests.support.waiting import WAIT_SECONDS


def player_of(link: FakeLink) -> int:
    assert link.online is not None
    return link.online.player.id


async def test_who_sits_down_before_its_presence_is_heard_of_still_counts_as_dropped() -> None:
    async with nodes(2) as (a, b):
        anna = await a.guest("anna")
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await a.sit(anna, table)
        await b.hall.rooms.tables.load(table)
        bob = await b.guest("bob")
        # At once, while what is told of those who come is still gathered.
        b.hall.rooms.presence.flush = lambda: None  # type: ignore[method-assign]
        await b.sit(bob, table)
        seats = a.hall.rooms.players.online
        await until(lambda: player_of(bob) in seats and table in seats[player_of(bob)].seated)
        dropped = seats[player_of(bob)]
        b.hall.people.disconnected(bob)
        await until(lambda: dropped.alarm is not None)


async def test_who_comes_back_elsewhere_after_the_owner_died_still_counts_as_dropped() -> None:
    async with nodes(3) as (a, b, c):
        anna, bob = await a.guest("anna"), await a.guest("bob")
        assert anna.online is not None
        player = anna.online.player
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await a.sit(anna, table)
        await a.sit(bob, table)
        await a.crash()
        await until(lambda: len(b.hall.rooms.nodes.live) == 2)
        await b.hall.rooms.tables.load(table)
        owner, other = (b, c) if b.hall.rooms.tables.owned(table) else (c, b)
        await until(lambda: owner.hall.rooms.tables.owned(table))
        back = FakeLink()
        other.hall.rooms.players.attach(back, player)
        assert back.online is not None
        await other.hall.rooms.attendance.come_back(back.online, back)
        seats = owner.hall.rooms.players.online
        await until(lambda: player.id in seats and table in seats[player.id].seated)
        gone = seats[player.id]
        other.hall.people.disconnected(back)
        await until(lambda: gone.alarm is not None)


async def test_a_node_lets_go_of_a_table_that_a_newer_release_has_written_to() -> None:
    newer = {each.name: each for each in GAMES} | {"connect-four": NewerConnectFour()}
    async with nodes(1, games=newer) as (a,):
        old = NodeHall(a._url, a._prefix)
        await old.start()
        try:
            await until(lambda: len(a.hall.rooms.nodes.live) == 2)
            table, anna, _ = await game(a, old)
            replica = old.hall.rooms.tables.loaded(table)
            assert isinstance(replica, Replica)
            assert isinstance(await a.ask(anna, table, Drop(3)), Done)
            await until(lambda: replica.gone and not old.hall.rooms.tables.is_loading(table))
            assert old.hall.rooms.tables.loaded(table) is None
            await a.crash()
            await until(lambda: len(old.hall.rooms.nodes.live) == 1)
            with pytest.raises(HallError):
                await old.hall.rooms.tables.load(table)
            await old.gives_up(table)
        finally:
            await old.stop()


async def test_an_answer_that_only_a_newer_release_knows_is_given_up() -> None:
    newer = {each.name: each for each in GAMES} | {"connect-four": NewerConnectFour()}
    async with nodes(1, games=newer) as (a,):
        old = NodeHall(a._url, a._prefix)
        await old.start()
        try:
            await until(lambda: len(a.hall.rooms.nodes.live) == 2)
            table, bob, anna = await game(old, a)
            del bob, anna
            await old.hall.rooms.tables.load(table)
            carl, dora = await old.guest("carl"), await a.guest("dora")
            second = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
            await old.sit(carl, second)
            await a.sit(dora, second)
            assert isinstance(await old.ask(carl, second, Drop(3)), Unavailable)
        finally:
            await old.stop()


async def test_rows_read_for_a_replica_that_is_gone_are_told_by_whatever_follows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({"rows"})
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        replica = b.hall.rooms.tables.loaded(table)
        assert isinstance(replica, Replica)
        read, claim = b.database.read, b.database.claim
        begun, goes_on = asyncio.Event(), asyncio.Event()

        async def slow_read(id: int, after: int, limit: int) -> list[Line]:
            lines = await read(id, after, limit)
            begun.set()
            await goes_on.wait()
            return lines

        async def late_claim(id: int, node: str = "") -> Claim | Owned | None:
            goes_on.set()
            await until(lambda: replica not in b.hall.rooms.tables.relay._catching_up)
            return await claim(id, node)

        monkeypatch.setattr(b.database, "read", slow_read)
        monkeypatch.setattr(b.database, "claim", late_claim)
        b.hall.rooms.tables.relay.catch_up(replica)
        await begun.wait()
        b.hall.rooms.tables.lose(replica)
        await until(lambda: columns(bob) == [3])


async def test_a_bet_sent_again_by_the_hall_is_not_placed_in_the_next_round_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No other way to hear of it than the answer.
    monkeypatch.setattr(relay, "HEAL_SECONDS", 60.0)
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open(SicBo.name, {"pause_seconds": 0})
        anna, bob = await a.guest("anna"), await b.guest("bob")
        await a.hall.seating.watch(anna, table, None)
        await b.hall.seating.watch(bob, table, None)
        owner = a.hall.rooms.tables.loaded(table)
        assert isinstance(owner, Table)
        assert bob.online is not None
        player = bob.online.player
        request = Request(player.id, "r1", b"d")
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        a.bus.loses = frozenset({"answer", "rows"})
        who = Person(player.id, player.name)
        b.hall.rooms.tables.put(
            Ask(table, player.id, Bet("BIG", 100), answer.set_result, request, who)
        )
        await until(lambda: owner._requests.recent(request) is not None)
        first = owner._requests.recent(request)
        assert first is not None
        assert isinstance(await a.ask_hall(table, Void("test")), Done)
        await until(lambda: player.id not in owner.state.seat_of)
        a.bus.loses = frozenset({"rows"})
        done = await asyncio.wait_for(answer, WAIT_SECONDS)
        assert isinstance(done, Done)
        assert done.seq == first.seq


async def test_a_table_that_is_let_go_with_the_lease_is_found_again_by_its_owner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        anna, bob = await b.guest("anna"), await b.guest("bob")
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await b.sit(anna, table)
        await b.sit(bob, table)
        # So short that no other node has noticed.
        a.hall.rooms.nodes._lease_until = 0.001
        a.hall.rooms.nodes.lapse()
        assert a.hall.rooms.tables.loaded(table) is None
        a.hall.rooms.nodes._lease_until = 0.0
        await a.hall.rooms.nodes._renew()
        await until(lambda: a.hall.rooms.tables.owned(table) or b.hall.rooms.tables.owned(table))
        assert isinstance(await b.ask(anna, table, Drop(3)), Done)


async def test_what_was_written_as_the_lease_ran_out_is_answered_before_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(1) as (a,):
        anna, bob = await a.guest("anna"), await a.guest("bob")
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await a.sit(anna, table)
        await a.sit(bob, table)
        append, heard = a.database.append, len(anna.events())
        unheard: list[tuple[Callable[[Answer], None], Answer]] = []

        def answers_late(what: Append, done: Callable[[Answer], None]) -> None:
            append(what, lambda answer: unheard.append((done, answer)))

        monkeypatch.setattr(a.database, "append", answers_late)
        answers: list[tuple[object, int]] = []
        request = Request(player_of(anna), "r1", b"d")
        for _ in ("sent", "and sent again while it is written"):
            a.hall.rooms.tables.put(
                Ask(
                    table,
                    player_of(anna),
                    Drop(3),
                    lambda answer: answers.append((answer, len(anna.events()) - heard)),
                    request,
                )
            )
        await until(lambda: unheard)
        monkeypatch.setattr(a.database, "append", append)
        a.hall.rooms.nodes._lease_until = 0.001
        a.hall.rooms.nodes.lapse()
        a.hall.rooms.nodes._lease_until = 0.0
        await a.hall.rooms.nodes._renew()
        await until(lambda: len(anna.events()) > heard)
        for done, said in unheard:
            done(said)
        await until(lambda: len(answers) == 2)
        for answer, told_before in answers:
            assert isinstance(answer, Done)
            assert told_before == 0


async def test_a_table_that_was_claimed_before_the_lease_ran_out_is_not_owned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(3) as (a, b, c):
        table = await b.hall.rooms.tables.open("connect-four", {}, drawn=False)
        await b.stop()
        read, mine, other = a.database.read, a.hall.rooms.nodes, c.hall.rooms.nodes.name

        async def lapses_meanwhile(id: int, after: int, limit: int) -> list[Line]:
            monkeypatch.setattr(a.database, "read", read)
            mine._lease_until = 0.001
            mine.lapse()
            await peek(
                a._url, "UPDATE tables SET epoch = epoch + 1, owner = $2 WHERE id = $1", id, other
            )
            await mine._renew()
            return await read(id, after, limit)

        monkeypatch.setattr(a.database, "read", lapses_meanwhile)
        found = await a.hall.rooms.tables.load(table)
        assert isinstance(found, Replica)
        assert found.node == other


async def test_nothing_is_left_of_tables_that_nobody_here_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(1) as (a,):
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        assert table in a.hall.rooms.audiences._audiences

        async def out_of_reach(node: str, lease_ms: int) -> Renewed:
            raise Unavailable

        monkeypatch.setattr(a.database, "renew", out_of_reach)
        await until(lambda: a.hall.rooms.tables.loaded(table) is None)
        assert table not in a.hall.rooms.audiences._audiences


async def test_a_name_that_its_player_gave_up_at_another_node_is_free() -> None:
    async with nodes(2) as (a, b):
        anna = await a.guest("anna")
        await until(lambda: player_of(anna) in b.hall.rooms.players.online)
        await a.hall.people.register(anna, "bertha", "a long password")
        await until(lambda: b.hall.rooms.players.online[player_of(anna)].player.name == "bertha")
        other = await b.guest("anna")
        assert other.online is not None
        assert other.online.player.name == "anna"


async def test_tables_of_a_game_that_not_every_node_has_are_taken_over_by_one_that_has() -> None:
    async with nodes(2) as (a, b):
        without = NodeHall(a._url, a._prefix, {each.name: each for each in GAMES[1:]})
        await without.start()
        try:
            await until(lambda: len(b.hall.rooms.nodes.live) == 3)
            tables = [await a.hall.rooms.tables.open(GAMES[0].name, {}) for _ in range(4)]
            await a.crash()
            await until(lambda: all(b.hall.rooms.tables.owned(table) for table in tables))
        finally:
            await without.stop()


async def test_every_room_hears_of_a_node_that_is_gone_though_others_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        rooms = b.hall.rooms
        within = (*vars(rooms).values(), rooms.tables.followers, rooms.tables.relay)
        listeners = [each for each in (*within, rooms.front.desk) if hasattr(each, "node_gone")]
        listeners.remove(rooms.exchange)  # It is told first, by the node itself.
        heard: list[tuple[object, str]] = []
        for each in listeners:

            def fail(node: str, each: object = each) -> None:
                heard.append((each, node))
                raise ValueError(node)

            monkeypatch.setattr(each, "node_gone", fail)
        await a.crash()
        gone = a.hall.rooms.nodes.name
        await until(lambda: len(heard) == len(listeners))
        assert {id(each) for each, _ in heard} == {id(each) for each in listeners}
        assert {node for _, node in heard} == {gone}
        until_then = rooms.nodes._lease_until
        await until(lambda: rooms.nodes._lease_until > until_then)


async def test_a_fault_of_a_door_keeps_no_table_when_the_lease_is_out() -> None:
    async with nodes(1) as (a,):
        tables = [await a.hall.rooms.tables.open("connect-four", {}) for _ in range(3)]

        def fail(_: object) -> None:
            raise ValueError

        for table in tables:
            a.hall.rooms.tables.put(Ask(table, 99, Drop(3), fail, remote=True))
        a.hall.rooms.nodes._lease_until = 0.001
        a.hall.rooms.tables._beats._beat_all()
        assert not any(a.hall.rooms.tables.owned(table) for table in tables)


async def test_a_fault_of_a_door_keeps_nobody_from_the_rows_at_another_node() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        replica = b.hall.rooms.tables.loaded(table)

        def fail(_: object) -> None:
            raise ValueError

        b.hall.rooms.tables.put(Ask(table, player_of(bob), Drop(4), fail))
        await until(lambda: columns(bob) == [3, 4])
        assert b.hall.rooms.tables.loaded(table) is replica


async def test_who_resumes_while_a_table_is_lost_sees_no_older_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({"rows"})
        done = await a.ask(anna, table, Drop(3))
        assert isinstance(done, Done)
        replica = b.hall.rooms.tables.loaded(table)
        assert isinstance(replica, Replica)
        read = b.database.read

        async def read_as_it_is_lost(id: int, after: int, limit: int) -> list[Line]:
            monkeypatch.setattr(b.database, "read", read)
            b.hall.rooms.tables.lose(replica)
            return await read(id, after, limit)

        monkeypatch.setattr(b.database, "read", read_as_it_is_lost)
        assert await b.hall.rooms.seating.resume(bob, table, done.seq) == []
