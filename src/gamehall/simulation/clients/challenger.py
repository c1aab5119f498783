"""A client of the `four` door: it challenges and is challenged, and plays Connect Four."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.clients.client import AGAIN_SECONDS, Client, Surroundings

LATE_SECONDS = (5.98, 6.005)
"""When a challenge is accepted at the last moment: it lasts for six seconds."""
NO_MEANING = (
    "open", "sit", "watch", "accept", "withdraw a challenge", "cancel", "resign", "rematch", "say",
    "resume", "offer a draw", "answer a draw", "refill",
)  # fmt: skip
"""Deeds that have none at this door."""


class Challenger(Client):
    door = "four"

    def __init__(self, surroundings: Surroundings, name: str) -> None:
        super().__init__(surroundings, name)
        self._registered = False
        self._others: list[str] = []
        """Who was free when it last asked."""
        self._challenged_by: list[str] = []
        self._number: int | None = None
        """Its own, in the game that it plays."""
        self._board: list[list[int]] = []
        self._to_move = False
        self._late = False
        self._last_move = ""

    def _begin(self) -> None:
        self._tell("REGISTER", name=self.name)
        self._expect_word()

    def _end(self) -> None:
        self._registered = self._to_move = False
        self._number = None

    @property
    def here(self) -> bool:
        return self._registered

    @property
    def has_place(self) -> bool:
        return self._number is not None

    @property
    def heard_more(self) -> bool:
        return not self._to_move

    def _tell(self, type: str, **data: Any) -> None:
        self._say(json.dumps({"type": type, "data": data}))

    def do(self, deed: str, pick: float) -> None:
        if not self._registered:
            return
        match deed:
            case "act" if self._number is not None:
                self._move(int(pick * 7))
            case "act" | "seek" | "challenge":
                self._tell("LIST_PLAYERS")
                if self._others:
                    opponent = self._others[int(pick * len(self._others))]
                    self._tell("CHALLENGE", opponent_id=opponent)
            case "act late":
                self._late = True
            case "refuse" if self._challenged_by:
                self._tell("CHALLENGE_REFUSED", challenger_id=self._challenged_by[-1])
            case "send again" if self._last_move:
                self._say(self._last_move)
            case "leave":
                self._tell("DISCONNECT")
            case "hang up" | "move":
                self.hang_up()
            case "refuse" | "send again":
                """Not now."""
            case _ if deed not in NO_MEANING:
                raise ValueError(f"nobody knows how to {deed}")

    def _move(self, column: int) -> None:
        self._last_move = json.dumps({"type": "PLAY_MOVE", "data": {"column": column}})
        self._say(self._last_move)
        self._expect_word()

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        data, rng = message["data"], self._around.rng
        match message["type"]:
            case "REGISTER_OK":
                self._registered = True
                self.known_as = data["player_id"]
                self._tell("LIST_PLAYERS")
            case "LIST_PLAYERS":
                self._others = [other["id"] for other in data["players"]]
            case "CHALLENGE_RECEIVED":
                self._challenged_by.append(data["challenger_id"])
                late, self._late = self._late, False
                wait = rng.uniform(*LATE_SECONDS) if late else rng.uniform(0.05, 0.5)
                self._soon(wait, lambda: self._accept(data["challenger_id"]))
            case "GAME_START":
                self._number = data["your_number"]
            case "GAME_UPDATE":
                self._board = data["board"]
                self._to_move = data["current_player"] == self._number and not data["game_over"]
                self._move_later(rng.uniform(0.02, 0.3))
            case "GAME_OVER":
                self._number, self._to_move = None, False
            case "ERROR" if not self._registered:
                self._soon(AGAIN_SECONDS, self._begin)
            case "ERROR":
                self._move_later(AGAIN_SECONDS)

    def _accept(self, challenger: str) -> None:
        if self._number is None:
            self._tell("CHALLENGE_ACCEPTED", challenger_id=challenger)

    def _move_later(self, seconds: float) -> None:
        board, rng = self._board, self._around.rng

        def move() -> None:
            if self._to_move and self._board is board:
                self._move(rng.choice([n for n, top in enumerate(board[0]) if not top]))

        if self._to_move:
            self._soon(seconds, move)
