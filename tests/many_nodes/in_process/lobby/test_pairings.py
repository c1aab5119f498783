"""From a pairing to its table: until the lead hears of the table, it may be called off."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehall.errors import NoSuchChallenge, NotFree, Unavailable
from gamehall.hall.nodes import lead
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeRefused,
    ChallengeWithdrawn,
    Seated,
)
from gamehall.hall.seats import table_talk
from gamehall.hall.seats.holds import HOLD_MS
from tests.bus import redis_server
from tests.hall.halls import LIMIT_SECONDS, FakeLink, until
from tests.many_nodes.in_process.halls import LEASE_SECONDS, NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME, arrive, challenge, known, seated
from tests.store.postgres_server import new_url


async def seek(hall: NodeHall, link: FakeLink) -> None:
    await hall.hall.lobby.seek(me(link), GAME, {}, rated=False)


class SlowTables:
    """The tables of a node, which open when they may."""

    def __init__(self, hall: NodeHall, monkeypatch: pytest.MonkeyPatch) -> None:
        opening = hall.hall.rooms.tables.open
        self.asked, self.may = asyncio.Event(), asyncio.Event()

        async def slow(*what: Any, **how: Any) -> int:
            self.asked.set()
            await self.may.wait()
            return int(await opening(*what, **how))

        monkeypatch.setattr(hall.hall.rooms.tables, "open", slow)


@pytest.mark.parametrize("who", [0, 1])
async def test_who_cancels_while_the_table_is_opened_is_not_seated(
    who: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with nodes(3) as halls:
        _, b, c = halls
        links = (await arrive(halls, "-", "bob", "carol"))[1:]
        tables = SlowTables(c, monkeypatch)
        await seek(b, links[0])
        await seek(c, links[1])
        await asyncio.wait_for(tables.asked.wait(), LIMIT_SECONDS)
        await (b, c)[who].hall.lobby.cancel_seeks(me(links[who]))
        await until(lambda: all(me(link).free for link in links))
        tables.may.set()
        # The other waits on.
        dan = await b.guest("dan")
        await seek(b, dan)
        await seated(links[1 - who], dan)
        assert me(links[who]).free


async def test_an_accept_that_failed_at_one_node_does_not_end_that_at_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        [anna] = await arrive(halls[:1], "anna")
        at_b, at_c = FakeLink(), FakeLink()
        welcome = await b.hall.people.hello(at_b, "bob", None)
        await c.hall.people.hello(at_c, None, welcome.token)
        await until(lambda: (online := known(a, at_b)) and len(online.elsewhere) == 2)
        id = await challenge(a, anna, at_b)
        await until(lambda: at_b.of(Challenged) and at_c.of(Challenged))
        tables = SlowTables(b, monkeypatch)
        accepting = asyncio.ensure_future(b.hall.challenges.accept(me(at_b), id))
        await asyncio.wait_for(tables.asked.wait(), LIMIT_SECONDS)
        c.bus.loses = frozenset({"lobby-wish"})
        with monkeypatch.context() as patched:
            patched.setattr(lead, "BEYOND_SECONDS", 0.3 - LEASE_SECONDS)
            with pytest.raises(Unavailable):
                await c.hall.challenges.accept(me(at_c), id)
        c.bus.loses = frozenset()
        # What comes from there after that has been heard too.
        await c.hall.rooms.front.again()
        assert not me(anna).free
        tables.may.set()
        await accepting
        await seated(anna, at_b, at_c)


async def test_two_of_whose_pairing_a_node_did_not_hear_are_soon_paired_anew() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, bob = await arrive(halls, "anna", "bob")
        await seek(a, anna)
        a.bus.loses = frozenset({"lobby-told"})
        await seek(b, bob)
        assert not me(anna).free
        a.bus.loses = frozenset()
        async with asyncio.timeout(HOLD_MS / 1000 - 3):
            await seated(anna, bob)


async def test_a_new_lead_does_not_open_a_challenge_anew_whose_end_one_node_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        _, bob, carol = await arrive(halls, "anna", "bob", "carol")
        id = await challenge(b, bob, carol)
        await until(lambda: carol.of(Challenged))
        send = a.bus.send

        def lose_to_c(to: str, message: bytes) -> None:
            if to != c.hall.rooms.nodes.name:
                send(to, message)

        monkeypatch.setattr(a.bus, "send", lose_to_c)
        await b.hall.challenges.withdraw(me(bob), id)
        await until(lambda: not b.hall.challenges.of(me(bob)))
        await a.crash()
        await until(lambda: c.hall.rooms.nodes.lead == b.hall.rooms.nodes.name)
        with pytest.raises(NoSuchChallenge):
            await until_accepted(c, carol, id)
        await until(lambda: carol.of(ChallengeWithdrawn))
        assert me(bob).free


async def until_accepted(hall: NodeHall, link: FakeLink, id: int) -> None:
    """Returns when the lead has decided it."""
    while True:
        try:
            await hall.hall.challenges.accept(me(link), id)
            return
        except Unavailable:
            await asyncio.sleep(0.02)


async def test_a_wish_waits_for_a_lead_that_waits_for_its_lease() -> None:
    url, prefix = await new_url(), redis_server.new_prefix()
    b, a = NodeHall(url, prefix, name="b"), NodeHall(url, prefix, name="a")
    try:
        await b.start()
        bob, carol = await b.guest("bob"), await b.guest("carol")
        await a.start()
        await until(lambda: b.hall.rooms.nodes.lead == "a")
        assert a.hall.rooms.nodes.settling_seconds > 5
        await until(lambda: all(known(a, link) for link in (bob, carol)))
        await asyncio.gather(seek(b, bob), seek(b, carol))
        await seated(bob, carol)
    finally:
        for hall in (a, b):
            await hall.stop()


async def plays_unheard(a: NodeHall, b: NodeHall, monkeypatch: pytest.MonkeyPatch) -> FakeLink:
    """Anna, who is at `a`: a tournament at `b` seats her, and the message gets lost."""
    monkeypatch.setattr(table_talk, "LOOK_SECONDS", 3600)
    [anna] = await arrive([a], "anna")
    await until(lambda: known(b, anna))
    cup = await b.hall.tournaments.open({"format": "round-robin", "game": GAME})
    await a.hall.tournaments.enter(me(anna), cup, "")
    await b.hall.tournaments.enter_bots(cup, ["random"])
    b.bus.loses = frozenset({"seated"})
    await b.hall.tournaments.begin(cup, None)
    await until(lambda: (online := known(b, anna)) and online.busy)
    assert me(anna).free
    return anna


async def test_who_plays_where_the_lead_has_not_heard_of_it_plays_no_challenge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        anna = await plays_unheard(a, b, monkeypatch)
        [bob] = await arrive([a], "bob")
        id = await challenge(a, bob, anna)
        with pytest.raises(NotFree):
            await a.hall.challenges.accept(me(anna), id)
        assert me(bob).free
        await a.hall.rooms.table_talk._look_up_seats()
        await until(lambda: bob.of(ChallengeRefused))
        assert [refused.reason for refused in bob.of(ChallengeRefused)] == ["playing"]
        assert len(me(anna).seated) == 1


async def test_who_plays_where_the_lead_has_not_heard_of_it_is_paired_with_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        anna = await plays_unheard(a, b, monkeypatch)
        [bob] = await arrive([a], "bob")
        await seek(a, anna)
        await seek(a, bob)
        await until(lambda: me(bob).free)
        assert not bob.of(Seated)
        await a.hall.rooms.table_talk._look_up_seats()
        assert len(me(anna).seated) == 1
        # The other waits on.
        carol = await b.guest("carol")
        await seek(b, carol)
        await seated(bob, carol)
