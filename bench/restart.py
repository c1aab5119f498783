"""Restart with many open tables: time until `ready`, beside that of an empty hall in one run.

    python bench/restart.py

2,000 tables are opened and played for six moves each, then the hall is killed and started again on
the same data. It must be ready in at most three times the time of an empty hall, and every move of
every table must be there: each table's head is compared, and each gets one more move.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from servers import Started, hall

TABLES_PER_PAIR = 30
MOVES = 6


class Client(WSListener):
    """Asks one thing after the other; forgets notices."""

    def __init__(self) -> None:
        self._transport: WSTransport
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        data = frame.get_payload_as_bytes()
        if b'"requestId":"' in data:
            self._answers.put_nowait(data)

    async def ask(self, action: str, **payload: object) -> dict[str, object]:
        request = {"action": action, "requestId": str(time.monotonic_ns()), "payload": payload}
        self._transport.send(WSMsgType.TEXT, msgspec.json.encode(request))
        answer = msgspec.json.decode(await self._answers.get())
        if answer["action"] == "error":
            raise SystemExit(f"{action}: {answer}")
        return dict(answer["payload"])


async def connect(server: Started, **hello: object) -> tuple[Client, str]:
    _, client = await ws_connect(Client, server.url)
    assert isinstance(client, Client)
    welcome = await client.ask("hello", **hello)
    return client, str(welcome["token"])


async def play_pair(server: Started, tables: int) -> list[tuple[int, str, int]]:
    """Tables with the token of whose turn it is, and their heads."""
    (one, one_token), (two, _) = await connect(server), await connect(server)
    heads = []
    for _ in range(tables):
        opened = await one.ask("open_table", game="connect-four")
        table = int(str(opened["table"]))
        await one.ask("sit", table=table)
        seat = (await two.ask("sit", table=table))["seat"]
        turns = (two, one) if seat == 0 else (one, two)
        seq = 0
        for move in range(MOVES + (seat == 0)):
            drop = {"type": "drop", "column": move}
            acted = await turns[move % 2].ask("act", table=table, command=drop)
            seq = int(str(acted["seq"]))
        heads.append((table, one_token, seq))
    return heads


async def fill(server: Started, tables: int) -> list[tuple[int, str, int]]:
    pairs = [min(TABLES_PER_PAIR, tables - at) for at in range(0, tables, TABLES_PER_PAIR)]
    filled = []
    for start in range(0, len(pairs), 20):
        done = await asyncio.gather(*(play_pair(server, n) for n in pairs[start : start + 20]))
        filled += [entry for heads in done for entry in heads]
    return filled


async def check(server: Started, heads: list[tuple[int, str, int]]) -> None:
    """Every table goes on from the row that was acknowledged last."""
    for token in {token for _, token, _ in heads}:
        client, _ = await connect(server, token=token)
        for table, owner, seq in heads:
            if owner == token:
                drop = {"type": "drop", "column": 0}
                acted = await client.ask("act", table=table, command=drop)
                if acted["seq"] != seq + 1:
                    raise SystemExit(f"table {table} goes on with {acted}, not {seq + 1}")


def ready_seconds(data: Path, runs: int) -> float:
    """From the start of the process to `ready`, the median."""
    times = []
    for _ in range(runs):
        began = time.monotonic()
        with hall(data=data):
            times.append(time.monotonic() - began)
    return statistics.median(times)


class Restarted(NamedTuple):
    """Seconds until `ready`."""

    with_tables: float
    empty: float


def measure(tables: int, runs: int) -> Restarted:
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with hall(data=data) as server:
            heads = uvloop.run(fill(server, tables))
        result = Restarted(ready_seconds(data, runs), ready_seconds(Path(empty), runs))
        with hall(data=data) as server:
            uvloop.run(check(server, heads))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with_tables, empty = measure(arguments.tables, arguments.runs)
    print(f"ready with {arguments.tables} open tables: {with_tables:.2f} s, empty: {empty:.2f} s")
    print(f"ratio {with_tables / empty:.2f} (at most 3); every table went on where it stood")


if __name__ == "__main__":
    main()
