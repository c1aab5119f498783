"""Tournaments as the hall runs them: games open by themselves, and no result is lost."""

from __future__ import annotations

from typing import Any

import pytest

from gamehall.errors import (
    BadOptions,
    NoSuchBot,
    NoSuchGame,
    NoSuchTournament,
    NotOrganiser,
    TooMany,
)
from gamehall.games.connect_four import Drop
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Done
from gamehall.hall.people.notices import Seated
from gamehall.hall.tournaments.events import TournamentBegun
from gamehall.hall.tournaments.tournaments import OPEN_MAX
from tests.hall.halls import FakeLink, TestHall, until

GAME = "connect-four"


def me(link: FakeLink) -> Any:
    assert link.online is not None
    return link.online


async def opened(house: TestHall, format: str = "round-robin", **options: Any) -> int:
    return await house.hall.tournaments.open({"game": GAME, "format": format, **options})


async def view(house: TestHall, tournament: int) -> Any:
    return (await house.hall.tournaments.shown(tournament)).view


def tables_of(house: TestHall, tournament: int) -> dict[int, int]:
    """The tables of the games that are on, by number."""
    return {
        n: t for (of, n), t in house.hall.tournaments.games._table_of.items() if of == tournament
    }


async def seated(link: FakeLink, count: int = 1) -> int:
    """The table of its game, once both sit there."""
    await until(lambda: len(link.of(Seated)) >= count)
    table: int = link.of(Seated)[-1].table
    return table


async def status(house: TestHall, tournament: int) -> str:
    return str((await view(house, tournament)).status)


async def over(house: TestHall, tournament: int) -> Any:
    table = house.hall.rooms.tables.loaded(tournament)
    assert table is not None
    await until(lambda: table.state.over)
    return await view(house, tournament)


async def two(house: TestHall, **options: Any) -> tuple[int, FakeLink, FakeLink]:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    tournament = await opened(house, **options)
    for link in (anna, bob):
        await house.hall.tournaments.enter(me(link), tournament, "")
    await house.hall.tournaments.begin(tournament, None)
    return tournament, anna, bob


@pytest.mark.parametrize("format", ["round-robin", "swiss", "single-elimination", "derby"])
async def test_bots_play_it_to_the_end(house: TestHall, format: str) -> None:
    tournament = await opened(house, format)
    for club in ("north", "south"):
        await house.hall.tournaments.enter_bots(tournament, ["random", "sensible"], club)
    await house.hall.tournaments.begin(tournament, None)
    seen = await over(house, tournament)
    assert sorted(standing.seat for standing in seen.standings) == [0, 1, 2, 3]
    assert all(game.state == "over" for game in seen.games)
    assert seen.winners
    assert not tables_of(house, tournament)


