"""Guests who come to different nodes get different names: the lead gives them out."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from gamehall.errors import Unavailable
from gamehall.hall.people import guests
from gamehall.store.people import Player
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import LEASE_SECONDS, NodeHall, me, nodes


async def hello(node: NodeHall, address: str) -> str:
    return (await node.hall.people.hello(FakeLink(address), "Ada", None)).player.name


async def named(node: NodeHall, address: str) -> str:
    return (await node.hall.people.named_guest(FakeLink(address), "caller", "Ada")).player.name


async def test_guests_who_come_to_three_nodes_in_the_same_moment_get_a_name_each() -> None:
    async with nodes(3) as halls:
        coming = [
            come(node, f"192.0.2.{place}")
            for place, node in enumerate(halls * 4)
            for come in (hello, named)
        ]
        names = await asyncio.gather(*coming)
        assert sorted(names) == sorted(["Ada", *(f"Ada{n}" for n in range(2, len(names) + 1))])


async def test_a_name_is_free_again_when_its_guest_has_gone() -> None:
    async with nodes(2) as (a, b):
        for _ in range(3):
            link = await b.guest("Ada")
            assert me(link).player.name == "Ada"
            b.hall.people.disconnected(link)
            await until(lambda: not a.hall.rooms.players.online)


async def test_the_name_of_one_who_may_come_back_to_a_table_of_another_node_is_kept() -> None:
    async with nodes(3) as (_, b, c):
        link = await b.guest("Ada")
        opened = await b.hall.new_tables.open_table(
            me(link), "connect-four", {}, private=False, bots=["random"], request=None
        )
        await b.sit(link, opened.table)
        id = me(link).player.id
        b.hall.people.disconnected(link)
        await until(lambda: id not in c.hall.rooms.players.online)
        assert await hello(b, "192.0.2.1") == "Ada2"
        assert await hello(c, "192.0.2.1") == "Ada3"


@pytest.mark.parametrize("planned", [False, True])
async def test_the_next_lead_knows_the_names(planned: bool) -> None:
    async with nodes(3) as (a, b, c):
        assert await hello(b, "192.0.2.1") == "Ada"
        await (a.stop() if planned else a.crash())
        # Nobody has to ask again: a lead is waited for.
        names = await asyncio.gather(hello(b, "192.0.2.1"), named(c, "192.0.2.1"))
        assert sorted(names) == ["Ada2", "Ada3"]


async def test_while_the_lead_is_out_of_reach_no_guest_comes_in_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        welcome = await b.hall.people.hello(FakeLink(), "Eve", None)
        await a.bus.close()
        with monkeypatch.context() as patched:
            patched.setattr(guests, "DECIDED_SECONDS", 0.3 - LEASE_SECONDS)
            for come in (hello, named):
                with pytest.raises(Unavailable):
                    await come(b, "192.0.2.1")
        # The lead has itself, and a token says who someone is.
        assert await hello(a, "192.0.2.1") == "Ada"
        again = await b.hall.people.hello(FakeLink(), None, welcome.token)
        assert again.player == welcome.player


async def test_an_answer_that_is_lost_costs_nobody_a_name_or_a_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guests, "AGAIN_SECONDS", 0.2)
    async with nodes(2) as (a, b):

        async def with_lost_answer(coming: Coroutine[Any, Any, str]) -> str:
            lost = a.bus.lost
            a.bus.loses = frozenset({"answer"})
            name = asyncio.create_task(coming)
            await until(lambda: a.bus.lost > lost + 1)
            a.bus.loses = frozenset()
            return await name

        assert await with_lost_answer(hello(b, "192.0.2.1")) == "Ada"
        assert await with_lost_answer(named(b, "192.0.2.1")) == "Ada2"


async def test_a_token_names_whom_the_next_lead_has_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the lead before it still writes."""
    async with nodes(2) as (a, b):
        comes = guests._Comes("Ada", "mark", b"digest")
        asked, goes_on = asyncio.Event(), asyncio.Event()
        change = a.database._database.change

        async def late_change(work: Any) -> Any:
            asked.set()
            await goes_on.wait()
            return await change(work)

        monkeypatch.setattr(a.database._database, "change", late_change)
        before = asyncio.create_task(a.hall.rooms.guests._arrive(comes))
        await asked.wait()
        made = (await b.hall.rooms.guests._arrive(comes)).player
        goes_on.set()
        assert (await before).player == made
        assert await b.database.player_by_token(b"digest") == made


async def test_a_name_is_not_given_again_while_it_is_in_doubt_whether_its_guest_was_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(1) as (a,):
        add = a.database.add_player

        async def added_in_doubt(*given: Any, **named: Any) -> Player:
            await add(*given, **named)
            raise Unavailable

        first, second = guests._Comes("Ada", "1", b"first"), guests._Comes("Ada", "2", b"second")
        monkeypatch.setattr(a.database, "add_player", added_in_doubt)
        with pytest.raises(Unavailable):
            await a.hall.rooms.guests._arrive(first)
        monkeypatch.setattr(a.database, "add_player", add)
        names = [(await a.hall.rooms.guests._arrive(each)).player.name for each in (second, first)]
        assert names == ["Ada2", "Ada"]
