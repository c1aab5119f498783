"""A client of the `practice` door: it looks for rooms of Four Stone, and moves when it is its
turn."""

from __future__ import annotations

import json
from typing import Any

from gamehall.games.four_stone import FourStone
from gamehall.games.four_stone_board import PLACES, START, moves, places, stone, taken
from gamehall.simulation.checker.doors import practice_codes as codes
from gamehall.simulation.checker.transcripts import Json
from gamehall.simulation.clients.client import AGAIN_SECONDS, Client

THINK_SECONDS = (0.1, 0.8)
IDLE_SECONDS = 1.0
"""Before it looks for another room, or logs in again where it seems to be there already."""
NO_MEANING = (
    "act late", "open", "sit", "watch", "challenge", "accept", "refuse", "withdraw a challenge",
    "rematch", "say", "resume", "offer a draw", "answer a draw", "refill",
)  # fmt: skip
"""Deeds that have none at this door."""


class StonePlayer(Client):
    door = "practice"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._room: int | None = None
        self._moves = 0
        """How many it was told of."""
        self._id = ""
        self._here = False
        self._asked: Json | None = None
        """What it has sent and is not answered yet; it asks for one thing at a time."""
        self._last: Json | None = None
        """The last thing that it did in a room."""
        self._seat = 0
        self._stones = START
        self._idle = False
        """Whether it is about to look for a room."""

    @property
    def here(self) -> bool:
        return self._here

    def expect_more(self) -> None:
        # If it has missed a move, this one counts, and it hears of it too soon.
        self._move(self._moves)

    @property
    def heard_more(self) -> bool:
        return self._asked is None

    # Being connected

    def _begin(self) -> None:
        self._again_seconds = AGAIN_SECONDS
        self._log_in()

    def _end(self) -> None:
        self._here = False
        self._room = None
        self._asked = None
        self._idle = False
        self.sought.clear()

    def _log_in(self) -> None:
        self._ask(codes.LOGIN, {"name": self.name})

    def _ask(self, code: int, info: Json) -> None:
        if self._line is not None and self._asked is None:
            self._asked = {"code": code, "id": self._id, "info": info, "timestamp": 0}
            self._say(json.dumps(self._asked))

    # Hearing

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        info = message["info"]
        match message["code"]:
            case codes.LOGGED_IN:
                self._id, self._here, self._asked = message["id"], True, None
                self._rest()
            case codes.ELSEWHERE:
                self._again_seconds = IDLE_SECONDS
                self.hang_up()
            case codes.WAITING:
                self._asked = None
                self.sought.add(FourStone.name)
            case codes.CANCELLED:
                self._asked = None
                self.sought.clear()
            case codes.STARTED:
                self.sought.clear()
                self._room, self._seat = info["room"], info["move_turn"]
                self._stones, self._moves = START, 0
                self._think()
            case codes.HAPPENED:
                self._moved(info)
            case codes.ENDED:
                self._ended_room(info["result"])
            case codes.MESSAGE:
                self._refused(info["code"])

    def _moved(self, info: Json) -> None:
        seat, start, target = (
            info["move_turn"],
            stone(info["position_init"]),
            stone(info["position_move"]),
        )
        own, enemy = self._stones[seat] ^ start ^ target, self._stones[1 - seat]
        enemy &= ~taken(own, enemy, target)
        self._stones = (enemy, own) if seat else (own, enemy)
        self._moves += 1
        if seat == self._seat and self._asked is not None:
            asked = self._asked["info"]
            if {**asked, "action": codes.MOVED} == info:
                self._asked = None
        self._think()

    def _ended_room(self, result: Json) -> None:
        self._room = None
        if self._asked is not None and self._asked["info"].get("action") == result["reason"][:6]:
            self._asked = None
        self._rest()

    def _refused(self, code: str) -> None:
        if code in codes.UNASKED:
            self.sought.clear()
            return
        self._asked = None
        if code == "logged_out":
            self._here, self._room = False, None
        if not self._here:
            self._soon(AGAIN_SECONDS, self._log_in)
        elif self._room is None:
            self._rest()
        else:
            self._think()

    # Playing

    def _rest(self) -> None:
        if not self._idle:
            self._idle = True
            self._soon(IDLE_SECONDS, self._seek)

    def _seek(self) -> None:
        self._idle = False
        if self._here and self._room is None:
            self._ask(codes.SEEK, {"game_id": "four_stone"})

    def _think(self) -> None:
        if self._moves % 2 == self._seat:
            heard = self._moves
            seconds = self._around.rng.uniform(*THINK_SECONDS)
            self._soon(seconds, lambda: self._move(heard))

    def _move(self, heard: int) -> None:
        legal = moves(self._stones[self._seat], self._stones[1 - self._seat])
        if self._room is not None and heard == self._moves and legal:
            start, target = self._around.rng.choice(legal)
            self._act(places(start)[0], places(target)[0])

    def _act(self, start: tuple[int, int], target: tuple[int, int]) -> None:
        self._last = {
            "room": self._room,
            "action": codes.MOVE,
            "move_turn": self._seat,
            "position_init": list(start),
            "position_move": list(target),
        }
        self._ask(codes.ACT, self._last)

    def do(self, deed: str, pick: float) -> None:
        match deed:
            case "hang up" | "move":
                self.hang_up()
            case "cancel" if self._here:
                self._ask(codes.CANCEL, {})
            case "leave" if self._here:
                self._ask(codes.LOGOUT, {})
            case "resign" if self._room is not None:
                self._ask(codes.ACT, {"room": self._room, "action": "resign"})
            case "act" if self._room is not None:
                # Any stone to any place, whosever turn it is.
                place = int(pick * len(PLACES) ** 2)
                self._act(PLACES[place // len(PLACES)], PLACES[place % len(PLACES)])
            case "send again" if self._last is not None:
                self._ask(codes.ACT, self._last)
            case "seek":
                self._seek()
            case "cancel" | "leave" | "resign" | "act" | "send again":
                """Not now."""
            case _ if deed not in NO_MEANING:
                raise ValueError(f"nobody knows how to {deed}")
