"""People at different nodes who want the same game: each is paired once, or goes on waiting."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gamehall.errors import TableFull, Unavailable
from gamehall.hall.beat.requests import Ask
from gamehall.hall.lobby import pairings
from gamehall.hall.nodes import lead
from gamehall.hall.people.notices import NotBegun, Seated
from gamehall.hall.seats import holds, new_tables
from gamehall.table_log.house import Sit
from tests.hall.halls import LIMIT_SECONDS, FakeLink, until
from tests.many_nodes.in_process.halls import LEASE_SECONDS, NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME, arrive, id_of, owners, seated


async def seek(hall: NodeHall, link: FakeLink, rated: bool = False) -> None:
    await hall.hall.lobby.seek(me(link), GAME, {}, rated)


def waits(hall: NodeHall, link: FakeLink) -> bool:
    return id_of(link) in hall.hall.rooms.front.seeks


async def test_two_at_different_nodes_are_seated_whoever_comes_first() -> None:
    async with nodes(3) as halls:
        links = await arrive(halls, "anna", "bob", "carol", "dan")
        anna, bob, carol, _ = links
        await seek(halls[1], bob, rated=True)
        for first, then in ((0, 2), (2, 0)):
            one, other = (await arrive(halls, f"p{first}", "-", f"p{then}"))[::2]
            order = [(halls[0], one), (halls[2], other)]
            for hall, link in order if first == 0 else reversed(order):
                await seek(hall, link)
            table = await seated(one, other)
            assert owners(halls, table) == (1, 1)
            await until(lambda: not any(hall.hall.rooms.holds._held for hall in halls))
        assert not bob.of(Seated)
        await seek(halls[0], anna)
        await seek(halls[1], bob)
        await seated(anna, bob)
        await until(lambda: not waits(halls[1], bob))
        assert not carol.of(Seated)


async def test_many_who_seek_at_once_at_three_nodes_are_each_paired_once() -> None:
    async with nodes(3) as halls:
        links = await arrive(halls, *(f"p{n}" for n in range(21)))
        at = [(halls[place % 3], link) for place, link in enumerate(links)]
        await asyncio.gather(*(seek(hall, link) for hall, link in at))
        await until(lambda: sum(bool(link.of(Seated)) for link in links) == 20)
        tables = Counter(notice.table for link in links for notice in link.of(Seated))
        assert set(tables.values()) == {2}
        left = [(hall, link) for hall, link in at if not link.of(Seated)]
        assert len(left) == 1
        (hall, last), (other, late) = left[0], (halls[0], (await arrive(halls[:1], "late"))[0])
        assert waits(hall, last)
        await seek(other, late)
        await seated(last, late)


@pytest.mark.parametrize("run", range(2))
async def test_of_three_at_three_nodes_at_the_same_moment_two_are_paired(run: int) -> None:
    async with nodes(3) as halls:
        links = await arrive(halls, "anna", "bob", "carol")
        await asyncio.gather(*map(seek, halls, links))
        await until(lambda: sum(bool(link.of(Seated)) for link in links) == 2)
        left = next(place for place in range(3) if not links[place].of(Seated))
        await until(lambda: me(links[left]).free)
        assert waits(halls[left], links[left])


async def test_who_cancels_or_goes_is_not_paired_and_who_is_left_waits() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob, carol, dan = await arrive(halls, "anna", "bob", "carol", "dan")
        await seek(a, anna)
        await a.hall.lobby.cancel_seeks(me(anna))
        await seek(b, bob)
        b.hall.people.disconnected(bob)
        await seek(a, carol)
        await seek(b, dan)
        await seated(carol, dan)
        assert not anna.of(Seated)
        assert not bob.of(Seated)


def before_opening(
    hall: NodeHall, then: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Has something happen once, between the lead's decision and what follows from it."""
    opening = hall.hall.rooms.front._open_drawn
    left = [then]

    async def opened(*how: Any) -> None:
        if left:
            await left.pop()()
        await opening(*how)

    monkeypatch.setattr(hall.hall.rooms.front, "_open_drawn", opened)


async def test_who_cancels_while_the_other_node_is_asked_is_not_seated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")

        async def cancel() -> None:
            await until(lambda: not me(bob).free)
            await a.hall.lobby.cancel_seeks(me(anna))

        before_opening(a, cancel, monkeypatch)
        await seek(b, bob)
        await seek(a, anna)
        await until(lambda: not waits(a, anna) and me(anna).free and me(bob).free)
        assert waits(b, bob)
        await seek(a, anna)
        await seated(anna, bob)


async def test_who_is_held_for_a_node_that_dies_goes_on_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        asked = asyncio.Event()

        async def hang() -> None:
            asked.set()
            await asyncio.Event().wait()

        before_opening(a, hang, monkeypatch)
        await seek(b, bob)
        seeking = asyncio.ensure_future(seek(a, anna))
        await asyncio.wait_for(asked.wait(), LIMIT_SECONDS)
        await until(lambda: not me(bob).free)
        await a.crash()
        seeking.cancel()
        await until(lambda: me(bob).free)
        assert waits(b, bob)
        carol = await b.guest("carol")
        await seek(b, carol)
        await seated(bob, carol)


