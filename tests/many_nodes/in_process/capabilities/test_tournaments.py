"""Tournaments over several nodes: who runs them, who enters where, and what a crash leaves."""

from __future__ import annotations

import pytest

from gamehall.games.two_in_turn import Resign
from gamehall.hall.people.notices import Seated, TableView
from gamehall.hall.tournaments.tournament import View
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, me, named_nodes, until_true

GAME = "connect-four"


async def opened(node: NodeHall, format: str = "round-robin", **options: object) -> int:
    asked = {"title": "Cup", "format": format, "game": GAME, **options}
    return await node.hall.tournaments.open(asked)


async def view_at(node: NodeHall, tournament: int) -> View:
    return (await node.hall.tournaments.shown(tournament)).view


async def over(node: NodeHall, tournament: int) -> View:
    async def is_over() -> bool:
        return (await view_at(node, tournament)).status == "over"

    await until_true(is_over)
    return await view_at(node, tournament)


async def seat_of(link: FakeLink) -> tuple[int, int]:
    await until(lambda: link.of(Seated))
    seated = link.of(Seated)[-1]
    return seated.table, seated.seat


async def two_at_two(
    north: NodeHall, south: NodeHall, tournament: int
) -> tuple[FakeLink, FakeLink]:
    """One entrant at each node."""
    anna, bob = await north.guest("anna"), await south.guest("bob")
    await north.hall.tournaments.enter(me(anna), tournament, "")
    await south.hall.tournaments.enter(me(bob), tournament, "")
    return anna, bob


async def test_entrants_and_organisers_may_be_at_any_node() -> None:
    async with named_nodes("a", "b") as (north, south):
        tournament = await opened(north)
        anna, bob = await two_at_two(north, south, tournament)
        assert north.owns(tournament)
        assert not south.owns(tournament)
        await south.hall.tournaments.begin(tournament, None)
        (table, seat), (other_table, other_seat) = await seat_of(anna), await seat_of(bob)
        assert (table, {seat, other_seat}) == (other_table, {0, 1})
        shown = await south.hall.tournaments.shown(tournament)
        assert shown.tables == {1: table}, "a node that does not run it knows too where it is"
        await south.ask(bob, table, Resign())
        for node in (north, south):
            view = await over(node, tournament)
            assert [game.reason for game in view.games] == ["resigned"]
        await until(lambda: not north.hall.tournaments.games._games)
        await until(
            lambda: not any(node.hall.tournaments.games._organisers for node in (north, south))
        )


@pytest.mark.parametrize("crashes", [False, True])
async def test_one_whose_node_did_not_hear_of_the_seat_is_told_of_it(crashes: bool) -> None:
    async with named_nodes("a", "b") as (north, south):
        tournament = await opened(north)
        anna, bob = await two_at_two(north, south, tournament)
        north.bus.loses = frozenset({"seated"})
        await north.hall.tournaments.begin(tournament, None)
        table, _ = await seat_of(anna)
        if crashes:
            await north.crash()
        assert (await seat_of(bob))[0] == table
        assert [view.table for view in bob.of(TableView)] == [table]


@pytest.mark.slow
async def test_another_node_goes_on_where_the_first_is_gone() -> None:
    async with named_nodes("a", "b", grace_seconds=1) as (north, south):
        tournament = await opened(north)
        _, bob = await two_at_two(north, south, tournament)
        await north.hall.tournaments.enter_bots(tournament, ["random"])
        await north.hall.tournaments.begin(tournament, None)
        await until(lambda: north.hall.tournaments.games._games)
        await north.crash()
        await until(lambda: south.owns(tournament))

        async def gives_up_wherever_it_sits() -> bool:
            for table in {seated.table for seated in bob.of(Seated)}:
                await south.ask(bob, table, Resign())
            return (await view_at(south, tournament)).status == "over"

        await until_true(gives_up_wherever_it_sits)
        view = await view_at(south, tournament)
        assert len(view.games) == 3
        assert all(game.reason for game in view.games)
        await until(lambda: not south.hall.tournaments.games._games)


@pytest.mark.slow
async def test_a_result_that_nobody_could_report_is_counted_once() -> None:
    async with named_nodes("a", "b") as (north, south):
        tournament = await opened(north)
        anna, bob = await two_at_two(north, south, tournament)
        north.hall.tournaments.games._send = lambda tournament, report: None  # type: ignore[method-assign]
        await north.hall.tournaments.begin(tournament, None)
        table, _ = await seat_of(bob)
        await north.ask(anna, table, Resign())
        await until(lambda: north.hall.tournaments.games._games == {})
        await north.crash()
        view = await over(south, tournament)
        assert [game.reason for game in view.games] == ["resigned"]


@pytest.mark.slow
async def test_a_planned_stop_hands_a_tournament_over() -> None:
    async with named_nodes("a", "b") as (north, south):
        tournament = await opened(north)
        bob, eve = await south.guest("bob"), await south.guest("eve")
        for link in (bob, eve):
            await south.hall.tournaments.enter(me(link), tournament, "")
        await north.hall.tournaments.begin(tournament, None)
        table, _ = await seat_of(bob)
        await north.stop()
        await until(lambda: south.owns(tournament))
        await south.ask(eve, table, Resign())
        assert [game.reason for game in (await over(south, tournament)).games] == ["resigned"]


@pytest.mark.slow
async def test_bots_play_on_at_a_node_that_has_nobody_there() -> None:
    async with named_nodes("a", "b", "c") as (north, south, west):
        tournament = await opened(north)
        await south.hall.tournaments.enter_bots(tournament, ["random"] * 4)
        await west.hall.tournaments.begin(tournament, None)
        await north.crash()

        async def is_over() -> bool:
            return (await view_at(west, tournament)).status == "over"

        await until_true(is_over)
        assert len((await view_at(south, tournament)).games) == 6


@pytest.mark.slow
async def test_a_node_that_has_lost_a_tournament_drops_its_part() -> None:
    async with named_nodes("a", "b") as (north, south):
        tournament = await opened(north)
        await north.hall.tournaments.enter_bots(tournament, ["random"])
        anna = await north.guest("anna")
        await north.hall.tournaments.enter(me(anna), tournament, "")
        await north.hall.tournaments.begin(tournament, None)
        table, _ = await seat_of(anna)
        # As if its lease had run out: it lets go, and the other takes the table.
        found = north.hall.rooms.tables.loaded(tournament)
        assert found is not None
        await north.database.release(tournament, found.epoch)
        await south.hall.rooms.tables.load(tournament)
        assert south.owns(tournament)
        await until(lambda: tournament not in north.hall.tournaments.games._organisers)
        assert not north.hall.tournaments.games._games
        await until(lambda: south.hall.tournaments.games.plays_at(table))
        await north.ask(anna, table, Resign())
        assert [game.reason for game in (await over(south, tournament)).games] == ["resigned"]
