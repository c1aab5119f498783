"""What must not disturb a tournament: tables let go, crashes in between, long pauses, rematches."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.errors import BadOptions, RoundOver
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Done
from gamehall.hall.beat.table import Table
from gamehall.hall.tournaments.events import Entered, TournamentBegun
from gamehall.store.appends import Request
from gamehall.table_log import house as house_commands
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_tournaments import GAME, me, opened, over, seated, status, tables_of, two, view

LIMIT_SECONDS = 60


async def winner(house: TestHall, tournament: int) -> str | None:
    """Who won the only game, once all is over."""
    (game,) = (await over(house, tournament)).games
    names = (await house.hall.tournaments.shown(tournament)).names
    return None if game.winner is None else names[game.winner]


async def test_games_of_bots_go_on_while_idle_tables_are_let_go(house: TestHall) -> None:
    tournament = await opened(house, "swiss")
    await house.hall.tournaments.enter_bots(tournament, ["random"] * 16)
    await house.hall.tournaments.begin(tournament, None)
    async with asyncio.timeout(LIMIT_SECONDS):
        while await status(house, tournament) != "over":
            house.hall._housekeeping.let_go_idle()
            await asyncio.sleep(0)
    assert (await view(house, tournament)).games_count == 32


async def test_a_game_that_ends_while_it_is_taken_up_is_reported(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, anna, _ = await two(house)
    table, player = await seated(anna), me(anna).player
    await house.restart()
    again = FakeLink()
    house.hall.rooms.players.attach(again, player)
    looked = house.hall.tournaments.games._ended

    async def ends_meanwhile(found: Table) -> Any:
        ended = await looked(found)
        assert ended is None
        assert isinstance(await house.ask(again, table, Resign()), Done)
        return ended

    monkeypatch.setattr(house.hall.tournaments.games, "_ended", ends_meanwhile)
    await house.hall.tournaments.games.take_up()
    assert await winner(house, tournament) == "bob"


async def test_who_left_before_a_restart_has_lost_and_the_other_has_won(house: TestHall) -> None:
    tournament, anna, _ = await two(house)
    table = await seated(anna)
    house.hall.rooms.listeners.clear()
    assert isinstance(await house.ask(anna, table, house_commands.Leave()), Done)
    await house.restart()
    await house.hall.tournaments.games.take_up()
    assert await winner(house, tournament) == "bob"


async def test_who_is_away_for_a_moment_wins_when_the_other_leaves(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    table = await seated(anna)
    house.hall.people.disconnected(bob)
    assert isinstance(await house.ask(anna, table, house_commands.Leave()), Done)
    assert await winner(house, tournament) == "bob"


async def test_a_game_that_waits_to_begin_outlasts_a_long_pause_of_the_hall(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.hall.tournaments.games, "_sit", lambda *_: None)
    tournament, anna, _ = await two(house)
    await until(lambda: tables_of(house, tournament))
    player = me(anna).player
    await house.hall.rooms.tables.stop()
    house.clock.advance(24 * 3_600_000)
    await house.restart()
    again = FakeLink()
    house.hall.rooms.players.attach(again, player)
    # At its start a hall first looks which timers are due.
    await house.hall.rooms.tables.waking.wake_due()
    house.clock.advance(1000)
    await house.hall.tournaments.games.take_up()
    table = await seated(again)
    assert isinstance(await house.ask(again, table, Resign()), Done)
    assert await winner(house, tournament) == "bob"


async def test_it_begins_at_its_time_whatever_happens_before(house: TestHall) -> None:
    with pytest.raises(BadOptions):
        await opened(house, starts_at_ms=house.clock.now_ms())
    tournament = await opened(house, starts_at_ms=house.clock.now_ms() + 60_000)
    await house.hall.tournaments.enter_bots(tournament, ["random"] * 4)
    await house.restart()
    await house.hall.tournaments.games.take_up()
    house.clock.advance(59_000)
    assert await status(house, tournament) == "open"
    house.clock.advance(1000)
    assert (await over(house, tournament)).games_count == 6


async def test_nobody_plays_a_tournament_again(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    await house.ask(anna, await seated(anna), Resign())
    await over(house, tournament)
    for link in (anna, bob):
        refused = await house.ask(link, tournament, house_commands.Rematch())
        assert isinstance(refused, RoundOver)


async def test_one_that_is_called_off_does_not_begin_again(house: TestHall) -> None:
    tournament, anna, _ = await two(house)
    await seated(anna)
    await house.hall.seating.void(tournament, "by the operator")
    table = house.hall.rooms.tables.loaded(tournament)
    assert table is not None
    house.clock.advance(10_000)
    assert (table.state.over, table.state.opened.round) == (True, 1)
    assert table.kind.rules.timer(table.state).command == house_commands.Close("finished")  # type: ignore[union-attr]


async def test_who_has_entered_may_say_so_again_after_the_begin(house: TestHall) -> None:
    tournament, anna, _ = await two(house)
    assert (await house.hall.tournaments.enter(me(anna), tournament, "")).seat == 0
    with pytest.raises(TournamentBegun):
        await house.hall.tournaments.enter(me(anna), tournament, "another club")


async def test_what_is_sent_again_after_a_restart_is_not_done_again(house: TestHall) -> None:
    """Who has entered and withdrawn is not entered by the request to enter, which comes again."""
    anna, bob = me(await house.guest("anna")), me(await house.guest("bob"))
    options = {"game": GAME, "format": "round-robin"}
    tournament = await house.hall.tournaments.open(options, bob.player.id)
    enters, moves, leaves = (Request(anna.player.id, id, b"d") for id in ("enter", "move", "leave"))
    begins = Request(bob.player.id, "begin", b"d")

    async def do_all() -> list[Done]:
        tournaments = house.hall.tournaments
        return [
            await tournaments.enter(anna, tournament, "north", enters),
            await tournaments.enter(anna, tournament, "south", moves),
            await tournaments.withdraw(anna, tournament, leaves),
            await tournaments.begin(tournament, bob.player.id, begins),
        ]

    for level in ("random", "random"):
        await house.hall.tournaments.enter_bots(tournament, [level])
    before = await do_all()
    assert [done.seq for done in await do_all()] == [done.seq for done in before]
    await house.restart()
    after = await do_all()
    assert [(done.seq, done.seat) for done in after] == [(done.seq, done.seat) for done in before]
    names = (await house.hall.tournaments.shown(tournament)).names.values()
    assert "anna" not in names


async def test_entering_is_one_row(house: TestHall) -> None:
    """In two, a seat could be taken and the rest be refused: the tournament began in between."""
    anna = me(await house.guest("anna"))
    tournament = await house.hall.tournaments.open({"game": GAME, "format": "round-robin"}, 0)
    done = await house.hall.tournaments.enter(anna, tournament, "north")
    table = house.hall.rooms.tables.loaded(tournament)
    assert table is not None
    assert (done.seq, done.seat, table.head) == (2, 0, 2)
    assert [type(event) for event in done.events] == [house_commands.Seated, Entered]