async def test_a_result_is_counted_and_the_next_game_follows(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    table = await seated(anna)
    assert await seated(bob) == table
    assert isinstance(await house.ask(anna, table, Resign()), Done)
    seen = await over(house, tournament)
    (game,) = seen.games
    names = (await house.hall.tournaments.shown(tournament)).names
    assert (names[game.winner], game.reason) == ("bob", "resigned")
    assert [(names[s.seat], s.rank) for s in seen.standings] == [("bob", 1), ("anna", 2)]


async def test_who_is_in_a_tournament_is_free_for_other_games(house: TestHall) -> None:
    anna = await house.guest("anna")
    tournament = await opened(house)
    await house.hall.tournaments.enter(me(anna), tournament, "")
    assert me(anna).free
    house.hall.people.disconnected(anna)
    house.clock.advance(10 * 60_000)
    assert [e.seat for e in (await view(house, tournament)).entrants] == [0]


async def test_who_does_not_come_has_lost(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    tournament = await opened(house)
    for link in (anna, bob):
        await house.hall.tournaments.enter(me(link), tournament, "")
    house.hall.people.disconnected(bob)
    await house.hall.tournaments.begin(tournament, None)
    await seated(anna)
    house.clock.advance(61_000)
    (game,) = (await over(house, tournament)).games
    names = (await house.hall.tournaments.shown(tournament)).names
    assert (names[game.winner], game.reason) == ("anna", "left")


async def test_where_neither_comes_both_have_lost(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    tournament = await opened(house)
    for link in (anna, bob):
        await house.hall.tournaments.enter(me(link), tournament, "")
        house.hall.people.disconnected(link)
    await house.hall.tournaments.begin(tournament, None)
    await until(lambda: tables_of(house, tournament))
    table = house.hall.rooms.tables.loaded(tables_of(house, tournament)[1])
    assert table is not None
    await until(lambda: table.state.game is not None)
    house.clock.advance(61_000)
    (game,) = (await over(house, tournament)).games
    assert (game.winner, game.reason) == (None, "no_show")


async def test_who_withdraws_gives_the_running_game_up(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    await seated(bob)
    await house.hall.tournaments.withdraw(me(anna), tournament)
    (game,) = (await over(house, tournament)).games
    names = (await house.hall.tournaments.shown(tournament)).names
    assert names[game.winner] == "bob"


async def test_who_withdrew_before_a_restart_gives_the_game_up_after_it(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    await seated(bob)
    house.hall.rooms.listeners.clear()
    await house.hall.tournaments.withdraw(me(anna), tournament)
    await house.restart()
    await house.hall.tournaments.games.take_up()
    (game,) = (await over(house, tournament)).games
    names = (await house.hall.tournaments.shown(tournament)).names
    assert names[game.winner] == "bob"


async def test_a_called_off_game_counts_as_a_draw(house: TestHall) -> None:
    tournament, anna, _ = await two(house)
    await house.hall.seating.void(await seated(anna), "by the operator")
    (game,) = (await over(house, tournament)).games
    assert (game.winner, game.reason) == (None, "void")


async def test_after_a_restart_games_go_on(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    table = await seated(anna)
    names = (await house.hall.tournaments.shown(tournament)).names
    first = anna if names[(await view(house, tournament)).games[0].first] == "anna" else bob
    assert isinstance(await house.ask(first, table, Drop(3)), Done)
    player = me(first).player
    await house.restart()
    await house.hall.tournaments.games.take_up()
    again = FakeLink()
    house.hall.rooms.players.attach(again, player)
    await house.hall.rooms.attendance.come_back(me(again), again)
    assert tables_of(house, tournament) == {1: table}
    assert isinstance(await house.ask(again, table, Resign()), Done)
    seen = await over(house, tournament)
    assert seen.games[0].reason == "resigned"


async def test_a_game_that_ended_before_it_was_reported_is_reported_after_a_restart(
    house: TestHall,
) -> None:
    tournament, anna, _ = await two(house)
    table = await seated(anna)
    house.hall.rooms.listeners.clear()
    assert isinstance(await house.ask(anna, table, Resign()), Done)
    assert await status(house, tournament) == "running"
    await house.restart()
    await house.hall.tournaments.games.take_up()
    assert (await over(house, tournament)).games[0].reason == "resigned"


async def test_what_cannot_be(house: TestHall) -> None:
    anna = await house.guest("anna")
    tournaments = house.hall.tournaments
    with pytest.raises(NoSuchGame):
        await tournaments.open({"game": "chess"})
    with pytest.raises(NoSuchGame):
        await tournaments.open({"game": "tournament"})
    with pytest.raises(BadOptions):
        await tournaments.open({"game": "bingo"})
    with pytest.raises(BadOptions):
        await tournaments.open({"game": GAME, "format": "chaos"})
    with pytest.raises(BadOptions):
        await tournaments.open({"game": GAME, "game_options": {"columns": 99}})
    with pytest.raises(NoSuchTournament):
        await tournaments.shown(4711)
    mine = await tournaments.open({"game": GAME}, organiser=me(anna).player.id)
    with pytest.raises(NotOrganiser):
        await tournaments.begin(mine, 4711)
    with pytest.raises(NoSuchBot):
        await tournaments.enter_bots(mine, ["genius"])
    bob = await house.guest("bob")
    for link in (anna, bob):
        await tournaments.enter(me(link), mine, "")
    await tournaments.begin(mine, me(anna).player.id)
    with pytest.raises(TournamentBegun):
        await tournaments.begin(mine, None)
    with pytest.raises(TournamentBegun):
        await tournaments.enter(me(await house.guest("carol")), mine, "")
    with pytest.raises(NoSuchGame):
        await house.hall.new_tables.open_table(
            me(anna), "tournament", {}, private=False, bots=(), request=None
        )


async def test_one_player_opens_only_so_many(house: TestHall) -> None:
    for _ in range(OPEN_MAX):
        await house.hall.tournaments.open({"game": GAME}, organiser=7)
    with pytest.raises(TooMany):
        await house.hall.tournaments.open({"game": GAME}, organiser=7)
    await house.hall.tournaments.open({"game": GAME}, organiser=8)
