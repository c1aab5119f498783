"""The same door at `/practice` of the web port, and on its own port at any path."""

from __future__ import annotations

import asyncio

import pytest

from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors, new_name
from tests.doors.practice.playing import match, over, play
from tests.doors.practice.shapes import ELSEWHERE, LOGGED_IN
from tests.doors.practice.stones import FIRE_WINS


@pytest.mark.parametrize("path", ["/", "/practice", "/any/path?with=more", "/ws"])
async def test_any_path_of_its_own_port(at: Visitors, path: str) -> None:
    client = await at.stranger(path=path)
    client.log_in(new_name("anna"))
    await client.take(LOGGED_IN)


async def test_at_the_web_port(at: Visitors) -> None:
    anna = await Practice.connect(at.hall.ports["native"], "/practice")
    anna.log_in(new_name("anna"))
    await anna.take(LOGGED_IN)
    game = await match(anna, await at.player("bob"))
    await play(game, FIRE_WINS)
    await over(game, 0, "one_stone")
    other = await at.stranger()
    other.log_in("whoever", anna.id)
    await other.take(ELSEWHERE)
    await anna.leave()


@pytest.mark.parametrize("port", ["practice", "native"])
async def test_pages_of_any_origin_may_connect(at: Visitors, port: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", at.hall.ports[port])
    head = (
        "GET /practice HTTP/1.1", "Host: hall", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Origin: http://elsewhere.example", "", "",
    )  # fmt: skip
    writer.write("\r\n".join(head).encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 101 ")
    writer.close()
