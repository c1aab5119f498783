"""A client that is welcome at a hall whose answers the test writes."""

from __future__ import annotations

import asyncio
from typing import Any

from gamehall.client.native_client import NativeClient, Notice
from tests.client.fake_hall import FakeHall, Json, Peer
from tests.support.waiting import WAIT_SECONDS


class Joined:
    """A client that is welcome, and the hall's side of its connection."""

    def __init__(self, hall: FakeHall, client: NativeClient, peer: Peer) -> None:
        self.hall = hall
        self.client = client
        self.peer = peer

    def ask(self, action: str, payload: Json | None = None) -> asyncio.Task[Json]:
        return asyncio.create_task(self.client.request(action, payload))

    async def notice(self) -> Notice:
        async with asyncio.timeout(WAIT_SECONDS):
            return await anext(self.client)

    async def asks_nothing_by_itself(self) -> None:
        """Fails if something was sent before what is asked now."""
        asked = self.ask("standings")
        self.peer.answer(await self.peer.read("standings"), {})
        await asked

    async def come_back(self, *tables: int) -> Json:
        """Cuts the connection and welcomes the client on the next one; its `hello`."""
        self.peer.cut()
        self.peer = await self.hall.peer()
        hello = await self.peer.welcome(*tables)
        assert (await self.notice()).action == "connection_lost"
        assert (await self.notice()).action == "connected"
        return hello


async def join(hall: FakeHall, *tables: int, **how: Any) -> Joined:
    client = NativeClient(hall.url, name="Ann", **how)
    opening = asyncio.create_task(client.open())
    peer = await hall.peer()
    assert await peer.welcome(*tables) == {"name": "Ann"}
    await opening
    return Joined(hall, client, peer)
