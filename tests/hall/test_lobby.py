"""Wait lists, challenges, and who sees whom."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.errors import (
    BadRequest,
    NoSuchChallenge,
    NoSuchPlayer,
    NotFree,
    TooMany,
    Unavailable,
)
from gamehall.hall.lobby.messages import Begin
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Lobby,
    Seated,
)
from gamehall.hall.people.online import Elsewhere
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_seating import me

GAME = "connect-four"


async def people(house: TestHall, *names: str) -> list[FakeLink]:
    return [await house.guest(name) for name in names]


async def challenge(house: TestHall, one: FakeLink, other: FakeLink) -> int:
    return await house.hall.challenges.challenge(me(one), me(other).player.id, GAME, {})


async def test_two_who_seek_the_same_are_seated_and_others_wait(house: TestHall) -> None:
    anna, bob, carol, dan = await people(house, "anna", "bob", "carol", "dan")
    lobby = house.hall.lobby
    await lobby.seek(me(anna), GAME, {}, rated=False)
    await lobby.seek(me(anna), GAME, {}, rated=False)
    await lobby.seek(me(bob), GAME, {"columns": 8}, rated=False)
    await lobby.seek(me(carol), GAME, {}, rated=True)
    assert not anna.of(Seated)
    await lobby.seek(me(dan), GAME, {"rows": 6}, rated=False)
    await until(lambda: anna.of(Seated) and dan.of(Seated))
    assert not bob.of(Seated)
    assert not carol.of(Seated)


async def test_many_who_seek_at_once_are_each_paired_once(house: TestHall) -> None:
    links = await people(house, *(f"p{n}" for n in range(20)))
    await asyncio.gather(
        *(house.hall.lobby.seek(me(link), GAME, {}, rated=False) for link in links)
    )
    await until(lambda: all(link.of(Seated) for link in links))
    tables = [link.of(Seated)[0].table for link in links]
    assert all(tables.count(table) == 2 for table in tables)
    assert all(len(link.of(Seated)) == 1 for link in links)


async def test_who_cancels_or_goes_is_not_paired(house: TestHall) -> None:
    anna, bob, carol = await people(house, "anna", "bob", "carol")
    lobby = house.hall.lobby
    await lobby.seek(me(anna), GAME, {}, rated=False)
    await lobby.cancel_seeks(me(anna))
    await lobby.seek(me(bob), GAME, {}, rated=False)
    house.hall.people.disconnected(bob)
    await lobby.seek(me(carol), GAME, {}, rated=False)
    [dan] = await people(house, "dan")
    await lobby.seek(me(dan), GAME, {}, rated=False)
    await until(lambda: carol.of(Seated) and dan.of(Seated))
    assert not anna.of(Seated)
    assert not bob.of(Seated)


async def test_old_news_from_another_node_ends_no_wish(house: TestHall) -> None:
    anna, bob = await people(house, "anna", "bob")
    lobby, players, anna_id = house.hall.lobby, house.hall.rooms.players, me(anna).player.id
    # She had a game there, and that node could not say yet that she has left it.
    old = Elsewhere(me(anna).player, free=False, plays=(), playing=True)
    players.set_elsewhere("other", anna_id, old)
    await lobby.seek(me(anna), GAME, {}, rated=False)
    players.set_elsewhere("other", anna_id, old)
    assert lobby.is_waiting(me(anna))
    await lobby.seek(me(bob), GAME, {}, rated=False)
    players.set_elsewhere("other", anna_id, None)
    house.hall.rooms.front.desk.look_again()
    await until(lambda: anna.of(Seated) and bob.of(Seated))


async def test_a_wish_ends_at_the_node_that_its_player_has_left(house: TestHall) -> None:
    [anna] = await people(house, "anna")
    online = me(anna)
    await house.hall.lobby.seek(online, GAME, {}, rated=False)
    there = Elsewhere(online.player, free=True, plays=())
    house.hall.rooms.players.set_elsewhere("other", online.player.id, there)
    house.hall.people.disconnected(anna)
    assert online.here
    assert not house.hall.lobby.is_waiting(online)


async def test_a_cancel_of_which_a_new_lead_knows_nothing_is_refused(house: TestHall) -> None:
    [anna] = await people(house, "anna")
    await house.hall.lobby.seek(me(anna), GAME, {}, rated=False)
    # The lead before has paired her, and the table may be there.
    house.hall.rooms.holds.hold([me(anna).player.id], "pair:before", "other")
    with pytest.raises(NotFree):
        await house.hall.lobby.cancel_seeks(me(anna))
    assert house.hall.lobby.is_waiting(me(anna))


async def test_an_accepted_challenge_seats_the_challenger_first(house: TestHall) -> None:
    anna, bob = await people(house, "anna", "bob")
    id = await challenge(house, anna, bob)
    assert bob.of(Challenged)[0].challenge == id
    table = await house.hall.challenges.accept(me(bob), id)
    await until(lambda: anna.of(Seated) and bob.of(Seated))
    assert (anna.of(Seated)[0].seat, bob.of(Seated)[0].seat) == (0, 1)
    assert anna.of(Seated)[0].table == table
    with pytest.raises(NoSuchChallenge):
        await house.hall.challenges.accept(me(bob), id)


async def test_refused_withdrawn_expired(house: TestHall) -> None:
    anna, bob = await people(house, "anna", "bob")
    id = await challenge(house, anna, bob)
    with pytest.raises(NoSuchChallenge):
        await house.hall.challenges.refuse(me(anna), id)
    with pytest.raises(NoSuchChallenge):
        await house.hall.challenges.accept(me(anna), id)
    await house.hall.challenges.refuse(me(bob), id)
    assert anna.of(ChallengeRefused)[0].reason == "refused"

    id = await challenge(house, anna, bob)
    await house.hall.challenges.withdraw(me(anna), id)
    assert bob.of(ChallengeWithdrawn)[0].challenge == id

    id = await challenge(house, anna, bob)
    house.clock.advance(61_000)
    assert anna.of(ChallengeExpired)
    assert bob.of(ChallengeExpired)
    with pytest.raises(NoSuchChallenge):
        await house.hall.challenges.accept(me(bob), id)


async def test_challenges_that_cross_make_one_game(house: TestHall) -> None:
    anna, bob = await people(house, "anna", "bob")
    await asyncio.gather(challenge(house, anna, bob), challenge(house, bob, anna))
    await until(lambda: anna.of(Seated) and bob.of(Seated))
    assert len(anna.of(Seated)) == len(bob.of(Seated)) == 1
    assert anna.of(Seated)[0].seat == 0


async def test_who_sits_down_is_no_longer_challenged(house: TestHall) -> None:
    anna, bob, carol = await people(house, "anna", "bob", "carol")
    first = await challenge(house, anna, bob)
    second = await challenge(house, carol, bob)
    await challenge(house, bob, await house.guest("dan"))
    await house.hall.challenges.accept(me(bob), first)
    await until(lambda: carol.of(ChallengeRefused))
    assert carol.of(ChallengeRefused)[0].challenge == second
    with pytest.raises(NotFree):
        await challenge(house, carol, bob)
    with pytest.raises(NotFree):
        await house.hall.lobby.seek(me(bob), GAME, {}, rated=False)


async def test_who_goes_is_no_longer_challenged(house: TestHall) -> None:
    anna, bob = await people(house, "anna", "bob")
    await challenge(house, anna, bob)
    house.hall.people.disconnected(bob)
    assert anna.of(ChallengeRefused)[0].reason == "gone"
    with pytest.raises(NoSuchPlayer):
        await house.hall.challenges.challenge(me(anna), 4711, GAME, {})


async def test_bad_challenges(house: TestHall) -> None:
    anna, bob = await people(house, "anna", "bob")
    with pytest.raises(BadRequest):
        await challenge(house, anna, anna)
    await challenge(house, anna, bob)
    with pytest.raises(TooMany):
        await challenge(house, anna, bob)


async def test_who_watches_the_lobby_hears_of_players_and_tables(house: TestHall) -> None:
    eve, anna, bob = await people(house, "eve", "anna", "bob")
    house.hall.lobby.watch(eve)
    await house.hall.lobby.seek(me(anna), GAME, {}, rated=False)
    await house.hall.lobby.seek(me(bob), GAME, {}, rated=False)
    await until(lambda: anna.of(Seated))
    house.clock.advance(200)
    notice = eve.of(Lobby)[-1]
    assert {(p.name, p.status) for p in notice.players} == {("anna", "busy"), ("bob", "busy")}
    assert [table.status for table in notice.tables] == ["playing"]
    free = house.hall.lobby.list_players(True, 0, 10)
    assert [player.name for player in free] == ["eve"]
    await house.ask(anna, notice.tables[0].id, h.Leave())
    await until(lambda: me(bob).free)
    house.clock.advance(200)
    assert eve.of(Lobby)[-1].tables[0].status == "over"


async def test_who_cancels_while_the_table_is_opened_is_not_seated(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    lobby, opening = house.hall.lobby, house.hall.rooms.tables.open

    async def open_and_cancel(*what: Any, **how: Any) -> int:
        table = int(await opening(*what, **how))
        await lobby.cancel_seeks(me(anna))
        return table

    monkeypatch.setattr(house.hall.rooms.tables, "open", open_and_cancel)
    await lobby.seek(me(anna), "connect-four", {}, rated=False)
    await lobby.seek(me(bob), "connect-four", {}, rated=False)
    await until(lambda: me(anna).free and me(bob).free)
    assert not anna.of(Seated)
    monkeypatch.undo()
    carol = await house.guest("carol")
    await lobby.seek(me(carol), "connect-four", {}, rated=False)
    await until(lambda: bob.of(Seated) and carol.of(Seated))


async def test_a_cancel_that_comes_too_late_is_refused(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    lobby, begun = house.hall.lobby, asyncio.Event()
    front, wait = house.hall.rooms.front, house.hall.rooms.front._lead.ask

    async def ask(kind: str, wish: Any, answer: Any, *how: Any) -> Any:
        answered = await wait(kind, wish, answer, *how)
        if isinstance(wish.wish, Begin):
            with pytest.raises(NotFree):
                await lobby.cancel_seeks(me(anna))
            begun.set()
        return answered

    monkeypatch.setattr(front._lead, "ask", ask)
    await lobby.seek(me(anna), "connect-four", {}, rated=False)
    await lobby.seek(me(bob), "connect-four", {}, rated=False)
    await until(lambda: anna.of(Seated) and bob.of(Seated))
    assert begun.is_set()


class LateLead:
    """Lets the lead's first answer wait, and fail, until the test says so; others pass."""

    def __init__(self, house: TestHall, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.fails = asyncio.Event(), asyncio.Event()
        ask = house.hall.rooms.front.ask

        async def late(*args: Any) -> Any:
            if self.asked.is_set():
                return await ask(*args)
            self.asked.set()
            await self.fails.wait()
            raise Unavailable

        monkeypatch.setattr(house.hall.rooms.front, "ask", late)


async def test_a_seek_that_fails_late_does_not_undo_a_newer_one(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await people(house, "anna", "bob")
    lobby, late = house.hall.lobby, LateLead(house, monkeypatch)
    first = asyncio.create_task(lobby.seek(me(anna), GAME, {}, rated=False))
    await late.asked.wait()
    await lobby.seek(me(anna), GAME, {}, rated=False)
    late.fails.set()
    with pytest.raises(Unavailable):
        await first
    await lobby.seek(me(bob), GAME, {}, rated=False)
    await until(lambda: bool(anna.of(Seated)) and bool(bob.of(Seated)))


async def test_a_cancel_that_fails_late_does_not_undo_a_newer_one(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await people(house, "anna", "bob")
    lobby = house.hall.lobby
    await lobby.seek(me(anna), GAME, {}, rated=False)
    late = LateLead(house, monkeypatch)
    first = asyncio.create_task(lobby.cancel_seeks(me(anna)))
    await late.asked.wait()
    await lobby.cancel_seeks(me(anna))
    late.fails.set()
    with pytest.raises(Unavailable):
        await first
    assert not lobby.is_waiting(me(anna))
    await lobby.seek(me(bob), GAME, {}, rated=False)
    assert lobby.is_waiting(me(bob))
