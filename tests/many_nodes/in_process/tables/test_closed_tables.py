"""Tables that are looked at from several nodes, and then by nobody: none keeps them."""

from __future__ import annotations

from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Done
from gamehall.hall.people.notices import TableView
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import nodes
from tests.many_nodes.in_process.tables.test_tables import game

TABLES = 4


async def test_closed_tables_are_shown_at_any_node_and_stay_at_none() -> None:
    async with nodes(2) as (a, b):
        tables = []
        for _ in range(TABLES):
            table, anna, bob = await game(a, b)
            assert isinstance(await a.ask(anna, table, Resign()), Done)
            assert isinstance(await a.ask_hall(table, h.Close("finished")), Done)
            await until(
                lambda: (
                    not a.hall.rooms.tables.all_loaded() and not b.hall.rooms.tables.all_loaded()
                )
            )
            for node, link in ((b, bob), (a, anna), (b, bob)):
                view = await node.hall.seating.resume(link, table, 1)
                assert isinstance(view, TableView)
                assert view.status == "closed"
            tables.append(table)
        for node in (a, b):
            assert not node.hall.rooms.tables.all_loaded()
            assert not any(node.hall.rooms.tables.followers.of(table) for table in tables)
            node.hall.rooms.audiences.forget_unknown(node.hall.rooms.tables.is_known)
            assert not node.hall.rooms.audiences._audiences


async def test_a_table_is_let_go_though_its_follower_could_not_say_that_it_left() -> None:
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open("connect-four", {})
        link = await b.guest("bob")
        await b.hall.seating.watch(link, table, None)
        await until(lambda: bool(a.hall.rooms.tables.followers.of(table)))
        b.bus.loses = frozenset({"unfollow"})
        b.hall.seating.unwatch(link, table)
        b.hall._housekeeping.let_go_idle()
        assert b.hall.rooms.tables.loaded(table) is None
        assert b.bus.lost == 1
        b.bus.loses = frozenset()

        def is_let_go() -> bool:
            a.hall._housekeeping.let_go_idle()
            return a.hall.rooms.tables.loaded(table) is None

        await until(is_let_go)


async def test_who_comes_back_to_an_idle_table_that_had_to_stay_needs_it_again() -> None:
    """Else it would not be found again when its node loses it, and its player would miss rows."""
    async with nodes(2) as (a, b):
        anna, bob = FakeLink(), await b.guest("bob")
        token = (await a.hall.people.hello(anna, "anna", None)).token
        table = await a.hall.rooms.tables.open("connect-four", {})
        await a.sit(anna, table)
        await b.sit(bob, table)
        a.hall.people.disconnected(anna)
        a.hall._housekeeping.let_go_idle()
        assert a.owns(table), "bob's node follows it"
        await a.hall.people.hello(FakeLink(), None, token)
        assert a.hall.rooms.is_needed(table)
