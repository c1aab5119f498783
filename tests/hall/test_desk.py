"""What the lead keeps of the lobby: who waits for what, and pairings that take their time."""

from __future__ import annotations

import asyncio
from time import process_time
from typing import Any

import pytest

from gamehall.errors import NoSuchChallenge, NotFree, Unavailable
from gamehall.hall.lobby.messages import (
    Again,
    Answer,
    Begin,
    Challenge,
    Heard,
    Outcome,
    Over,
    Pairing,
    SeekKey,
    Seeks,
    TakeUp,
    Wish,
)
from gamehall.hall.lobby.seek_book import SeekBook
from gamehall.hall.people.notices import ChallengeExpired, Seated
from gamehall.hall.seats.holds import HOLD_MS
from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_seating import me

CHESS, GO, MILL = (SeekKey(name, b"{}", False) for name in ("chess", "go", "mill"))


def test_who_waits_for_the_same_waits_in_order() -> None:
    book = SeekBook()
    assert book.set("a", Seeks(1, (CHESS, GO))) == [CHESS, GO]
    assert book.set("b", Seeks(2, (CHESS,))) == [CHESS]
    assert book.shared() == [CHESS]
    assert list(book.waiting(CHESS)) == [(1, "a"), (2, "b")]
    # Said again it keeps its place.
    assert book.set("a", Seeks(1, (MILL, CHESS))) == [MILL]
    assert list(book.waiting(CHESS)) == [(1, "a"), (2, "b")]
    assert not list(book.waiting(GO))


def test_who_waits_at_two_nodes_waits_at_each() -> None:
    book = SeekBook()
    for node, player in (("a", 1), ("b", 1), ("a", 2)):
        book.set(node, Seeks(player, (CHESS,)))
    book.remove_node("a", but=[2])
    assert list(book.waiting(CHESS)) == [(1, "b"), (2, "a")]
    book.set("b", Seeks(1, ()))
    assert list(book.waiting(CHESS)) == [(2, "a")]
    book.remove_node("a")
    assert not list(book.waiting(CHESS))
    assert (book._waiting, book._of) == ({}, {})


async def test_telling_of_many_who_wait_for_different_things_is_cheap(house: TestHall) -> None:
    """A node does so every second."""
    people = range(1, 1001)
    seeks = tuple(
        Seeks(player, tuple(SeekKey("chess", f"{player} {n}".encode(), False) for n in range(8)))
        for player in people
    )
    desk, again = house.hall.rooms.front.desk, Wish(Again(seeks, ()))
    desk.decide("other", again)
    began = process_time()
    desk.decide("other", again)
    assert process_time() - began < 0.5


