"""The lead dies, is out of reach, or loses its lease: no wish is lost, and nobody decides twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.errors import NoSuchChallenge, Unavailable
from gamehall.games.connect_four import Drop
from gamehall.hall.beat.requests import Done
from gamehall.hall.nodes import lead
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Seated,
)
from tests.bus import redis_server
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import LEASE_SECONDS, NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME, arrive, challenge, id_of, seated
from tests.store.postgres_server import new_url


async def seek(hall: NodeHall, link: FakeLink) -> None:
    await hall.hall.lobby.seek(me(link), GAME, {}, rated=False)


def open_ids(hall: NodeHall, link: FakeLink) -> list[int]:
    return [each.id for each in hall.hall.challenges.of(me(link))]


@pytest.mark.parametrize("planned", [False, True])
async def test_the_death_of_the_lead_costs_no_wish(planned: bool) -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        assert a.hall.rooms.nodes.decides
        _, bob, carol, _, dan, eve = await arrive(halls, "anna", "bob", "carol", "x", "dan", "eve")
        id = await challenge(b, bob, carol)
        refused = await challenge(c, carol, dan)
        await until(lambda: carol.of(Challenged) and dan.of(Challenged))
        await seek(b, dan)
        await (a.stop() if planned else a.crash())
        await until(lambda: b.hall.rooms.nodes.decides)
        assert open_ids(b, bob) == [id]
        assert open_ids(c, carol) == [id, refused]
        await b.hall.challenges.refuse(me(dan), refused)
        await until(lambda: carol.of(ChallengeRefused))
        await seek(c, eve)
        await seated(dan, eve)
        await until(lambda: c.hall.rooms.nodes.lead == b.hall.rooms.nodes.name)
        await c.hall.challenges.accept(me(carol), id)
        await seated(bob, carol)
        assert (bob.of(Seated)[0].seat, carol.of(Seated)[0].seat) == (0, 1)
        # Each heard of each once.
        assert len(carol.of(Challenged)) == len(dan.of(Challenged)) == 1
        assert len(carol.of(ChallengeRefused)) == 1
        for link in (bob, carol, dan, eve):
            assert not link.of(ChallengeWithdrawn)
            assert not link.of(ChallengeExpired)
        await until(lambda: not open_ids(b, bob) and not open_ids(c, carol))


async def test_a_new_lead_does_not_end_a_challenge_that_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        monkeypatch.setattr(a.hall.rooms.front.desk, "challenge_seconds", 2.0)
        anna, bob = [await at_both(b, c, name) for name in ("anna", "bob")]
        await until(lambda: all(id_of(each) in a.hall.rooms.players.online for each in (anna, bob)))
        id = await challenge(b, anna, bob)
        await until(lambda: c.hall.challenges.of(me(bob)))
        # Nobody who lives on hears what has become of it; of the table both hear.
        b.bus.loses, c.bus.loses = frozenset({"lobby-wish"}), frozenset({"lobby-told"})
        online = c.hall.rooms.players.online[id_of(bob)]
        table = await c.hall.challenges.accept(online, id)
        assert await seated(anna, bob) == table
        assert open_ids(b, bob) == [id]
        await c.crash()
        await a.crash()
        await until(lambda: b.hall.rooms.nodes.decides)
        await until(lambda: not open_ids(b, bob))
        assert not [*anna.of(ChallengeExpired), *bob.of(ChallengeExpired)]


async def at_both(one: NodeHall, other: NodeHall, name: str) -> FakeLink:
    """The link at the first."""
    first, second = FakeLink(), FakeLink()
    welcome = await one.hall.people.hello(first, name, None)
    await other.hall.people.hello(second, None, welcome.token)
    await until(lambda: me(first).elsewhere and me(second).elsewhere)
    return first


async def test_a_new_lead_asks_everyone_whether_a_challenge_is_over() -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        _, bob, anna = await arrive(halls, "-", "bob", "anna")
        b.bus.loses = frozenset({"lobby-wish", "lobby-ended"})
        id = await challenge(c, anna, bob)
        await until(lambda: bob.of(Challenged))
        # Its end is known where it was acknowledged, and nowhere else.
        a.bus.loses = c.bus.loses = frozenset({"lobby-told"})
        await c.hall.challenges.withdraw(me(anna), id)
        assert not open_ids(c, anna)
        await a.crash()
        await until(lambda: b.hall.rooms.nodes.decides)
        with pytest.raises(Unavailable):
            await b.hall.challenges.accept(me(bob), id)
        assert open_ids(b, bob) == [id]
        b.bus.loses = frozenset()
        with pytest.raises(NoSuchChallenge):
            await b.hall.challenges.accept(me(bob), id)
        assert bob.of(ChallengeWithdrawn) == [ChallengeWithdrawn(id, "withdrawn")]
        assert not anna.of(Seated)


async def test_two_who_wait_at_different_nodes_are_paired_by_the_next_lead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        _, bob, carol = await arrive(halls, "anna", "bob", "carol")
        monkeypatch.setattr(a.hall.rooms.front.desk, "_pair", lambda _: None)
        await seek(b, bob)
        await seek(c, carol)
        await a.crash()
        await seated(bob, carol)


async def test_while_the_lead_is_out_of_reach_nobody_is_paired_and_games_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lead, "BEYOND_SECONDS", 0.3 - LEASE_SECONDS)
    async with nodes(2) as halls:
        a, b = halls
        names = ("anna", "bob", "carol", "dan", "-", "eve", "-", "finn")
        anna, bob, _, dan, _, eve, _, finn = await arrive(halls, *names)
        to_bob = await challenge(a, anna, bob)
        await until(lambda: bob.of(Challenged))
        await seek(b, dan)
        await seek(b, eve)
        table = await seated(dan, eve)
        await a.bus.close()
        for wish in (
            seek(b, finn),
            challenge(b, finn, bob),
            b.hall.challenges.accept(me(bob), to_bob),
            b.hall.challenges.refuse(me(bob), to_bob),
        ):
            with pytest.raises(Unavailable):
                await wish
        assert me(finn).free
        assert me(bob).free
        first = dan if dan.of(Seated)[0].seat == 0 else eve
        assert isinstance(await b.ask(first, table, Drop(3)), Done)


async def test_a_lead_whose_lease_has_run_out_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob, carol, dan = await arrive(halls, "anna", "bob", "carol", "dan")
        id = await challenge(b, bob, dan)
        renew = a.database.renew

        async def fail(*_: Any) -> Any:
            raise Unavailable

        monkeypatch.setattr(a.database, "renew", fail)
        both = asyncio.ensure_future(never_both(halls))
        await until(lambda: not a.hall.rooms.nodes.decides)
        for wish in (seek(a, anna), challenge(a, anna, carol)):
            with pytest.raises(Unavailable):
                await wish
        assert not carol.of(Challenged)
        await until(lambda: b.hall.rooms.nodes.decides)
        await until(lambda: id in b.hall.rooms.front.desk._cases)
        await b.hall.challenges.accept(me(dan), id)
        await seated(bob, dan)
        # It comes back, is the first by name again, and leads when the other knows it.
        monkeypatch.setattr(a.database, "renew", renew)
        await until(lambda: a.hall.rooms.nodes.decides)
        await seek(a, anna)
        await seek(a, carol)
        await seated(anna, carol)
        assert id_of(bob) not in a.hall.rooms.front.seeks
        both.cancel()
        with pytest.raises(asyncio.CancelledError):
            await both


async def test_a_node_that_comes_and_is_the_first_by_name_leads_when_all_know_it() -> None:
    url, prefix = await new_url(), redis_server.new_prefix()
    b, a = NodeHall(url, prefix, name="b"), NodeHall(url, prefix, name="a")
    halls = [b]
    try:
        await b.start()
        assert b.hall.rooms.nodes.decides
        both = asyncio.ensure_future(never_both(halls))
        bob = await b.guest("bob")
        await seek(b, bob)
        await a.start()
        halls.append(a)
        anna = await a.guest("anna")
        await until(lambda: a.hall.rooms.nodes.decides)
        await until(lambda: b.hall.rooms.nodes.lead == "a")
        await seek(a, anna)
        await seated(anna, bob)
        both.cancel()
        with pytest.raises(asyncio.CancelledError):
            await both
    finally:
        for hall in (a, b):
            await hall.stop()


async def never_both(halls: list[NodeHall]) -> None:
    while True:
        assert sum(hall.hall.rooms.nodes.decides for hall in halls) <= 1
        await asyncio.sleep(0.001)
