"""Doors at different nodes: the `four` door, whose people challenge, and one without views."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from gamehall.hall.people.guests import Guests
from gamehall.hall.people.notices import TableView
from gamehall.limits import Limits
from gamehall.store.people import Player
from gamehall.table_log.house import Started
from gamehall.wire.four.dialect import FourLink
from gamehall.wire.net.codec import LineCodec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.tcp import serve_tcp
from tests.doors.four.clients import Four
from tests.doors.four.playing import WON_BY_SECOND, over, play, start, started
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME


@asynccontextmanager
async def four_door(hall: NodeHall) -> AsyncIterator[int]:
    """Its port."""
    keeper = Doorkeeper(Limits())
    listening = await serve_tcp(
        keeper,
        "four",
        "127.0.0.1",
        0,
        lambda channel: FourLink(hall.hall, channel),
        partial(LineCodec, 65536),
    )
    try:
        yield listening.port
    finally:
        await listening.close()
        await keeper.close()


async def know(halls: list[NodeHall], *people: Four) -> None:
    def all_known() -> bool:
        return all(p.number in hall.hall.rooms.players.online for hall in halls for p in people)

    await until(all_known)


async def test_clients_of_the_four_door_at_two_nodes_challenge_and_play() -> None:
    async with nodes(2) as halls, four_door(halls[0]) as port, four_door(halls[1]) as other:
        anna = await (await Four.connect(port)).register("anna")
        bob = await (await Four.connect(other)).register("bob")
        await know(halls, anna, bob)
        anna.send("LIST_PLAYERS")
        assert await anna.take("LIST_PLAYERS") == {"players": [{"id": bob.id, "name": "bob"}]}
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED", challenger_id=anna.id)
        bob.refuse(anna)
        assert await anna.take("CHALLENGE_REFUSED") == {"message": "bob has refused."}
        await start(anna, bob)
        await play(anna, bob, WON_BY_SECOND)
        await over(anna, bob, bob)
        await until(lambda: all(is_free(hall, p) for hall in halls for p in (anna, bob)))
        anna.challenge(bob)
        bob.challenge(anna)
        await bob.take("CHALLENGE_RECEIVED", challenger_id=anna.id)
        await started(anna, bob)
        anna.send("DISCONNECT")
        await anna.end()
        assert await bob.take("GAME_OVER")
        await bob.close()


def is_free(hall: NodeHall, player: Four) -> bool:
    return hall.hall.rooms.players.online[player.number].challengeable


async def test_who_goes_while_the_other_waits_is_refused_for() -> None:
    async with nodes(2) as halls, four_door(halls[0]) as port, four_door(halls[1]) as other:
        anna = await (await Four.connect(port)).register("anna")
        bob = await (await Four.connect(other)).register("bob")
        await know(halls, anna, bob)
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED", challenger_id=anna.id)
        await halls[1].crash()
        assert await anna.take("CHALLENGE_REFUSED") == {"message": "bob has left."}
        await anna.close()


async def test_who_comes_back_as_its_game_begins_is_told_of_it_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_seated = Guests.is_seated
    async with nodes(1) as (hall,), four_door(hall) as port:
        anna = await (await Four.connect(port)).register("anna")
        bob = await (await Four.connect(port)).register("bob")
        await start(anna, bob)

        async def begun_meanwhile(self: Guests, player: Player) -> bool:
            online = hall.hall.rooms.players.online[player.id]
            for table in tuple(online.seated):
                for link in tuple(online.links):
                    await hall.hall.seating.send_view(link, table)
            return await is_seated(self, player)

        monkeypatch.setattr(Guests, "is_seated", begun_meanwhile)
        await bob.reset()
        again = await (await Four.connect(port)).register("bob")
        assert again.id == bob.id
        await again.take("GAME_START")
        await again.take("GAME_UPDATE")
        await again.quiet()
        await again.leave()
        await anna.close()


class Viewless(FakeLink):
    """Knows the table from its events, as the `duel` door does."""

    wants_views = False


async def test_a_door_that_wants_no_views_hears_the_start_at_another_node() -> None:
    async with nodes(2) as halls:
        links = [Viewless(), Viewless()]
        for hall, link in zip(halls, links, strict=True):
            await hall.hall.people.hello(link, None, None)
            await hall.hall.lobby.seek(me(link), GAME, {}, rated=False)
        await until(lambda: all(starts(link) for link in links))
        assert [starts(link) for link in links] == [1, 1]
        assert not links[0].of(TableView)
        seqs = [[told.seq for told, _ in link.told] for link in links]
        assert seqs[0][-1] == seqs[1][-1]


def starts(link: FakeLink) -> int:
    return sum(isinstance(event, Started) for event in link.events())
