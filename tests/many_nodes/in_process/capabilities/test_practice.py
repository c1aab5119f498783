"""The `practice` door at several nodes: an id is one client, wherever it logs in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from gamehall.errors import Unavailable
from gamehall.limits import Limits
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.one_port import ANY_PATH, serve_web
from gamehall.wire.net.websocket import WebSocketDoor
from gamehall.wire.practice.dialect import PracticeLink
from gamehall.wire.practice.messages import Heard, Said
from tests.hall.halls import until
from tests.many_nodes.in_process.halls import NodeHall, named_nodes

pytestmark = pytest.mark.slow


@asynccontextmanager
async def door(node: NodeHall) -> AsyncIterator[int]:
    """The port of its door."""
    keeper = Doorkeeper(Limits())
    socket = WebSocketDoor(lambda channel: PracticeLink(node.hall, channel, begin_ms=0))
    listening = await serve_web(
        keeper, "practice", "127.0.0.1", 0, doors={ANY_PATH: socket}, trusted_proxies=()
    )
    try:
        yield listening.port
    finally:
        await listening.close()
        await keeper.close()


async def log_in(port: int, id: str) -> tuple[ClientConnection, dict[str, Any]]:
    client = await websockets.connect(f"ws://127.0.0.1:{port}")
    await client.send(json.dumps({"code": Heard.LOGIN, "id": id, "info": {"name": "Ada"}}))
    return client, json.loads(await client.recv())


def here(node: NodeHall) -> int:
    return sum(online.here for online in node.hall.rooms.players.online.values())


async def test_an_id_that_is_logged_in_at_another_node() -> None:
    async with named_nodes("a", "b") as (north, south), door(north) as first, door(south) as second:
        client, answer = await log_in(first, "secret")
        assert answer["code"] == Said.LOGGED_IN
        await until(lambda: here(south) == 1)
        other, answer = await log_in(second, "secret")
        assert (answer["code"], answer["info"]) == (Said.ELSEWHERE, {"name": "Ada"})
        await client.close()
        await until(lambda: here(south) == 0)
        again, answer = await log_in(second, "secret")
        assert answer["code"] == Said.LOGGED_IN
        for each in (other, again):
            await each.close()


async def test_a_dead_connection_at_another_node_makes_way() -> None:
    async with named_nodes("a", "b") as (north, south), door(north) as first, door(south) as second:
        client, _ = await log_in(first, "secret")
        await until(lambda: here(south) == 1)
        # It reads nothing any more, so it does not answer either.
        client.transport.pause_reading()
        again, answer = await log_in(second, "secret")
        assert answer["code"] == Said.LOGGED_IN
        await until(lambda: not any(o.links for o in north.hall.rooms.players.online.values()))
        await again.close()
        client.transport.abort()


async def ask(client: ClientConnection, code: Heard, **info: Any) -> None:
    await client.send(json.dumps({"code": code, "id": "", "info": info}))


async def heard(client: ClientConnection, code: Said) -> dict[str, Any]:
    """The next message, which has to be of this code."""
    message = json.loads(await client.recv())
    assert message["code"] == code, message
    info: dict[str, Any] = message["info"]
    return info


async def test_a_room_that_is_found_late_is_told_from_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with named_nodes("a", "b") as (north, south), door(north) as first, door(south) as second:
        clients = [(await log_in(first, id))[0] for id in ("one", "two")]
        for client in clients:
            await ask(client, Heard.SEEK, game_id="four-stone")
            await heard(client, Said.WAITING)
        rooms = [await heard(client, Said.STARTED) for client in clients]
        fire = [room["move_turn"] for room in rooms].index(0)
        stone = {"move_turn": 0, "position_init": [0, 3], "position_move": [0, 2]}
        room = rooms[fire]["room"]
        await ask(clients[fire], Heard.ACT, room=room, action=500001, **stone)
        moved = await heard(clients[fire], Said.HAPPENED)
        await clients[fire].close()
        await until(lambda: here(north) == 1)
        tables = south.hall.rooms.tables
        with monkeypatch.context() as broken:

            async def load(table: int, told_to: int | None = None) -> Any:
                raise Unavailable

            broken.setattr(tables, "load", load)
            client, answer = await log_in(second, ("one", "two")[fire])
        assert answer["code"] == Said.LOGGED_IN
        retelling = south.hall.replays.retold
        failed: list[Any] = []

        async def fails_once(*args: Any) -> Any:
            if not failed:
                failed.append(args)
                raise Unavailable
            return await retelling(*args)

        monkeypatch.setattr(south.hall.replays, "retold", fails_once)
        await tables.load(room)
        assert (await heard(client, Said.STARTED))["content"] == rooms[fire]["content"]
        assert await heard(client, Said.HAPPENED) == moved
        assert failed, "what is out of reach is looked for again"
        for each in (client, clients[1 - fire]):
            await each.close()
