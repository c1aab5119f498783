"""Clients that hang up before the hall has begun, or done, what they have asked for."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from gamehall.hall.beat.known_table import KnownTable
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.net.shell import Channel
from tests.hall.halls import TestHall, until


class SilentChannel:
    """Nobody is at the other end."""

    address = "127.0.0.1"
    kind = "ws"
    peer_done = False
    hung_up = True

    def send(self, frame: bytes) -> bool:
        return False

    def frame(self, payload: bytes) -> bytes:
        return payload

    def hello_done(self) -> None: ...


@pytest.fixture
def link(house: TestHall) -> NativeLink:
    return NativeLink(house.hall, cast(Channel, SilentChannel()))


def ask(link: NativeLink, action: str, **payload: Any) -> None:
    link.received(json.dumps({"action": action, "requestId": "r", "payload": payload}).encode())


async def enter(link: NativeLink) -> None:
    ask(link, "hello", name="anna")
    await until(lambda: link.online is not None and not link._busy)


async def test_before_it_is_begun(link: NativeLink) -> None:
    await enter(link)
    with capture_logs() as logs:
        ask(link, "open_table", game="connect-four")
        link.lost()
        await until(lambda: not link._busy)
    assert not [each for each in logs if each["event"] == "door_fault"]


async def test_while_its_table_is_loaded(
    link: NativeLink, house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.hall.rooms.tables.open("connect-four", {}, drawn=False)
    found = house.hall.rooms.tables.loaded(table)
    assert found is not None
    await enter(link)
    asked, arrives = asyncio.Event(), asyncio.Event()

    async def late(id: int) -> KnownTable:
        asked.set()
        await arrives.wait()
        return found

    monkeypatch.setattr(link.hall.reading, "loaded", lambda _: None)
    monkeypatch.setattr(link.hall.reading, "load", late)
    with capture_logs() as logs:
        ask(link, "act", table=table, command={"type": "drop", "column": 3})
        await asked.wait()
        link.lost()
        arrives.set()
        await until(lambda: not link._busy)
    assert not [each for each in logs if each["event"] == "door_fault"]
