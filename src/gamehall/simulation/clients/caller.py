"""A client of the `caller` door, who plays called Bingo: it answers each number, and says so when
it has a bingo."""

from __future__ import annotations

import json

from gamehall.simulation.clients.client import AGAIN_SECONDS, Client, Surroundings

CAN_START = "A new round can be started with /start."
LATE_SECONDS = (0.98, 1.005)
"""When a number is answered at the last moment: the hall waits a second."""
NO_MEANING = (
    "seek", "open", "sit", "watch", "challenge", "accept", "cancel", "refuse",
    "withdraw a challenge", "resign", "rematch", "say", "resume", "offer a draw", "answer a draw",
    "refill",
)  # fmt: skip
"""Deeds that have none at this door."""


class Caller(Client):
    door = "caller"

    def __init__(self, surroundings: Surroundings, name: str) -> None:
        super().__init__(surroundings, name)
        self._seated = False
        self._card: list[list[int]] = []
        """Five columns; empty without a round."""
        self._called: list[int] = []
        self._expected: int | None = None
        """How many numbers it knew then of a round that goes on."""
        self._late = False

    def _begin(self) -> None:
        self._speak(self.name)

    def _end(self) -> None:
        self._seated = False
        self._card = []

    def _speak(self, line: str) -> None:
        self._say(line)
        self._expect_word()

    @property
    def here(self) -> bool:
        return self._seated

    @property
    def has_place(self) -> bool:
        return bool(self._card)

    def expect_more(self) -> None:
        self._expected = len(self._called) if self._card else None

    @property
    def heard_more(self) -> bool:
        return self._expected is None or len(self._called) > self._expected

    def do(self, deed: str, pick: float) -> None:
        match deed:
            case "act" if self._seated:
                self._say("BINGO" if self._card and pick < 0.5 else "/start")
            case "act late":
                self._late = True
            case "send again" if self._seated:
                self._say(self.transcript.texts("sent")[-1])
            case "leave" if self._seated:
                self._speak("/quit")
            case "hang up" | "move":
                self.hang_up()
            case "act" | "send again" | "leave":
                """Not now."""
            case _ if deed not in NO_MEANING:
                raise ValueError(f"nobody knows how to {deed}")

    def _hear(self, text: str) -> None:
        kind, _, body = text.partition("|")
        match kind:
            case "NEW_CARD":
                self._seated = True
                self._card, self._called = json.loads(body), []
            case "CHECK_NUMBER":
                self._called.append(int(body))
                self._answer_later()
            case "MSG":
                self._read(body)

    def _read(self, body: str) -> None:
        if body.startswith("Connected as"):
            self.known_as = body.split()[2]
        elif body.endswith("again, or another one."):
            self._soon(AGAIN_SECONDS, lambda: self._speak(self.name))
        elif body.endswith(("to try again.", "to sit down again.")):
            self._seated = False
            self._soon(AGAIN_SECONDS, lambda: self._speak("READY"))
        elif body.startswith((CAN_START, "A round is on. You are")):
            self._seated = True
            self._card = []
            self._expected = None

    def _answer_later(self) -> None:
        rng = self._around.rng
        late, self._late = self._late, False
        number = len(self._called)

        def answer() -> None:
            if len(self._called) == number and self._card:
                self._say("BINGO" if self._has_bingo() else "READY")

        self._soon(rng.uniform(*LATE_SECONDS) if late else rng.uniform(0.0, 0.2), answer)

    def _has_bingo(self) -> bool:
        hit = [[number in (0, *self._called) for number in column] for column in self._card]
        rows = list(zip(*hit, strict=True))
        diagonals = [[hit[n][n] for n in range(5)], [hit[n][4 - n] for n in range(5)]]
        return any(all(line) for line in (*hit, *rows, *diagonals))
