"""Durable moves per second: the hall beside a bare sketch of the same thing, in one run.

    python bench/moves.py --seconds 10

100 tables, 200 connections, closed loop: each player moves when it has been told of the other's
move. The server has one core, this load the other. Games are 12 × 12 with lines of 12, so that they
are long; at the end of one the players ask for a rematch.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from contextlib import AbstractContextManager

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from servers import Started, hall, pin, sketch

OPTIONS = {"columns": 12, "rows": 12, "length": 12}
MOVES = 144
COLUMNS = [(n + n // 24) % 12 for n in range(MOVES)]
"""No twelve in a line, and every column filled."""


def message(action: str, **payload: object) -> bytes:
    return msgspec.json.encode({"action": action, "payload": payload})


class Player(WSListener):
    """Reads as little as it can: this process must not be the limit."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._transport: WSTransport
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()
        self.table = 0
        self.seat = -1
        self.seated = asyncio.get_running_loop().create_future()
        self._acts: list[bytes] = []
        self._move = 0
        self._requests = 0

    async def ask(self, action: str, **payload: object) -> dict[str, object]:
        self._transport.send(WSMsgType.TEXT, message(action, **payload))
        answer = msgspec.json.decode(await self._answers.get())
        if answer["action"] != action:
            raise SystemExit(f"{action} was answered {answer}")
        return dict(answer["payload"])

    def prepare(self) -> None:
        self._acts = [
            message("act", table=self.table, command={"type": "drop", "column": column})
            for column in COLUMNS
        ]

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        data = frame.get_payload_as_bytes()
        if data.startswith(b'{"action":"table_events"'):
            if b'"type":"dropped"' in data:
                self._moved()
        elif data.startswith(b'{"action":"act"'):
            pass
        elif data.startswith(b'{"action":"seated"'):
            self.seat = msgspec.json.decode(data)["payload"]["seat"]
            self._move = 0
            if not self.seated.done():
                self.seated.set_result(None)
            elif self.seat == 0:
                self.act()
        elif data.startswith(b'{"action":"error"'):
            self._load.errors.append(data)
        elif not data.startswith((b'{"action":"table_', b'{"action":"rematch"')):
            self._answers.put_nowait(data)

    def _moved(self) -> None:
        self._move += 1
        if self._move == MOVES:
            self._move = 0
            self._load.games += 1
            if self._load.rematch:
                self._transport.send(WSMsgType.TEXT, message("rematch", table=self.table))
                return
        if self._move % 2 == self.seat:
            self.act()

    def act(self) -> None:
        if self._load.running:
            # The client's own number makes the request one that may be sent again.
            self._requests += 1
            number = b'","requestId":"%d"' % self._requests
            act = self._acts[self._move]
            self._transport.send(WSMsgType.TEXT, act[:14] + number + act[15:])
        self._load.moves += 1


class Load:
    """Counts what the players do."""

    def __init__(self, rematch: bool) -> None:
        self.rematch = rematch
        self.running = True
        self.moves = 0
        self.games = 0
        self.errors: list[bytes] = []

    async def run(self, server: Started, tables: int, seconds: float) -> tuple[float, float]:
        """Moves per second and the server's CPU µs for each, after a second of warming up."""
        pairs = [await self._pair(server.url) for _ in range(tables)]
        for pair in pairs:
            next(player for player in pair if player.seat == 0).act()
        await asyncio.sleep(1)
        loop = asyncio.get_running_loop()
        before, began, cpu = self.moves, loop.time(), server.cpu_seconds()
        await asyncio.sleep(seconds)
        moves = self.moves - before
        rate = moves / (loop.time() - began)
        each_us = (server.cpu_seconds() - cpu) / max(1, moves) * 1e6
        self.running = False
        if self.errors:
            raise SystemExit(f"refused: {self.errors[0].decode()}")
        return rate, each_us

    async def _pair(self, url: str) -> list[Player]:
        pair = []
        for _ in range(2):
            _, player = await ws_connect(lambda: Player(self), url)
            assert isinstance(player, Player)
            await player.ask("hello")
            pair.append(player)
        opened = await pair[0].ask("open_table", game="connect-four", options=OPTIONS)
        for player in pair:
            player.table = int(str(opened["table"]))
            player.prepare()
            await player.ask("sit", table=player.table)
        for player in pair:
            await player.seated
        return pair


def measure(
    server: AbstractContextManager[Started], rematch: bool, tables: int, seconds: float
) -> tuple[float, float]:
    with server as running:
        return uvloop.run(Load(rematch).run(running, tables, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    pin(0, 1)
    ratios = []
    for _ in range(arguments.runs):
        bare, bare_us = measure(sketch(), False, arguments.tables, arguments.seconds)
        ours, ours_us = measure(hall(), True, arguments.tables, arguments.seconds)
        ratios.append(ours / bare)
        print(
            f"sketch {bare:6.0f} moves/s, {bare_us:3.0f} µs CPU each   "
            f"hall {ours:6.0f} moves/s, {ours_us:3.0f} µs CPU each   ratio {ours / bare:.2f}"
        )
    print(f"ratio, median of {len(ratios)}: {statistics.median(ratios):.2f} (at least 0.6)")


if __name__ == "__main__":
    main()
