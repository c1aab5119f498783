"""Who comes to a node that cannot reach its table is let in, and is bound by its seat there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gamehall.errors import NotFree, Unavailable
from gamehall.hall.beat.requests import Done
from gamehall.hall.people.notices import NotBegun, Seated, TableView
from gamehall.table_log.house import Leave
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME


class Game:
    """Anna plays bob at `a`'s table, and comes to `b`, which cannot load it."""

    def __init__(self, a: NodeHall, b: NodeHall, monkeypatch: pytest.MonkeyPatch) -> None:
        self._a, self._b = a, b
        self._patch = monkeypatch
        self._find = b.hall.rooms.tables.finder.find
        self.first, self.anna = FakeLink(), FakeLink()

    async def begin(self) -> None:
        async def out_of_reach(*_: Any) -> Any:
            raise Unavailable

        a = self._a
        welcome = await a.hall.people.hello(self.first, "anna", None)
        self.table = await a.hall.rooms.tables.open(GAME, {}, drawn=False)
        await a.sit(self.first, self.table)
        await a.sit(await a.guest("bob"), self.table)
        self._patch.setattr(self._b.hall.rooms.tables.finder, "find", out_of_reach)
        await self._b.hall.people.hello(self.anna, None, welcome.token)
        assert self._b.hall.rooms.tables.loaded(self.table) is None

    def in_reach(self) -> None:
        self._patch.setattr(self._b.hall.rooms.tables.finder, "find", self._find)


async def test_who_plays_at_a_table_out_of_reach_is_not_brought_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        game = Game(a, b, monkeypatch)
        await game.begin()
        with pytest.raises(NotFree):
            await b.hall.lobby.seek(me(game.anna), GAME, {}, rated=False)
        # The lead hears of it, whatever it knows by itself.
        await until(lambda: [each.free for each in me(game.first).elsewhere.values()] == [False])
        await b.hall.rooms.table_talk._look_up_seats()
        assert me(game.anna).busy == {game.table}
        game.in_reach()
        await b.hall.rooms.table_talk._look_up_seats()
        assert me(game.anna).seated == {game.table: 0}
        assert isinstance(await b.ask(game.anna, game.table, Leave()), Done)
        await until(lambda: me(game.anna).free)


async def test_a_seat_out_of_reach_that_is_given_up_binds_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        game = Game(a, b, monkeypatch)
        await game.begin()
        assert isinstance(await a.ask(game.first, game.table, Leave()), Done)
        assert me(game.anna).busy == {game.table}
        await b.hall.rooms.table_talk._look_up_seats()
        assert not me(game.anna).busy
        await until(lambda: me(game.anna).free)


async def test_a_seat_out_of_reach_binds_also_when_the_wait_for_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        game = Game(a, b, monkeypatch)
        await game.begin()
        anna, rooms = me(game.anna), b.hall.rooms
        rooms.holds.hold([anna.player.id], "pair:x", a.bus.node)
        long_ago = rooms.clock.now_ms() - 60_000
        rooms.holds.opened([anna.player.id], "pair:x", game.table, long_ago)
        await until(lambda: game.anna.of(NotBegun))
        assert anna.busy == {game.table}


async def test_what_was_found_while_seats_were_looked_up_is_newer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        game = Game(a, b, monkeypatch)
        store = b.hall.rooms.store
        seats_of = store.seats_of

        async def with_a_login_meanwhile(players: Sequence[int]) -> Any:
            found = await seats_of(players)
            await game.begin()
            return found

        await b.guest("somebody")
        monkeypatch.setattr(store, "seats_of", with_a_login_meanwhile)
        await b.hall.rooms.table_talk._look_up_seats()
        assert me(game.anna).busy == {game.table}


async def test_every_connection_is_told_of_a_seat_that_another_login_finds() -> None:
    async with nodes(2) as (a, b):
        first, other, second = FakeLink(), FakeLink(), FakeLink()
        welcome = await b.hall.people.hello(first, "anna", None)
        table = await a.hall.rooms.tables.open(GAME, {}, drawn=False)
        await a.hall.people.hello(other, None, welcome.token)
        await until(lambda: me(other).elsewhere and me(first).elsewhere)
        a.bus.loses = frozenset({"seated"})
        await a.sit(other, table)
        await a.sit(await a.guest("bob"), table)
        await b.hall.people.hello(second, None, welcome.token)
        assert [seated.table for seated in first.of(Seated)] == [table]
        assert [view.table for view in first.of(TableView)] == [table]