async def test_an_accept_that_failed_does_not_end_the_next_one(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    hall, desk = house.hall, house.hall.rooms.front.desk
    target = me(bob).player.id
    id = await hall.challenges.challenge(me(anna), target, "connect-four", {})
    accept = Wish(Answer(target, id, "accept"))
    pairing = desk.decide("other", accept)
    assert isinstance(pairing, Pairing)
    hall.rooms.front.tell_people(
        Outcome(pairing.origin, pairing.people, pairing.by), pairing.people
    )
    house.clock.advance(HOLD_MS // 2)
    desk.decide("other", accept)
    house.clock.advance(HOLD_MS // 2 + 1)
    with pytest.raises(NoSuchChallenge):
        desk.decide("other", accept)
    # Of the second nothing is heard either.
    house.clock.advance(HOLD_MS // 2)
    assert me(anna).free
    desk.decide("other", accept)


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("silent", [False, True])
async def test_a_challenge_whose_game_may_have_begun_does_not_expire(
    begun: bool, silent: bool, house: TestHall
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    desk, challenge = house.hall.rooms.front.desk, await challenged(house, anna, bob)
    desk.decide("other", Wish(Answer(challenge.target.id, challenge.id, "accept")))
    if begun:
        desk.decide("other", Wish(Begin(challenge.origin)))
    # Of the node that was to seat them nothing is heard any more.
    if not silent:
        desk.node_gone("other")
    house.clock.advance(max(HOLD_MS, challenge.due_ms - house.clock.now_ms()) + 1)
    assert bool(anna.of(ChallengeExpired)) != begun
    reason = "" if begun else "expired"
    heard = desk.decide("other", Wish(Again((), (challenge.id,))))
    assert heard == Heard((Over(challenge.id, 0, reason),))


async def test_a_new_lead_takes_up_what_is_neither_played_nor_due(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    desk, challenge = house.hall.rooms.front.desk, await challenged(house, anna, bob)
    accept, told = Answer(challenge.target.id, challenge.id, "accept"), TakeUp((challenge,))
    desk.clear()
    with pytest.raises(NoSuchChallenge):
        desk.decide("other", Wish(accept))
    await desk.take_up("other", told)
    assert isinstance(desk.decide("other", Wish(accept)), Pairing)
    # Every lead before it may have told that it has expired.
    desk.clear()
    house.clock.correct(challenge.due_ms - house.clock.now_ms())
    await desk.take_up("other", told)
    with pytest.raises(NoSuchChallenge):
        desk.decide("other", Wish(accept))


async def test_who_leads_anew_looks_anew(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    desk, challenge = house.hall.rooms.front.desk, await challenged(house, anna, bob)
    taking_up = asyncio.ensure_future(desk.take_up("other", TakeUp((challenge,))))
    await asyncio.sleep(0)
    # Another has led for a moment.
    desk.clear()
    with pytest.raises(Unavailable):
        await taking_up
    heard = desk.decide("other", Wish(Again((), (challenge.id,))))
    assert heard == Heard((), (challenge.id,))


async def challenged(house: TestHall, anna: FakeLink, bob: FakeLink) -> Challenge:
    target = me(bob).player.id
    await house.hall.challenges.challenge(me(anna), target, "connect-four", {})
    [challenge] = house.hall.challenges.of(me(bob))
    return challenge


async def test_the_node_that_opens_the_table_is_told_so_also_when_the_player_has_left_it(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    hall, desk = house.hall, house.hall.rooms.front.desk
    told: list[tuple[set[str], Any]] = []
    monkeypatch.setattr(desk, "_tell", lambda nodes, said: told.append((set(nodes), said)))
    await hall.lobby.seek(me(anna), "connect-four", {}, rated=False)
    (key,) = hall.rooms.front.seeks[me(anna).player.id]
    desk.decide("other", Wish(Seeks(me(bob).player.id, (key,))))
    [(nodes, pairing)] = told
    assert pairing.by == "other"
    assert nodes == {hall.rooms.nodes.name, "other"}


async def test_a_cancel_is_refused_that_comes_from_a_node_without_news_of_the_game(
    house: TestHall,
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    hall, desk, anna_id = house.hall, house.hall.rooms.front.desk, me(anna).player.id
    await hall.lobby.seek(me(anna), "connect-four", {}, rated=False)
    desk.decide("other", Wish(Seeks(anna_id, hall.rooms.front.seeks[anna_id])))
    await hall.lobby.seek(me(bob), "connect-four", {}, rated=False)
    await until(lambda: anna.of(Seated))
    with pytest.raises(NotFree):
        desk.decide("other", Wish(Seeks(anna_id, ())))
    # That it waits no more is noted all the same.
    assert not desk._seeks.of(anna_id, "other")


async def test_who_has_gone_and_is_back_is_not_brought_to_the_table_of_before(
    house: TestHall,
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    hall, desk, player = house.hall, house.hall.rooms.front.desk, me(bob).player
    await hall.lobby.seek(me(anna), "connect-four", {}, rated=False)
    keys = hall.rooms.front.seeks[me(anna).player.id]
    desk.decide("other", Wish(Seeks(player.id, keys)))
    origin = hall.rooms.holds.origin(player.id)
    assert origin
    hall.people.disconnected(bob)
    hall.rooms.players.attach(FakeLink(), player)
    with pytest.raises(NotFree):
        desk.decide("other", Wish(Begin(origin)))


async def test_who_was_held_for_a_game_that_is_over_is_held_for_the_next_alone(
    house: TestHall,
) -> None:
    anna, bob, carol = [await house.guest(name) for name in ("anna", "bob", "carol")]
    holds, (first, second, third) = (
        house.hall.rooms.holds,
        [me(link).player.id for link in (anna, bob, carol)],
    )
    table, until_ms = 77, house.clock.now_ms() + 6000
    holds.take([first, second], "pair:1", "other")
    holds.opened([first, second], "pair:1", table, until_ms)
    # She has left it again before anyone here has heard of the seat.
    house.hall.rooms.attendance._unfollow(first, table)
    holds.take([first, third], "pair:2", "other")
    assert not me(anna).free
    with pytest.raises(NotFree):
        holds.take([first, third], "pair:3", "other")


async def test_who_gives_up_too_late_waits_no_more_all_the_same(house: TestHall) -> None:
    """Its node has heard of the table before the lead has, and says that the wish is granted."""
    anna, bob = await house.guest("anna"), await house.guest("bob")
    hall, desk, bob_id = house.hall, house.hall.rooms.front.desk, me(bob).player.id
    await hall.lobby.seek(me(anna), "connect-four", {}, rated=False)
    keys = hall.rooms.front.seeks[me(anna).player.id]
    desk.decide("other", Wish(Seeks(bob_id, keys)))
    desk.decide("other", Wish(Begin(hall.rooms.holds.origin(bob_id))))
    with pytest.raises(NotFree):
        desk.decide("other", Wish(Seeks(bob_id, ())))
    assert not desk._seeks.of(bob_id, "other")