async def test_who_is_held_for_a_node_that_says_nothing_is_free_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(holds, "HOLD_MS", 300)
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        asked = asyncio.Event()

        async def hang() -> None:
            asked.set()
            await asyncio.Event().wait()

        before_opening(a, hang, monkeypatch)
        await seek(b, bob)
        seeking = asyncio.ensure_future(seek(a, anna))
        await asyncio.wait_for(asked.wait(), LIMIT_SECONDS)
        await until(lambda: not me(bob).free)
        await until(lambda: me(bob).free)
        assert waits(b, bob)
        seeking.cancel()


async def test_a_table_that_does_not_open_leaves_both_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        opening = a.hall.rooms.tables.open
        failed = asyncio.Event()

        async def fail_once(*what: Any, **how: Any) -> int:
            if failed.is_set():
                return await opening(*what, **how)
            failed.set()
            raise Unavailable

        monkeypatch.setattr(a.hall.rooms.tables, "open", fail_once)
        await seek(b, bob)
        await seek(a, anna)
        await asyncio.wait_for(failed.wait(), LIMIT_SECONDS)
        # They find each other when they are announced again.
        await seated(anna, bob)


async def test_a_table_that_opens_too_late_for_those_elsewhere_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        opening, opened = a.hall.rooms.tables.open, []

        async def open_and_note(*what: Any, **how: Any) -> int:
            opened.append(await opening(*what, **how))
            monkeypatch.setattr(new_tables, "OPEN_MS", -1 if len(opened) == 1 else 10_000)
            return int(opened[-1])

        monkeypatch.setattr(a.hall.rooms.tables, "open", open_and_note)
        await seek(b, bob)
        await seek(a, anna)
        assert await seated(anna, bob) == opened[1]
        async with asyncio.timeout(LIMIT_SECONDS):
            while not await is_closed(b, opened[0]):
                await asyncio.sleep(0.02)


async def is_closed(hall: NodeHall, table: int) -> bool:
    info = await hall.database.table(table)
    return info is not None and info.status == "closed"


@pytest.mark.parametrize("lost", ["answer", "lobby-wish", "lobby-told", "seated"])
async def test_what_the_bus_loses_costs_time_only(
    lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lead, "BEYOND_SECONDS", 0.3 - LEASE_SECONDS)
    monkeypatch.setattr(holds, "HOLD_MS", 1500)
    monkeypatch.setattr(pairings, "HOLD_MS", 1500)
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        await seek(a, anna)
        for hall in halls:
            hall.bus.loses = frozenset({lost})
        if lost in ("answer", "lobby-wish"):
            with pytest.raises(Unavailable):
                await seek(b, bob)
            assert not waits(b, bob)
        else:
            await seek(b, bob)
        for hall in halls:
            hall.bus.loses = frozenset()
        await until(lambda: me(bob).busy or me(bob).free)
        if not bob.of(Seated) and me(bob).free:
            await seek(b, bob)
        await seated(anna, bob)
        await until(lambda: 0 not in me(anna).busy | me(bob).busy)


async def test_who_cannot_be_seated_is_told_at_its_own_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        put = a.hall.rooms.tables.put

        def refuse(ask: Ask) -> None:
            if isinstance(ask.command, Sit):
                ask.reply(TableFull())
            else:
                put(ask)

        monkeypatch.setattr(a.hall.rooms.tables, "put", refuse)
        await seek(b, bob)
        await seek(a, anna)
        await until(lambda: anna.of(NotBegun) and bob.of(NotBegun))
        await until(lambda: me(anna).free and me(bob).free)
        assert len(bob.of(NotBegun)) == 1


async def test_who_waits_for_a_seat_that_died_with_its_node_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        monkeypatch.setattr(a.hall.new_tables, "_sit_reserved", lambda *_: None)
        await seek(b, bob)
        await seek(a, anna)
        await until(lambda: me(bob).busy - {0})
        await a.crash()
        await until(lambda: bob.of(NotBegun))
        assert me(bob).free


async def test_without_the_bus_the_leads_people_find_each_other() -> None:
    async with nodes(2) as halls:
        a, _ = halls
        anna, _, carol = await arrive(halls, "anna", "bob", "carol")
        await a.bus.close()
        await seek(a, anna)
        await seek(a, carol)
        await seated(anna, carol)


async def test_who_seeks_at_two_nodes_is_paired_once() -> None:
    async with nodes(2) as halls:
        a, b = halls
        at_a, at_b = FakeLink(), FakeLink()
        welcome = await a.hall.people.hello(at_a, "anna", None)
        await b.hall.people.hello(at_b, None, welcome.token)
        bob, carol = await arrive(halls, "bob", "carol")
        await until(lambda: me(at_a).elsewhere and me(at_b).elsewhere)
        await seek(a, at_a)
        await seek(b, at_b)
        await asyncio.gather(seek(a, bob), seek(b, carol))
        await until(lambda: at_a.of(Seated) and at_b.of(Seated))
        table = await seated(at_a, at_b)
        [other] = [link for link in (bob, carol) if link.of(Seated)]
        assert other.of(Seated)[0].table == table
        assert {link.of(Seated)[0].seat for link in (at_a, other)} == {0, 1}
