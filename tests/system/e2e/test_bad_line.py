"""`--set dev.…`: a bad line on request, and our own client, which copes."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient
from tests.support.processes import HallProcess
from tests.system.e2e.clients import Client, Lost

SECONDS = 90.0
LATENCY_MS = 120
DROPS = 3


@pytest.mark.parametrize("door", ["ws", "tcp"])
async def test_latency_goes_both_ways_and_keeps_the_order(tmp_path: Path, door: str) -> None:
    with HallProcess(tmp_path, settings=(f"dev.latency_ms={LATENCY_MS}",)) as hall:
        assert any("native_doors_are_bad_on_request" in line for line in hall.stderr)
        url = hall.ws_url if door == "ws" else hall.tcp_url
        async with await Client.enter(url, name="anna") as anna:
            began = time.monotonic()
            answers = [await anna.post("ping", {}, f"ping {number}") for number in range(20)]
            async with asyncio.timeout(SECONDS):
                await asyncio.gather(*answers)
            # It cannot be faster, whatever else the machine does.
            assert time.monotonic() - began >= 2 * LATENCY_MS / 1000
            ids = [str(heard.get("requestId")) for heard in anna.heard]
            assert [id for id in ids if id.startswith("ping")] == [
                f"ping {number}" for number in range(20)
            ]


async def test_what_is_lost_takes_the_connection_along(tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=("dev.loss=1",)) as hall:
        for url in (hall.ws_url, hall.tcp_url):
            client = await Client.connect(url)
            with pytest.raises(Lost):
                await client.ask("hello", name="anna")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["dev.loss=0.15", "dev.drop_seconds=0.4"])
async def test_our_client_plays_on(tmp_path: Path, fault: str) -> None:
    """Until it was dropped a few times, and each move counted once."""
    with HallProcess(tmp_path, settings=(fault, "table.grace_seconds=3600")) as hall:
        async with AsyncExitStack() as stack:
            players = [NativeClient(url, name="anna") for url in (hall.ws_url, hall.tcp_url)]
            for player in players:
                await _entered(player)
                stack.push_async_callback(player.close)
            lost = asyncio.create_task(_losses(players[0]))
            table = (await players[0].request("open_table", {"game": "connect-four"}))["table"]
            for player in players:
                await player.request("sit", {"table": table})
            moves = 0
            async with asyncio.timeout(SECONDS):
                while moves < 12 or not lost.done():
                    if moves < 12:
                        await _drop(players, table, column=moves % 6)
                        moves += 1
                    else:
                        await players[0].request("ping")
            page = await players[0].request("journal", {"table": table})
            events = [event["type"] for row in page["rows"] for event in row["events"]]
            assert events.count("dropped") == 12


async def _entered(player: NativeClient) -> None:
    """The first connection may be lost too."""
    while True:
        try:
            await player.open()
            return
        except ConnectionLost:
            continue


async def _losses(player: NativeClient) -> None:
    """Returns when it was dropped often enough."""
    lost = 0
    async for notice in player:
        lost += notice.action == "connection_lost"
        if lost == DROPS:
            return


async def _drop(players: list[NativeClient], table: int, column: int) -> None:
    command = {"type": "drop", "column": column}
    for player in players:
        try:
            await player.request("act", {"table": table, "command": command})
            return
        except RequestRefused as refusal:
            if refusal.code != "not_your_turn":
                raise
    raise AssertionError("it is nobody's turn")
