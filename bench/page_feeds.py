"""What the hall tells one player of a crowd, recorded for page.py: every notice, and when it came.

The recording client does as the page does: it asks for a view when a round begins. The crowds are
real connections to a real hall, whose limits that such a load would hit are off (see servers.py).
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import cast

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from page_recorder import WAIT_SECONDS, Feed, Message, Recorder, recorder
from servers import UNLIMITED, Started, started

AT_ONCE = 50
"""Connections that are being opened at a time."""
BEADS = 60
"""Rounds of Sic Bo that the page shows: so many were played before."""
QUICK = ("sicbo.betting_seconds=0.02", "sicbo.reveal_seconds=0", "sicbo.pause_seconds=0")
PACE = ("sicbo.betting_seconds=12", "sicbo.reveal_seconds=3", "sicbo.pause_seconds=3")
ROUNDS = 2
BETTORS = 50
OWN_BET_SECONDS = 1.0
LINES = [{5 * n + m for m in range(5)} for n in range(5)]
LINES += [{n + 5 * m for m in range(5)} for n in range(5)]
LINES += [{6 * n for n in range(5)}, {4 * n + 4 for n in range(5)}]


# Called Bingo


class Caller(asyncio.Protocol):
    """A player of the crowd: has a name, and is always ready for the next number."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.transport: asyncio.Transport
        self.told = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(f"{self._name}\n".encode())

    def data_received(self, data: bytes) -> None:
        if b"CHECK_NUMBER|" in data:
            self.transport.write(b"READY\n")
        elif b"/start" in data and not self.told.done():
            self.told.set_result(None)


class OwnCard:
    """Plays the recorder's card: ready for every number, and BINGO when there is a line."""

    def __init__(self, client: Recorder) -> None:
        self._client = client
        self._numbers: list[int] = []
        self._called = {0}
        self.over = asyncio.Event()

    def heard(self, action: str, payload: Message) -> None:
        if action == "table_over":
            self.over.set()
        elif action == "table_events":
            for event in payload["events"]:
                self._follow(event)

    def _follow(self, event: Message) -> None:
        if event["type"] == "cards_dealt":
            # One's own is the only one that one sees.
            (self._numbers,) = event["cards"].values()
        elif event["type"] == "called":
            self._called.add(event["number"])
            marked = {n for n, each in enumerate(self._numbers) if each in self._called}
            claims = any(line <= marked for line in LINES)
            command = {"type": "claim" if claims else "ready"}
            self._client.spawn(self._client.ask("act", table=self._client.table, command=command))


async def bingo_feed(url: str, address: tuple[str, int], players: int) -> Feed:
    """From an empty table to the end of the round: everyone comes, and it is called."""
    loop = asyncio.get_running_loop()
    crowd: list[Caller] = []

    async def arrive(number: int) -> None:
        _, player = await loop.create_connection(lambda: Caller(f"player {number}"), *address)
        await asyncio.wait_for(player.told, WAIT_SECONDS)
        crowd.append(player)

    async with recorder(url) as client:
        own = OwnCard(client)
        client.heard = own.heard
        answers = await client.come_to("bingo")
        for start in range(0, players - 1, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, players - 1))
            await asyncio.gather(*(arrive(number) for number in numbers))
        await client.ask("act", table=client.table, command={"type": "start"})
        await asyncio.wait_for(own.over.wait(), WAIT_SECONDS)
        for player in crowd:
            player.transport.abort()
        return Feed(f"called Bingo, {players} players", client.table, answers, client.frames[:])


# Sic Bo


class Bettor(WSListener):
    def __init__(self) -> None:
        self.welcomed = asyncio.get_running_loop().create_future()

    def on_ws_connected(self, transport: WSTransport) -> None:
        transport.send(WSMsgType.TEXT, b'{"action":"hello"}')

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT and not self.welcomed.done():
            self.welcomed.set_result(None)


def bet(table: int, number: int) -> Message:
    command = {"type": "bet", "side": ("BIG", "SMALL")[number % 2], "amount": 1}
    return {"table": table, "command": command}


async def bet_on(table: int, url: str, bets_a_second: int) -> None:
    """Until it is cancelled; while betting is closed, bets are refused."""
    crowd = []
    for _ in range(BETTORS):
        transport, listener = await ws_connect(Bettor, url)
        await asyncio.wait_for(cast(Bettor, listener).welcomed, WAIT_SECONDS)
        crowd.append(transport)
    began = time.monotonic()
    for number in itertools.count():
        message = {"action": "act", "requestId": str(number), "payload": bet(table, number // 3)}
        crowd[number % BETTORS].send(WSMsgType.TEXT, msgspec.json.encode(message))
        await asyncio.sleep(began + number / bets_a_second - time.monotonic())


async def rounds_of(client: Recorder, count: int) -> None:
    """Returns when so many more rounds are over, and the next has begun."""
    left = count
    begun = asyncio.Event()

    def heard(action: str, payload: Message) -> None:
        nonlocal left
        left -= action == "table_over"
        if action == "table_view" and left <= 0:
            begun.set()

    client.heard = heard
    await asyncio.wait_for(begun.wait(), WAIT_SECONDS)


async def past_rounds(url: str) -> None:
    async with recorder(url) as client:
        await client.come_to("sicbo")
        await rounds_of(client, BEADS)


async def sicbo_feed(url: str, bets_a_second: int) -> Feed:
    async with recorder(url) as client:
        answers = await client.come_to("sicbo")

        async def bet_oneself() -> None:
            for number in itertools.count():
                await client.ask("act", **bet(client.table, number))
                await asyncio.sleep(OWN_BET_SECONDS)

        betting = [
            asyncio.create_task(bet_on(client.table, url, bets_a_second)),
            asyncio.create_task(bet_oneself()),
        ]
        await rounds_of(client, ROUNDS)
        for task in betting:
            assert not task.done(), task
            task.cancel()
        name = f"Sic Bo, {bets_a_second} bets a second"
        return Feed(name, client.table, answers, client.frames[:])


@contextmanager
def hall(folder: str, *settings: str, doors: str = "none") -> Iterator[Started]:
    limits = [f"limits.{name}=0" for name in UNLIMITED]
    sets = [f"--set={setting}" for setting in (*settings, *limits)]
    serve = ["serve", f"--data={folder}", "--port=0", f"--doors={doors}", *sets]
    with started(["-m", "gamehall", *serve]) as server:
        yield server


def record(players: int, bets_a_second: int) -> list[Feed]:
    with TemporaryDirectory() as folder, hall(folder, doors="caller=0") as server:
        bingo = asyncio.run(bingo_feed(server.url, server.doors["caller"], players))
    with TemporaryDirectory() as folder:
        with hall(folder, *QUICK) as server:
            asyncio.run(past_rounds(server.url))
        with hall(folder, *PACE) as server:
            sicbo = asyncio.run(sicbo_feed(server.url, bets_a_second))
    return [bingo, sicbo]
