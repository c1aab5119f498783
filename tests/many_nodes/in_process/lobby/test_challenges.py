"""Challenges between people at different nodes: each has one end, and both are told."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import HallError, NoSuchChallenge, NoSuchPlayer, NotFree, TooMany
from gamehall.hall.lobby.desk import CHALLENGES_MAX
from gamehall.hall.nodes import lead
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Seated,
    TableView,
)
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import LEASE_SECONDS, NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME, arrive, challenge, id_of, owners, seated


def open_ids(hall: NodeHall, link: FakeLink) -> list[int]:
    return [each.id for each in hall.hall.challenges.of(me(link))]


async def test_an_accepted_challenge_seats_both_at_one_table_the_challenger_first() -> None:
    async with nodes(3) as halls:
        a, b, _ = halls
        anna, bob = await arrive(halls[:2], "anna", "bob")
        id = await challenge(a, anna, bob)
        await until(lambda: bob.of(Challenged))
        told = bob.of(Challenged)[0]
        assert (told.challenge, told.player, told.name) == (id, id_of(anna), "anna")
        assert open_ids(a, anna) == open_ids(b, bob) == [id]
        table = await b.hall.challenges.accept(me(bob), id)
        assert await seated(anna, bob) == table
        assert (anna.of(Seated)[0].seat, bob.of(Seated)[0].seat) == (0, 1)
        assert [link.of(TableView)[-1].status for link in (anna, bob)] == ["playing"] * 2
        assert owners(halls, table) == (1, 1)
        await until(lambda: not open_ids(a, anna) and not open_ids(b, bob))
        with pytest.raises(NoSuchChallenge):
            await b.hall.challenges.accept(me(bob), id)


async def test_refused_withdrawn_expired(monkeypatch: pytest.MonkeyPatch) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        id = await challenge(a, anna, bob)
        with pytest.raises(NoSuchChallenge):
            await a.hall.challenges.refuse(me(anna), id)
        await b.hall.challenges.refuse(me(bob), id)
        await until(lambda: anna.of(ChallengeRefused))
        assert anna.of(ChallengeRefused)[0] == ChallengeRefused(id, id_of(bob), "refused")

        id = await challenge(a, anna, bob)
        with pytest.raises(NoSuchChallenge):
            await b.hall.challenges.withdraw(me(bob), id)
        await a.hall.challenges.withdraw(me(anna), id)
        await until(lambda: bob.of(ChallengeWithdrawn))
        assert bob.of(ChallengeWithdrawn)[0] == ChallengeWithdrawn(id, "withdrawn")
        assert not open_ids(a, anna)
        assert not open_ids(b, bob)

        monkeypatch.setattr(a.hall.rooms.front.desk, "challenge_seconds", 0.2)
        id = await challenge(a, anna, bob)
        await until(lambda: anna.of(ChallengeExpired) and bob.of(ChallengeExpired))
        with pytest.raises(NoSuchChallenge):
            await b.hall.challenges.accept(me(bob), id)


async def test_challenges_that_cross_make_one_game() -> None:
    async with nodes(2) as halls:
        a, b = halls
        for names in (("anna", "bob"), ("carol", "dan"), ("eve", "finn")):
            one, other = await arrive(halls, *names)
            await asyncio.gather(challenge(a, one, other), challenge(b, other, one))
            await seated(one, other)
            assert one.of(Seated)[0].seat == 0
        one, other = await arrive(halls, "gina", "hal")
        first = await challenge(a, one, other)
        await until(lambda: other.of(Challenged))
        assert await challenge(b, other, one) == first
        await seated(one, other)


async def test_who_cannot_be_challenged_answers_as_at_one_node() -> None:
    async with nodes(2) as halls:
        a, _ = halls
        anna, bob, carol, dan = await arrive(halls, "anna", "bob", "carol", "dan")
        with pytest.raises(NoSuchPlayer):
            await a.hall.challenges.challenge(me(anna), 4711, GAME, {})
        await challenge(a, anna, bob)
        with pytest.raises(TooMany):
            await challenge(a, anna, bob)
        await halls[1].hall.lobby.seek(me(bob), GAME, {}, rated=False)
        await halls[1].hall.lobby.seek(me(dan), GAME, {}, rated=False)
        await seated(bob, dan)
        with pytest.raises(NotFree):
            await challenge(a, carol, bob)


async def test_the_limits_hold_at_both_nodes() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna = (await arrive(halls[:1], "anna"))[0]
        targets = await arrive(halls[1:], *(f"t{n}" for n in range(CHALLENGES_MAX + 1)))
        await until(lambda: all(id_of(each) in a.hall.rooms.players.online for each in targets))
        sent = await asyncio.gather(
            *(challenge(a, anna, target) for target in targets), return_exceptions=True
        )
        assert sum(isinstance(each, TooMany) for each in sent) == 1
        assert sum(isinstance(each, int) for each in sent) == CHALLENGES_MAX
        senders = await arrive(halls[:1], *(f"s{n}" for n in range(CHALLENGES_MAX + 1)))
        bob = (await arrive(halls[1:], "bob"))[0]
        await until(lambda: id_of(bob) in a.hall.rooms.players.online)
        sent = await asyncio.gather(
            *(challenge(a, sender, bob) for sender in senders), return_exceptions=True
        )
        assert sum(isinstance(each, NotFree) for each in sent) == 1
        await until(lambda: len(open_ids(b, bob)) == CHALLENGES_MAX)


async def test_who_sits_down_or_goes_drops_out_of_every_challenge() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob, carol, dan = await arrive(halls, "anna", "bob", "carol", "dan")
        to_bob = await challenge(a, anna, bob)
        to_dan = await challenge(a, anna, dan)
        from_bob = await challenge(b, bob, carol)
        await until(lambda: carol.of(Challenged) and dan.of(Challenged))
        await b.hall.challenges.accept(me(bob), to_bob)
        await seated(anna, bob)
        await until(lambda: dan.of(ChallengeWithdrawn) and carol.of(ChallengeWithdrawn))
        assert dan.of(ChallengeWithdrawn)[0] == ChallengeWithdrawn(to_dan, "playing")
        assert carol.of(ChallengeWithdrawn)[0] == ChallengeWithdrawn(from_bob, "playing")
        id = await challenge(a, carol, dan)
        await until(lambda: len(dan.of(Challenged)) == 2)
        b.hall.people.disconnected(dan)
        await until(lambda: carol.of(ChallengeRefused))
        assert carol.of(ChallengeRefused)[0].challenge == id
        assert carol.of(ChallengeRefused)[0].reason == "gone"
        eve = (await arrive(halls[1:], "eve"))[0]
        await until(lambda: id_of(eve) in a.hall.rooms.players.online)
        id = await challenge(a, carol, eve)
        await until(lambda: eve.of(Challenged))
        a.hall.people.disconnected(carol)
        await until(lambda: eve.of(ChallengeWithdrawn))
        assert eve.of(ChallengeWithdrawn)[0] == ChallengeWithdrawn(id, "gone")


@pytest.mark.parametrize("planned", [False, True])
async def test_whose_opponents_node_goes_is_told(planned: bool) -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        anna, bob, carol = await arrive(halls, "anna", "bob", "carol")
        bobs_id = id_of(bob)
        to_bob = await challenge(a, anna, bob)
        from_bob = await challenge(b, bob, carol)
        await until(lambda: carol.of(Challenged))
        await (b.stop() if planned else b.crash())
        await until(lambda: anna.of(ChallengeRefused) and carol.of(ChallengeWithdrawn))
        assert anna.of(ChallengeRefused)[0] == ChallengeRefused(to_bob, bobs_id, "gone")
        assert carol.of(ChallengeWithdrawn)[0] == ChallengeWithdrawn(from_bob, "gone")
        assert not open_ids(a, anna)
        assert not open_ids(c, carol)
        # Who is left finds each other.
        id = await challenge(a, anna, carol)
        await until(lambda: len(carol.of(Challenged)) == 2)
        await c.hall.challenges.accept(me(carol), id)
        await seated(anna, carol)


async def test_who_is_out_of_the_leads_reach_is_told_that_its_challenge_is_over() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        to_anna = await challenge(b, bob, anna)
        await until(lambda: anna.of(Challenged))
        # As when b's lease was out for a moment.
        a.hall.rooms.presence.node_gone(b.hall.rooms.nodes.name)
        await until(lambda: bob.of(ChallengeExpired) and anna.of(ChallengeWithdrawn))
        assert bob.of(ChallengeExpired) == [ChallengeExpired(to_anna)]
        assert not open_ids(b, bob)


async def test_withdrawing_while_it_is_accepted_has_one_outcome() -> None:
    async with nodes(2) as halls:
        a, b = halls
        for n in range(6):
            anna, bob = await arrive(halls, f"anna{n}", f"bob{n}")
            await withdraw_while_accepting(a, b, anna, bob, n / 1000)


async def withdraw_while_accepting(
    a: NodeHall, b: NodeHall, anna: FakeLink, bob: FakeLink, seconds: float
) -> None:
    """As much later as that; whichever is first counts."""
    id = await challenge(a, anna, bob)
    await until(lambda: bob.of(Challenged))
    accepting = asyncio.ensure_future(b.hall.challenges.accept(me(bob), id))
    await asyncio.sleep(seconds)
    try:
        await a.hall.challenges.withdraw(me(anna), id)
    except NoSuchChallenge:
        await accepting
        await seated(anna, bob)
    else:
        with pytest.raises(HallError):
            await accepting
        await until(lambda: me(anna).free and me(bob).free)
        await until(lambda: bob.of(ChallengeWithdrawn))
        assert not anna.of(Seated)


@pytest.mark.parametrize("lost", ["over", "opened"])
async def test_what_the_bus_loses_leaves_no_ghost(
    lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        if lost == "opened":
            monkeypatch.setattr(a.hall.rooms.front.desk, "challenge_seconds", 3.0)
            lose(halls, "lobby-told")
        id = await challenge(a, anna, bob)
        if lost == "over":
            await until(lambda: bob.of(Challenged))
            lose(halls, "lobby-told")
            await a.hall.challenges.withdraw(me(anna), id)
            # What was not heard of before is found out now.
            with pytest.raises(NoSuchChallenge):
                await b.hall.challenges.accept(me(bob), id)
            assert bob.of(ChallengeWithdrawn)
        else:
            assert open_ids(a, anna) == [id]
        await until(lambda: not open_ids(a, anna) and not open_ids(b, bob))
        lose(halls)
        id = await challenge(a, anna, bob)
        await until(lambda: open_ids(b, bob) == [id])
        await b.hall.challenges.accept(me(bob), id)
        await seated(anna, bob)


def lose(halls: list[NodeHall], *kinds: str) -> None:
    for hall in halls:
        hall.bus.loses = frozenset(kinds)


async def test_a_challenge_whose_beginning_the_bus_loses_is_told_again() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        lose(halls, "lobby-told")
        id = await challenge(a, anna, bob)
        lose(halls)
        await until(lambda: bob.of(Challenged))
        await b.hall.challenges.accept(me(bob), id)
        await seated(anna, bob)
        assert len(bob.of(Challenged)) == 1


async def test_an_accept_whose_answer_gets_lost_leaves_both_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        id = await challenge(a, anna, bob)
        await until(lambda: bob.of(Challenged))
        a.bus.loses = frozenset({"answer"})
        with monkeypatch.context() as patched:
            patched.setattr(lead, "BEYOND_SECONDS", 0.3 - LEASE_SECONDS)
            with pytest.raises(HallError):
                await b.hall.challenges.accept(me(bob), id)
        a.bus.loses = frozenset()
        await until(lambda: me(anna).free and me(bob).free)
        assert open_ids(b, bob) == [id]
        await until(lambda: open_ids(a, anna) == [id])
        await until(lambda: b.hall.rooms.players.online[id_of(anna)].free)
        await b.hall.challenges.accept(me(bob), id)
        await seated(anna, bob)


async def test_who_is_connected_to_two_nodes_hears_and_answers_at_both() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna = (await arrive(halls[:1], "anna"))[0]
        at_a, at_b = FakeLink(), FakeLink()
        welcome = await a.hall.people.hello(at_a, "bob", None)
        await b.hall.people.hello(at_b, None, welcome.token)
        await until(lambda: me(at_a).elsewhere and me(at_b).elsewhere)
        id = await challenge(a, anna, at_a)
        await until(lambda: at_a.of(Challenged) and at_b.of(Challenged))
        await b.hall.challenges.refuse(me(at_b), id)
        await until(lambda: anna.of(ChallengeRefused))
        id = await challenge(a, anna, at_a)
        await until(lambda: len(at_b.of(Challenged)) == 2)
        await b.hall.challenges.accept(me(at_b), id)
        await seated(anna, at_a, at_b)
        await until(lambda: not open_ids(b, at_b) and not open_ids(a, at_a))


async def test_who_comes_to_another_node_can_answer_there() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna = (await arrive(halls[:1], "anna"))[0]
        bob, again = FakeLink(), FakeLink()
        welcome = await a.hall.people.hello(bob, "bob", None)
        id = await challenge(a, anna, bob)
        await b.hall.people.hello(again, None, welcome.token)
        await until(lambda: open_ids(b, again) == [id])
        a.hall.people.disconnected(bob)
        await until(lambda: b.hall.rooms.players.online[welcome.player.id].elsewhere == {})
        await b.hall.challenges.accept(me(again), id)
        await seated(anna, again)
