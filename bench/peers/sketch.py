"""A bare sketch of a Connect Four server: what the hall's moves are measured against.

    python bench/peers/sketch.py              tells a move at once, and keeps nothing
    python bench/peers/sketch.py FOLDER       tells it when it is in a SQLite file there

picows and msgspec, and SQLite (FULL) with a thread that commits what has gathered; nothing else: no
sessions, limits, recovery, resume, request ids or verification. Who sits where is in the address,
`/room/NUMBER/SEAT`, and a state has the whole board.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Literal

import msgspec
import uvloop
from connect_four import Game
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

GROUP_MAX = 1000
SWITCH_SECONDS = 0.0005
"""The writer's thread gets its turn sooner than by the interpreter's own 5 ms."""


class Column(msgspec.Struct):
    column: int


class Move(msgspec.Struct):
    action: Literal["move"]
    requestId: str  # noqa: N815 (the wire's name)
    payload: Column


class State(msgspec.Struct, tag="state"):
    board: str
    turn: int
    winner: int
    ply: int


class Refusal(msgspec.Struct, tag="error"):
    requestId: str  # noqa: N815 (the wire's name)
    code: str


_decode = msgspec.json.Decoder(Move).decode
_encode = msgspec.json.Encoder().encode


class Room:
    __slots__ = ("game", "number", "players", "seq")

    def __init__(self, number: int) -> None:
        self.number = number
        self.game = Game()
        self.players: dict[int, WSTransport] = {}
        self.seq = 0

    def tell(self, state: bytes) -> None:
        for player in self.players.values():
            player.send(WSMsgType.TEXT, state)


Tell = Callable[[Room, bytes, bytes], None]
"""Tells a room its new state, after the move; the last is the move as it came."""


def tell_at_once(room: Room, state: bytes, _: bytes) -> None:
    room.tell(state)


class Writer:
    """Tells a move when it is on the disk. What comes during one commit shares the next."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[tuple[Room, bytes, int, bytes]] = SimpleQueue()
        threading.Thread(target=self._write, daemon=True).start()

    def tell(self, room: Room, state: bytes, move: bytes) -> None:
        self._queue.put((room, state, room.seq, move))

    def _write(self) -> None:
        database = sqlite3.connect(self._path, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute(
            "CREATE TABLE journal (id INTEGER PRIMARY KEY, room INTEGER, seq INTEGER, move BLOB)"
        )
        while True:
            group = [self._queue.get()]
            try:
                while len(group) < GROUP_MAX:
                    group.append(self._queue.get_nowait())
            except Empty:
                pass
            database.execute("BEGIN")
            database.executemany(
                "INSERT INTO journal (room, seq, move) VALUES (?, ?, ?)",
                [(room.number, seq, move) for room, _, seq, move in group],
            )
            database.execute("COMMIT")
            self._loop.call_soon_threadsafe(self._tell, group)

    def _tell(self, group: list[tuple[Room, bytes, int, bytes]]) -> None:
        for room, state, _, _ in group:
            room.tell(state)


class Player(WSListener):
    def __init__(self, room: Room, seat: int, tell: Tell) -> None:
        self._room = room
        self._seat = seat
        self._tell = tell

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._room.players[self._seat] = transport

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._room.players.pop(self._seat, None)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        raw = frame.get_payload_as_bytes()
        move = _decode(raw)
        room, game = self._room, self._room.game
        refused = game.move(self._seat, move.payload.column)
        if refused is not None:
            transport.send(WSMsgType.TEXT, _encode(Refusal(move.requestId, refused)))
            return
        room.seq += 1
        state = State(game.cells.decode(), game.turn, game.winner, game.ply)
        self._tell(room, _encode(state), raw)


async def main(folder: Path | None) -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    tell = tell_at_once if folder is None else Writer(folder / "sketch.db").tell
    rooms: dict[int, Room] = {}

    def player(request: WSUpgradeRequest) -> WSListener:
        _, _, number, seat = request.path.split(b"/")
        room = rooms.setdefault(int(number), Room(int(number)))
        return Player(room, int(seat), tell)

    server = await ws_create_server(player, "127.0.0.1", 0, backlog=1000)
    host, port = server.sockets[0].getsockname()
    sys.stderr.write(f"door native {host}:{port}\nready\n")
    sys.stderr.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
