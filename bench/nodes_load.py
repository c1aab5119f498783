"""Games of Connect Four between players at chosen nodes, in a closed loop or at a given pace.

Each is 12 × 12 with lines of 12, so that it is long; at its end players ask for a rematch. Every
refusal ends the run, but for `unavailable` while a table changes its owner: then the same request
is sent again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from itertools import cycle
from typing import NamedTuple

import msgspec
from picows import WSMsgType

from nodes_connection import ASK_SECONDS, Connection, connected, message

OPTIONS = {"columns": 12, "rows": 12, "length": 12}
MOVES = 144
COLUMNS = [(n + n // 24) % 12 for n in range(MOVES)]
"""No twelve in a line, and every column filled."""

AGAIN_SECONDS = 0.02
"""After which a request that was `unavailable` is sent again."""
TOGETHER = 20
"""Games that are begun at once."""


class Timed(NamedTuple):
    """A move, and when its player had the answer, or its opponent the notice."""

    far: bool
    """Its player is not at the node that owns the table."""
    sent_at: float
    came_at: float

    @property
    def seconds(self) -> float:
        return self.came_at - self.sent_at


class Player(Connection):
    """One of the two at a game."""

    def __init__(self, game: Game, far: bool) -> None:
        super().__init__()
        self._game = game
        self.far = far
        self.seat = -1
        self.seen = 0
        """Moves of this round."""
        self._acts: list[bytes] = []
        self._request = 0
        self._sent = b""
        self._waits = False
        self.sent_at = 0.0
        self._seq = 0

    async def sit(self, table: int) -> None:
        self._acts = [
            message("act", table=table, command={"type": "drop", "column": column})
            for column in COLUMNS
        ]
        await self.ask("sit", table=table)

    def act(self, move: int) -> None:
        if self._waits:
            self._game.load.errors.append(b"told of a move before the own one was answered")
        self._waits = True
        self._request += 1
        act = self._acts[move]
        self._sent = act[:14] + b'","requestId":"%d"' % self._request + act[15:]
        self.sent_at = time.perf_counter()
        self._send()

    def _send(self) -> None:
        self.transport.send(WSMsgType.TEXT, self._sent)

    def timed(self) -> Timed:
        return Timed(self.far, self.sent_at, time.perf_counter())

    def take(self, data: bytes) -> None:
        if data.startswith(b'{"action":"table_events"'):
            if self._game.load.careful:
                self._check(data)
            if b'"type":"dropped"' in data:
                self.seen += data.count(b'"type":"dropped"')
                self._game.seen(self)
        elif data.startswith(b'{"action":"act"'):
            self._waits = False
            self._game.load.acts.append(self.timed())
        elif data.startswith(b'{"action":"seated"'):
            self.seat = msgspec.json.decode(data)["payload"]["seat"]
            self.seen = 0
            self._game.seated()
        elif data.startswith(b'{"action":"error"'):
            self._refused(data)
        elif not data.startswith((b'{"action":"rematch"', b'{"action":"watching"')):
            super().take(data)

    def _check(self, data: bytes) -> None:
        """Nobody may miss a row, or hear of one twice."""
        told = msgspec.json.decode(data)["payload"]
        if self._seq not in (0, told["after"]):
            self._game.load.errors.append(b"after row %d: " % self._seq + data)
        self._seq = told["seq"]

    def _refused(self, data: bytes) -> None:
        if b'"code":"unavailable"' in data and self._game.load.careful:
            self._game.load.unavailable += 1
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._send)
        else:
            self._game.load.errors.append(data)


class Game:
    """One table and its two players."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.table = 0
        self.players: list[Player] = []
        self._move = 0
        self._seated = 0
        self.begun = asyncio.Event()
        self.may_move = False

    async def begin(self, owner: str, urls: Sequence[str]) -> None:
        """Has the first player open the table at `owner`, and both sit down at their nodes."""
        for url in urls:
            self.players.append(await connected(Player(self, url != owner), url))
        first = self.players[0]
        opener: Connection = first
        if owner != urls[0]:
            opener = await connected(Connection(), owner, first.token)
        opened = await opener.ask("open_table", game="connect-four", options=OPTIONS)
        self.table = int(str(opened["table"]))
        for player in self.players:
            await player.sit(self.table)
        async with asyncio.timeout(ASK_SECONDS):
            await self.begun.wait()
        if opener is not first:
            opener.transport.disconnect()

    def seated(self) -> None:
        self._seated += 1
        if self._seated == 2:
            self._seated = 0
            self.players.sort(key=lambda player: player.seat)
            self._move = 0
            self.may_move = True
            self.begun.set()
            self.load.ready(self)

    def move(self) -> None:
        self.may_move = False
        self.players[self._move % 2].act(self._move)

    def seen(self, player: Player) -> None:
        """A player was told of a move: if it is the opponent, it is its turn."""
        mover = self.players[self._move % 2]
        if player is mover or player.seen != self._move + 1:
            return
        self.load.notices.append(mover.timed())
        self._move += 1
        if self._move < MOVES:
            self.may_move = True
            self.load.ready(self)
            return
        for each in self.players:
            each.transport.send(WSMsgType.TEXT, message("rematch", table=self.table))


class Load:
    """All games of a measurement, and what was seen of them."""

    def __init__(self, *, careful: bool = False) -> None:
        """`careful`: every notice is looked at, and `unavailable` is no fault."""
        self.careful = careful
        self.closed_loop = False
        self.games: list[Game] = []
        self.errors: list[bytes] = []
        self.unavailable = 0
        self.acts: list[Timed] = []
        self.notices: list[Timed] = []

    async def begin(self, number: int, owner: str, urls: Sequence[str]) -> None:
        """That many more games: tables of `owner` for players at the two addresses."""
        for start in range(0, number, TOGETHER):
            new = [Game(self) for _ in range(min(TOGETHER, number - start))]
            await asyncio.gather(*(game.begin(owner, urls) for game in new))
            self.games += new

    def ready(self, game: Game) -> None:
        if self.closed_loop:
            game.move()

    @property
    def moves(self) -> int:
        """That the opponent was told of."""
        return len(self.notices)

    async def pace(self, rate: float, seconds: float) -> None:
        """Has the games move in turn, so many times a second; who is not ready is passed over."""
        turns = cycle(self.games)
        loop = asyncio.get_running_loop()
        began = loop.time()
        for turn in range(int(rate * seconds)):
            await asyncio.sleep(began + turn / rate - loop.time())
            game = next(turns)
            if game.may_move:
                game.move()
        self.check()

    def start_all(self) -> None:
        """Each player moves as soon as it is told of the other's move."""
        self.closed_loop = True
        for game in self.games:
            game.move()

    def check(self) -> None:
        if self.errors:
            raise SystemExit(f"refused or lost: {self.errors[0].decode()}")
