"""Challenges while the store fails or people vanish: one outcome for each, and nobody is stuck."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from gamehall.errors import NotFree, Unavailable
from gamehall.hall.lobby import front
from gamehall.hall.lobby.messages import Challenge
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeRefused,
    ChallengeWithdrawn,
    NotBegun,
    Seated,
)
from gamehall.store.appends import NotWritten
from tests.hall.halls import LIMIT_SECONDS, FakeLink, TestHall, until
from tests.hall.test_seating import me

GAME = "connect-four"


async def challenge(house: TestHall, one: FakeLink, other: FakeLink) -> int:
    return await house.hall.challenges.challenge(me(one), me(other).player.id, GAME, {})


async def test_an_accept_that_fails_costs_no_other_challenge(house: TestHall) -> None:
    anna, bob, carol = [await house.guest(name) for name in ("anna", "bob", "carol")]
    to_bob, to_carol = await challenge(house, anna, bob), await challenge(house, anna, carol)
    house.store.script = [lambda _, done: done(NotWritten())]
    with pytest.raises(Unavailable):
        await house.hall.challenges.accept(me(bob), to_bob)
    assert not carol.of(ChallengeWithdrawn)
    await house.hall.challenges.accept(me(carol), to_carol)
    await until(lambda: anna.of(Seated) and carol.of(Seated))
    assert len(bob.of(ChallengeWithdrawn)) == 1


async def test_who_vanishes_while_accepting_is_refused_for(house: TestHall) -> None:
    anna, bob, carol = [await house.guest(name) for name in ("anna", "bob", "carol")]
    to_bob, to_carol = await challenge(house, anna, bob), await challenge(house, anna, carol)
    held: list[Any] = []
    house.store.script = [lambda append, done: held.append((append, done))]
    accepting = asyncio.create_task(house.hall.challenges.accept(me(bob), to_bob))
    await until(lambda: held)
    house.hall.people.disconnected(bob)
    house.store.really_append(*held[0])
    with pytest.raises(NotFree):
        await accepting
    assert [refused.reason for refused in anna.of(ChallengeRefused)] == ["gone"]
    assert me(anna).free
    await house.hall.challenges.accept(me(carol), to_carol)


async def test_who_cannot_be_seated_in_time_is_told(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    id = await challenge(house, anna, bob)
    house.store.script = [
        house.store.really_append,
        *[lambda _, done: done(NotWritten())] * 200,
    ]
    await house.hall.challenges.accept(me(bob), id)
    async with asyncio.timeout(LIMIT_SECONDS):
        while not (anna.of(NotBegun) and bob.of(NotBegun)):
            house.clock.advance(1000)
            await asyncio.sleep(0.005)
    assert me(anna).free
    assert me(bob).free


class Silent:
    """A store that does not say who sits where, so many times."""

    def __init__(self, house: TestHall, times: float, monkeypatch: pytest.MonkeyPatch) -> None:
        seats_of, self._left = house.store.seats_of, times

        async def not_said(players: Sequence[int]) -> list[tuple[int, int]]:
            self._left -= 1
            if self._left >= 0:
                raise Unavailable
            return await seats_of(players)

        monkeypatch.setattr(house.store, "seats_of", not_said)


async def test_an_accept_waits_for_the_store_to_say_who_plays(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    id = await challenge(house, anna, bob)
    Silent(house, 2, monkeypatch)
    await house.hall.challenges.accept(me(bob), id)
    await until(lambda: anna.of(Seated) and bob.of(Seated))


async def test_nobody_sits_down_if_the_store_does_not_say_who_plays(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    id = await challenge(house, anna, bob)
    Silent(house, float("inf"), monkeypatch)
    monkeypatch.setattr(front, "OPEN_MS", 150)
    with pytest.raises(Unavailable):
        await house.hall.challenges.accept(me(bob), id)
    assert me(anna).free
    assert me(bob).free


async def test_who_comes_back_and_drops_at_once_is_given_up_all_the_same(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    table = await house.hall.challenges.accept(me(bob), await challenge(house, anna, bob))
    await until(lambda: anna.of(Seated))
    online = me(anna)
    house.hall.people.disconnected(anna)
    # As when its seats were found only after it had gone again.
    house.hall.rooms.attendance.returned(online)
    house.clock.advance(61_000)
    loaded = house.hall.rooms.tables.loaded(table)
    assert loaded is not None
    await until(lambda: loaded.state.over)


async def test_who_is_about_to_sit_down_is_told_that_nothing_comes_of_its_challenge(
    house: TestHall,
) -> None:
    """It may not come to that seat."""
    anna, bob = await house.guest("anna"), await house.guest("bob")
    id = await challenge(house, anna, bob)
    house.hall.rooms.holds.hold([me(anna).player.id], "pair:1", "another node")
    house.hall.people.disconnected(bob)
    assert [refused.challenge for refused in anna.of(ChallengeRefused)] == [id]


async def test_a_challenge_that_is_told_late_says_how_much_time_is_left(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    people, due_ms = (me(anna).player, me(bob).player), house.clock.now_ms() + 20_000
    house.hall.rooms.front.know(Challenge(1, *people, GAME, {}, due_ms))
    assert [told.seconds for told in bob.of(Challenged)] == [20]
