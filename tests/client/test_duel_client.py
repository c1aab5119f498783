"""The bot at the `duel` door, with a hall that answers by script."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.bots.bingo_duel import SensiblePicker
from gamehall.client import duel_client
from gamehall.client.duel_client import DuelPlayer
from tests.doors.duel import packets as p
from tests.support.waiting import WAIT_SECONDS

BOARD = p.ints(p.BOARD) + b"int32" + p.ints(3, 36, *range(1, 10))


async def test_it_asks_until_the_hall_can_tell_whose_turn_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(duel_client, "AGAIN_SECONDS", 0.01)
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(p.hello("7:key")))
        writer.write(p.ints(p.ACCEPTED, 1) + b"7" + BOARD)
        for _ in range(3):
            heard.append(await reader.readexactly(4))
            writer.write(p.ints(p.MESSAGE, 5) + b"Sorry")
        writer.write(p.ints(p.OTHER_LEFT))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        player = DuelPlayer("127.0.0.1", port, ["7:key"], SensiblePicker(), None, lambda _: None)
        await asyncio.wait_for(player.play(), WAIT_SECONDS)
    assert heard == [p.ints(p.TURN)] * 3
