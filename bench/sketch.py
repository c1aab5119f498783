"""A bare sketch of a durable Connect Four server: what the hall's moves are measured against.

picows, msgspec and SQLite (FULL, group commit, only COMMIT in a thread), and nothing else: no hall,
no sessions, no limits, no recovery. It speaks just enough of the native door's messages for
bench/moves.py: `hello`, `open_table`, `sit` and `act`, and tells both players after the commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server


class Drop(msgspec.Struct):
    type: str
    column: int


class Payload(msgspec.Struct):
    table: int = 0
    command: Drop | None = None


class Message(msgspec.Struct):
    action: str
    payload: Payload
    requestId: str | None = None  # noqa: N815 (the wire's name)


_decode = msgspec.json.Decoder(Message).decode
_encode = msgspec.json.encode


class Game:
    def __init__(self, number: int) -> None:
        self.number = number
        self.seq = 0
        self.heights = [0] * 12
        self.seats: list[WSTransport] = []


class Sketch:
    def __init__(self, path: Path) -> None:
        self.games: dict[int, Game] = {}
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute(
            "CREATE TABLE journal (game INTEGER, seq INTEGER, row BLOB, PRIMARY KEY (game, seq))"
            " WITHOUT ROWID"
        )
        self._waiting: list[tuple[Game, WSTransport, Message]] = []
        self._committing = False

    def move(self, game: Game, mover: WSTransport, message: Message) -> None:
        self._waiting.append((game, mover, message))
        if not self._committing:
            self._committing = True
            self._loop.call_soon(self._commit)

    def _commit(self) -> None:
        batch, self._waiting = self._waiting, []
        told = []
        self._database.execute("BEGIN IMMEDIATE")
        rows = []
        for game, mover, message in batch:
            seat = game.seq % 2
            command = message.payload.command
            if (
                command is None
                or game.seats[seat] is not mover
                or game.heights[command.column] > 11
            ):
                continue
            game.seq += 1
            game.heights[command.column] += 1
            event = {"type": "dropped", "seat": seat, "column": command.column}
            rows.append((game.number, game.seq, _encode(event)))
            told.append((game, mover, message, event))
        self._database.executemany("INSERT INTO journal VALUES (?, ?, ?)", rows)
        committed = self._loop.run_in_executor(self._thread, self._database.execute, "COMMIT")
        committed.add_done_callback(lambda _: self._tell(told))

    def _tell(self, told: list[Any]) -> None:
        for game, mover, message, event in told:
            answer = {"table": game.number, "seq": game.seq}
            reply = {"action": "act", "requestId": message.requestId, "payload": answer}
            mover.send(WSMsgType.TEXT, _encode(reply))
            notice = {**answer, "after": game.seq - 1, "events": [event]}
            frame = _encode({"action": "table_events", "payload": notice})
            for seat in game.seats:
                seat.send(WSMsgType.TEXT, frame)
            if game.seq == 144:
                game.seq, game.number = 0, game.number + 1_000_000
                game.heights = [0] * 12
        self._committing = bool(self._waiting)
        if self._waiting:
            self._loop.call_soon(self._commit)


class Client(WSListener):
    def __init__(self, sketch: Sketch) -> None:
        self._sketch = sketch

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        message = _decode(frame.get_payload_as_memoryview())
        games = self._sketch.games
        if message.action == "act":
            self._sketch.move(games[message.payload.table], transport, message)
            return
        table = message.payload.table
        if message.action == "open_table":
            table = len(games) + 1
            games[table] = Game(table)
        elif message.action == "sit":
            games[table].seats.append(transport)
        answer = {"action": message.action, "payload": {"table": table}}
        transport.send(WSMsgType.TEXT, _encode(answer))
        if message.action == "sit" and len(games[table].seats) == 2:
            for seat, player in enumerate(games[table].seats):
                started = {"action": "seated", "payload": {"table": table, "seat": seat}}
                player.send(WSMsgType.TEXT, _encode(started))


async def main(folder: Path) -> None:
    sys.setswitchinterval(0.0005)
    sketch = Sketch(folder / "sketch.db")

    def client(_: WSUpgradeRequest) -> WSListener:
        return Client(sketch)

    server = await ws_create_server(client, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    sys.stderr.write(f"door native 127.0.0.1:{port}\nready\n")
    sys.stderr.flush()
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(Path(sys.argv[1])))
