"""The door with its hall in the test's own process: a store that fails, beats that hold much."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from gamehall.errors import Unavailable
from gamehall.games.bingo_duel import Pick
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.nodes.awaited import Awaited
from gamehall.limits import Limits
from gamehall.store.appends import NotWritten
from gamehall.table_log.house import Person, Sit
from gamehall.wire.bingo.duel import DuelLink
from gamehall.wire.bingo.duel_codec import DuelCodec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.tcp import serve_tcp
from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client
from tests.hall.halls import TestHall

T = TypeVar("T")
HELLO = "7:8:1:the key:fast"


class Inside:
    """A hall with its door; clients are asked in threads, since they block."""

    def __init__(self, house: TestHall, port: int) -> None:
        self.house = house
        self._port = port
        self.clients: list[Client] = []

    async def enters(self, uid: int, text: str = HELLO) -> Client:
        client = await do(Client, self._port)
        self.clients.append(client)
        await do(client.hello, text)
        assert await do(client.take, p.ACCEPTED) == str(uid)
        return client

    async def pair(self) -> tuple[Client, Client]:
        both = await self.enters(7), await self.enters(8)
        for client in both:
            await do(client.take, p.BOARD)
        return both

    def player(self, seat: int) -> int:
        """Who sits there at the first table."""
        table = self.house.hall.rooms.tables.loaded(1)
        assert table is not None
        assert table.state is not None
        return table.state.chairs[seat].player


async def do(call: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.to_thread(call, *arguments)


@pytest.fixture
async def inside(tmp_path: Path) -> AsyncIterator[Inside]:
    house = TestHall(tmp_path, options={"bingo-duel": {"size": 3}})
    await house.start()
    keeper = Doorkeeper(Limits())
    listening = await serve_tcp(
        keeper,
        "duel",
        "127.0.0.1",
        0,
        lambda channel: DuelLink(house.hall, channel),
        lambda: DuelCodec(1000),
    )
    inside = Inside(house, listening.port)
    yield inside
    for client in inside.clients:
        client.close()
    await listening.close()
    await keeper.close()
    await house.stop()


async def test_a_pick_that_cannot_be_saved_may_be_made_again(inside: Inside) -> None:
    first, second = await inside.pair()
    inside.house.store.script.append(lambda append, done: done(NotWritten()))
    await do(second.pick, 5)
    assert "cannot save" in await do(second.take, p.MESSAGE)
    assert await do(second.is_my_turn)
    await do(second.pick, 5)
    assert await do(first.take, p.PICKED) == 5


async def test_whose_turn_it_is_is_told_once_the_table_is_found_again(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, second = await inside.pair()
    house, asked = inside.house, asyncio.Event()
    claim, load = house.store.claim, house.hall.reading.load

    async def claim_late(table: int, node: str = "") -> Any:
        await asked.wait()
        return await claim(table, node)

    async def load_for_the_door(table: int) -> Any:
        asked.set()
        return await load(table)

    monkeypatch.setattr(house.store, "claim", claim_late)
    monkeypatch.setattr(house.hall.reading, "load", load_for_the_door)
    table = house.hall.rooms.tables.loaded(1)
    assert table is not None
    house.hall.rooms.tables.lose(table)
    assert await do(second.is_my_turn)


async def test_whose_turn_it_is_cannot_be_told_without_the_store(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, second = await inside.pair()
    house = inside.house

    async def claim(table: int, node: str = "") -> Any:
        raise Unavailable

    monkeypatch.setattr(house.store, "claim", claim)
    table = house.hall.rooms.tables.loaded(1)
    assert table is not None
    house.hall.rooms.tables.lose(table)
    await do(second.ask_turn)
    assert "cannot save" in await do(second.take, p.MESSAGE)


async def test_a_hello_that_cannot_be_saved_is_refused(inside: Inside) -> None:
    inside.house.store.script.append(lambda append, done: done(NotWritten()))
    client = await do(Client, inside._port)
    inside.clients.append(client)
    await do(client.hello, HELLO)
    await do(client.take, p.REFUSED)
    await do(client.ended)
    await inside.pair()


async def test_a_crash_between_opening_and_sitting_down(inside: Inside) -> None:
    script = inside.house.store.script
    script.append(inside.house.store.really_append)
    script.append(lambda append, done: done(NotWritten()))
    client = await do(Client, inside._port)
    inside.clients.append(client)
    await do(client.hello, HELLO)
    await do(client.take, p.REFUSED)
    # The match is open, and waits for its first player.
    other = await do(Client, inside._port)
    inside.clients.append(other)
    await do(other.hello, HELLO.replace("key", "guess"))
    await do(other.take, p.REFUSED)
    await inside.pair()


async def test_two_picks_of_one_beat(inside: Inside) -> None:
    first, second = await inside.pair()
    for seat, number in ((1, 4), (0, 6)):
        ask = Ask(1, inside.player(seat), Pick(number), lambda answer: None)
        inside.house.hall.rooms.tables.put(ask)
    # It has picked already, so it is not its turn.
    assert await do(first.take, p.PICKED) == 4
    assert not await do(first.is_my_turn)
    assert await do(second.take, p.PICKED) == 6
    await do(second.take, p.YOURS)


async def test_a_stranger_of_another_door_may_come_first(inside: Inside) -> None:
    """Between opening the table and sitting down at it, someone else takes the first seat."""
    house = inside.house
    native = await house.guest("anna")
    assert native.online is not None

    def sit_first(append: Any, done: Callable[[Any], None]) -> None:
        def opened(answer: Any) -> None:
            done(answer)
            assert native.online is not None
            player = native.online.player
            sit = Sit(Person(player.id, player.name))
            house.hall.rooms.tables.put(Ask(1, player.id, sit, lambda answer: None))

        house.store.really_append(append, opened)

    house.store.script.append(sit_first)
    client = await inside.enters(7)
    await do(client.take, p.BOARD)
    assert inside.player(0) == native.online.player.id
    # Who comes second begins, and that is the client.
    assert await do(client.is_my_turn)


async def test_a_match_that_ends_while_its_player_comes_back_lets_nobody_in(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await inside.pair()
    hall, opponent = inside.house.hall, inside.player(1)
    await do(first.close)
    bearer = hall.people.bearer

    async def meanwhile(*who: Any) -> Any:
        resigned = Awaited[Done]()
        hall.rooms.tables.put(Ask(1, opponent, Resign(), resigned))
        await resigned
        return await bearer(*who)

    monkeypatch.setattr(hall.people, "bearer", meanwhile)
    again = await do(Client, inside._port)
    inside.clients.append(again)
    await do(again.hello, HELLO)
    await do(again.take, p.REFUSED)
    await do(second.take, p.LOST)
