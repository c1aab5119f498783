"""A portal comes to the door and asks how a match stands that is played in this hall."""

from __future__ import annotations

import pytest

from gamehall.errors import NoSuchMatch
from tests.doors.arena.game_server import Ended, Transport, ints, registration
from tests.doors.arena.portals import PortalHall


async def test_a_match_that_waits_here(at: PortalHall, transport: Transport) -> None:
    await at.hall.hall.matches.create("bingo-duel", 55, (7, 8), "the key")
    portal = at.game_server(transport)
    await portal.connect()
    for _ in range(3):
        await portal.wire.send(ints(3, 55))
        assert [await portal.wire.number() for _ in range(2)] == [3, 0]
    assert await at.servers() == [], "it has registered nothing"


async def test_a_match_that_nobody_knows(at: PortalHall, transport: Transport) -> None:
    """It is told so, and may go on asking."""
    await at.hall.hall.matches.create("bingo-duel", 55, (7, 8), "the key")
    portal = at.game_server(transport)
    await portal.connect()
    for unknown in (56, 0, -1, 2**31 - 1):
        await portal.wire.send(ints(3, unknown), ints(3, 55))
        assert await portal.read_answer() == "There is no match of this number."
        assert [await portal.wire.number() for _ in range(2)] == [3, 0]


@pytest.mark.parametrize("packet", [ints(1), ints(0, 0), ints(2, 55, 1, 0), registration()])
async def test_who_asks_does_nothing_else(
    at: PortalHall, transport: Transport, packet: bytes
) -> None:
    portal = at.game_server(transport)
    await portal.connect()
    await portal.wire.send(ints(3, 55))
    assert await portal.read_answer() is not None
    await portal.wire.send(packet)
    assert await portal.read_answer() is not None
    with pytest.raises(Ended):
        await portal.read_answer()


async def test_what_the_hall_makes_and_what_it_plays_are_not_the_same(at: PortalHall) -> None:
    """A match of our own at another server is none that is played here."""
    _, id = await at.registered("tcp")
    match = (await at.made(id)).match
    with pytest.raises(NoSuchMatch):
        await at.hall.hall.matches.progress(match)
