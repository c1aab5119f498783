"""Four Stone as the original client plays it: its game is built by a thread after the room has
started, and what comes before that is done is lost.

Usage: practice_player.py URL SIGN ID NAME
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.system.originals.programs.onlookers import wait_for_onlookers

LOST = 3
BUILD_SECONDS = 1.0
THINK_SECONDS = 0.02
Place = tuple[int, int]


class Board:
    """The rules as the original has them: two of one's own beside each other take a third."""

    def __init__(self) -> None:
        self.stones: dict[Place, int] = {(x, 3): 0 for x in range(4)}
        self.stones |= {(x, 0): 1 for x in range(4)}
        self.turn = 0

    def moves(self) -> list[tuple[Place, Place]]:
        return [
            ((x, y), (x + dx, y + dy))
            for (x, y), seat in self.stones.items()
            if seat == self.turn
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= x + dx < 4 and 0 <= y + dy < 4 and (x + dx, y + dy) not in self.stones
        ]

    def move(self, start: Place, end: Place) -> None:
        self.stones[end] = self.stones.pop(start)
        for line in ([(end[0], i) for i in range(4)], [(i, end[1]) for i in range(4)]):
            for places in (line, line[::-1]):
                self._take(places)
        self.turn = 1 - self.turn

    def _take(self, places: list[Place]) -> None:
        own, enemy = self.turn, 1 - self.turn
        a, b, c, d = (self.stones.get(place) for place in places)
        if (a, b, c) == (own, own, enemy) and d != enemy:
            del self.stones[places[2]]
        elif (b, c, d) == (own, own, enemy) and a != enemy:
            del self.stones[places[3]]


class Player:
    def __init__(self, hall: ClientConnection, sign: str, id: str, name: str) -> None:
        self._hall = hall
        self._sign = sign
        self._id = id
        self._name = name
        self._seat = 0
        self._room = 0
        self._board: Board | None = None
        self._moves = 0

    def send(self, code: int, info: Any) -> None:
        message = {"code": code, "id": self._id, "info": info, "timestamp": time.time()}
        self._hall.send(json.dumps(message))

    def play(self) -> None:
        self.send(200002, {"name": self._name})
        for text in self._hall:
            message = json.loads(text)
            if message["id"] != self._id:
                continue
            info = message["info"]
            print(message["code"], info, file=sys.stderr)
            match message["code"]:
                case 100001:
                    self.send(200004, {"game_id": "four_stone"})
                case 100004:
                    self._board, self._moves = None, 0
                    self._room, self._seat = info["room"], info["move_turn"]
                    threading.Thread(target=self._build, daemon=True).start()
                case 100006 if self._board is not None:
                    self._board.move(tuple(info["position_init"]), tuple(info["position_move"]))
                    self._think(self._board)
                case 100005:
                    print("over", info["result"]["reason"], flush=True)
                    self.send(200004, {"game_id": "four_stone"})

    def _build(self) -> None:
        time.sleep(BUILD_SECONDS)
        board = Board()
        self._board = board
        self._think(board)

    def _think(self, board: Board) -> None:
        moves = board.moves()
        if board.turn != self._seat or not moves:
            return
        time.sleep(THINK_SECONDS)
        # The first ones come while the other still builds its game.
        wait_for_onlookers(self._sign if self._moves == 1 else "")
        self._moves += 1
        start, end = random.choice(moves)
        move = {"move_turn": self._seat, "position_init": start, "position_move": end}
        self.send(200006, {"room": self._room, "action": 500001, **move})


def main(url: str, sign: str, id: str, name: str) -> int:
    try:
        with connect(url) as hall:
            Player(hall, sign, id, name).play()
    except (OSError, WebSocketException):
        pass
    return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
