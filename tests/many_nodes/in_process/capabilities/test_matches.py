"""Matches that a portal makes at a hall of several nodes: one speaks to it, people are anywhere."""

from __future__ import annotations

from math import inf

import pytest

from gamehall.errors import HallError, NoSuchTable, TableClosed, Unavailable
from gamehall.games.two_in_turn import Resign
from gamehall.hall.arena.as_server.book import Match
from gamehall.hall.beat.requests import Done
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, me, named_nodes, until_true

pytestmark = pytest.mark.slow


FOUR = "connect-four"
KEY = "key"


def listening(node: NodeHall) -> list[Match]:
    """What this node would tell the portal."""
    told: list[Match] = []
    node.hall.matches.listen(told.append)
    return told


async def made(node: NodeHall, number: int = 1) -> Match:
    await until(lambda: node.hall.matches.leads)
    return await node.hall.matches.create(FOUR, number, (7, 8), KEY)


async def claim(node: NodeHall, link: FakeLink, uid: int) -> int:
    answers: list[Done | HallError] = []
    await node.hall.matches.claim(link, me(link), uid, KEY, None, answers.append)
    (answer,) = answers
    assert isinstance(answer, Done)
    return answer.table


async def test_a_match_is_played_at_any_node_and_told_by_one() -> None:
    async with named_nodes("a", "b", "c") as (north, south, west):
        told, others = listening(north), listening(south)
        await made(north)
        with pytest.raises(Unavailable):
            await south.hall.matches.create(FOUR, 2, (7, 8), KEY)
        anna, bob = await south.guest("anna"), await west.guest("bob")
        table = await claim(south, anna, 7)
        assert await claim(west, bob, 8) == table
        await until(lambda: [match.started for match in told] == [True])
        for node in (north, south, west):
            assert (await node.hall.matches.progress(1)).status == 1
        await west.ask(bob, table, Resign())
        await until(lambda: told[-1].over)
        assert [(match.over, match.scores) for match in told] == [(False, None), (True, (1, 0))]
        assert others == []
        for node in (north, south, west):
            progress = await node.hall.matches.progress(1)
            assert (progress.status, progress.scores) == (2, (1, 0))
        await until(lambda: not north.hall.matches.course.is_played_at(table))


async def test_the_next_node_goes_on_when_the_one_that_spoke_is_gone() -> None:
    async with named_nodes("a", "b") as (north, south):
        told = listening(south)
        await made(north)
        anna, bob = await south.guest("anna"), await south.guest("bob")
        table = await claim(south, anna, 7)
        await claim(south, bob, 8)
        await north.crash()
        await until(lambda: south.hall.matches.leads)
        await until(lambda: [match.number for match in south.hall.matches.owed(FOUR)] == [1])
        await south.ask(anna, table, Resign())
        await until(lambda: [match.scores for match in told if match.over] == [(0, 1)])
        assert [match.scores for match in south.hall.matches.owed(FOUR)] == [(0, 1)]


async def test_who_does_not_come_is_missed_by_the_next_node_too() -> None:
    async with named_nodes("a", "b", no_show_seconds=1, grace_seconds=1) as (north, south):
        told = listening(south)
        await made(north)
        anna = await south.guest("anna")
        table = await claim(south, anna, 7)
        await north.crash()
        await until(lambda: told and told[-1].over)
        assert [(match.how, match.scores) for match in told] == [("no_show", (1, 0))]

        async def is_closed() -> bool:
            info = await south.database.table(table)
            return info is not None and info.status == "closed"

        await until_true(is_closed)


async def test_who_comes_when_the_time_is_up_does_not_wait_for_ever() -> None:
    async with named_nodes("a", "b", no_show_seconds=600) as (north, south):
        match = await made(north)
        anna = await south.guest("anna")
        north.hall.matches.course._find_again_at = inf
        # The one is about to sit, and the other finds just then that nobody has come.
        table_for = south.hall.matches._table_for

        async def late(found: Match, online: object) -> int:
            north.hall.matches.course._overdue.add(match.id)
            north.hall.matches.course._settle_soon(match.id)
            await until_true(is_over)
            return await table_for(found, online)  # type: ignore[arg-type]

        async def is_over() -> bool:
            return (await north.hall.matches.progress(1)).status == 2

        south.hall.matches._table_for = late  # type: ignore[assignment,method-assign]
        table = await claim(south, anna, 7)

        async def is_closed() -> bool:
            try:
                info = await south.database.table(table)
            except (NoSuchTable, TableClosed):
                return True
            return info is not None and info.status == "closed"

        await until_true(is_closed)


async def test_a_match_that_ended_while_nobody_led_is_told_by_the_next() -> None:
    async with named_nodes("a", "b") as (north, south):
        await made(north)
        anna, bob = await south.guest("anna"), await south.guest("bob")
        table = await claim(south, anna, 7)
        await claim(south, bob, 8)
        await north.crash()
        assert isinstance(await south.ask(bob, table, Resign()), Done | Unavailable)
        await until(
            lambda: [match.scores for match in south.hall.matches.owed(FOUR)] in ([(1, 0)], [None])
        )
        found = south.hall.rooms.tables.loaded(table)
        if found is not None and found.state is not None and not found.state.over:
            await south.ask(bob, table, Resign())
        await until(lambda: [m.scores for m in south.hall.matches.owed(FOUR)] == [(1, 0)])
