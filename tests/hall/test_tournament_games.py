"""The tables of a tournament's games: where they are found, who sits there, and what ends them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from gamehall.errors import BadRequest, TableFull, TooMany, Unavailable
from gamehall.games.two_in_turn import Resign
from gamehall.hall.tournaments.tournaments import OPEN_MAX
from gamehall.store.appends import Answer, Append, NotWritten, Request
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_tournaments import GAME, me, opened, over, seated, tables_of, two


async def tables(house: TestHall, tournament: int) -> dict[int, int]:
    """Where its games are or were played, as everyone is told."""
    return (await house.hall.tournaments.shown(tournament)).tables


async def winner(house: TestHall, tournament: int) -> tuple[str | None, str]:
    """Who won the only game, and how, once all is over."""
    (game,) = (await over(house, tournament)).games
    names = (await house.hall.tournaments.shown(tournament)).names
    return (None if game.winner is None else names[game.winner]), game.reason


async def test_every_game_is_found_again_at_its_table(house: TestHall) -> None:
    tournament = await opened(house, "round-robin")
    await house.hall.tournaments.enter_bots(tournament, ["random"] * 3)
    await house.hall.tournaments.begin(tournament, None)
    await over(house, tournament)
    found = await tables(house, tournament)
    for number in (1, 2, 3):
        origin = f"tournament:{tournament}:{number}"
        assert found[number] == await house.store.table_by_origin(origin)
    await house.restart()
    assert await tables(house, tournament) == found


async def test_a_game_has_its_table_before_during_and_after_it(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[Any] = []
    send = house.hall.tournaments.games._send
    monkeypatch.setattr(house.hall.tournaments.games, "_send", lambda *args: reports.append(args))
    tournament, anna, _ = await two(house)
    table = await seated(anna)
    assert await tables(house, tournament) == {1: table}
    await house.ask(anna, table, Resign())
    await until(lambda: reports)
    assert await tables(house, tournament) == {1: table}, "it is over, and not counted yet"
    send(*reports[0])
    await over(house, tournament)
    assert await tables(house, tournament) == {1: table}
    assert not tables_of(house, tournament)


async def test_a_called_off_tournament_is_over_and_its_games_are_still_found(
    house: TestHall,
) -> None:
    tournament, anna, _ = await two(house)
    table = await seated(anna)
    await house.hall.seating.void(tournament, "by the operator")
    for _ in range(2):
        shown = await house.hall.tournaments.shown(tournament)
        assert (shown.view.status, shown.view.winners, shown.tables) == ("over", (), {1: table})
        assert not tables_of(house, tournament)
        await house.restart()
        await house.hall.tournaments.games.take_up()


async def test_nobody_takes_the_place_of_the_other(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats: list[Callable[[], None]] = []
    sit = house.hall.tournaments.games._sit
    monkeypatch.setattr(
        house.hall.tournaments.games, "_sit", lambda *args: seats.append(lambda: sit(*args))
    )
    tournament, anna, bob = await two(house)
    await until(lambda: len(seats) == 2)
    table = tables_of(house, tournament)[1]
    for link in (anna, bob):
        for seat in (0, 1, None):
            with pytest.raises(TableFull):
                await house.hall.seating.sit(
                    link, me(link), table, seat, None, None, lambda answer: None
                )
    for take in seats:
        take()
    assert await seated(anna) == await seated(bob) == table


async def test_who_is_away_for_a_moment_wins_when_the_others_time_is_up(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    await seated(anna)
    player = me(anna).player
    house.hall.people.disconnected(bob)
    house.clock.advance(50_000)
    house.hall.people.disconnected(anna)
    table = house.hall.rooms.tables.loaded(tables_of(house, tournament)[1])
    assert table is not None
    house.clock.advance(10_000)
    await until(lambda: table.state.over)
    house.clock.advance(5000)
    back = FakeLink()
    house.hall.rooms.players.attach(back, player)
    await house.hall.rooms.attendance.come_back(me(back), back)
    house.clock.advance(5000)
    assert await winner(house, tournament) == ("anna", "left")


async def test_who_is_away_for_good_as_well_has_not_won(house: TestHall) -> None:
    tournament, anna, bob = await two(house)
    await seated(anna)
    house.hall.people.disconnected(bob)
    house.clock.advance(50_000)
    house.hall.people.disconnected(anna)
    table = house.hall.rooms.tables.loaded(tables_of(house, tournament)[1])
    assert table is not None
    house.clock.advance(10_000)
    await until(lambda: table.state.over)
    house.clock.advance(51_000)
    assert await winner(house, tournament) == (None, "no_show")


async def test_who_withdraws_gives_the_game_up_also_if_the_store_is_away(house: TestHall) -> None:
    tournament, anna, _ = await two(house)
    table = await seated(anna)
    failed: list[int] = []

    def fail_at_the_game(append: Append, done: Callable[[Answer], None]) -> None:
        if append.table == table:
            failed.append(table)
            done(NotWritten())
        else:
            house.store.script.append(fail_at_the_game)
            house.store.really_append(append, done)

    house.store.script.append(fail_at_the_game)
    await house.hall.tournaments.withdraw(me(anna), tournament)
    await until(lambda: failed)
    house.clock.advance(2000)
    assert await winner(house, tournament) == ("bob", "left")


async def test_a_game_is_opened_once_its_tournament_can_be_read(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, away = house.hall.rooms.tables.load, [True]
    tried: list[int] = []

    async def cannot_read(table: int) -> Any:
        tried.append(table)
        if away[0]:
            raise Unavailable
        return await load(table)

    anna, bob = await house.guest("anna"), await house.guest("bob")
    tournament = await opened(house)
    for link in (anna, bob):
        await house.hall.tournaments.enter(me(link), tournament, "")
    monkeypatch.setattr(house.hall.tournaments, "_find", load)
    monkeypatch.setattr(house.hall.rooms.tables, "load", cannot_read)
    await house.hall.tournaments.begin(tournament, None)
    await until(lambda: tried)
    away[0] = False
    house.clock.advance(2000)
    assert await seated(anna) == await seated(bob)


async def test_so_many_counts_those_as_well_that_nobody_looks_at(house: TestHall) -> None:
    tournaments = house.hall.tournaments
    results = await asyncio.gather(
        *(tournaments.open({"game": GAME}, organiser=7) for _ in range(OPEN_MAX + 3)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, TooMany) for result in results) == 3
    mine = [result for result in results if isinstance(result, int)]
    house.hall.rooms.tables.evict(lambda table: False)
    with pytest.raises(TooMany):
        await tournaments.open({"game": GAME}, organiser=7)
    await house.restart()
    await house.hall.tournaments.games.take_up()
    with pytest.raises(TooMany):
        await house.hall.tournaments.open({"game": GAME}, organiser=7)
    await house.hall.tournaments.begin(mine[0], 7)
    await house.hall.tournaments.open({"game": GAME}, organiser=7)


async def test_the_same_request_gets_its_tournament_and_another_is_refused(
    house: TestHall,
) -> None:
    anna = await house.guest("anna")
    player = me(anna).player.id
    tournaments = house.hall.tournaments
    for number in range(OPEN_MAX):
        request = Request(player, f"r{number}", b"open")
        last = await tournaments.open({"game": GAME}, player, request)
    assert await tournaments.open({"game": GAME}, player, request) == last
    await tournaments.begin(last, player)
    with pytest.raises(BadRequest):
        await tournaments.open({"game": GAME}, player, Request(player, "r0", b"other"))
    seat = Request(player, "table", b"open a table")
    await house.hall.new_tables.open_table(me(anna), GAME, {}, private=False, bots=(), request=seat)
    with pytest.raises(BadRequest):
        await tournaments.open({"game": GAME}, player, Request(player, "table", b"a tournament"))
