"""A client of the `duel` door: it plays one match of two-player Bingo after the other, under the
same number and key, and picks when it is told that it is its turn."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.checker.doors import duel_packets as packets
from gamehall.simulation.clients.client import AGAIN_SECONDS, Client

UIDS = {"quin": 7, "rosa": 8}
KEY = "secret"
OF_THE_MATCH = f"7:8:21:{KEY}"
"""Both may say it; otherwise each says who it is."""

THINK_SECONDS = (0.1, 0.8)
REFUSED_SECONDS = 1.0
"""Before it says its hello again."""
ASKS_AFTER_A_PICK = 0.3
"""How often it asks whether its pick has counted, from 0 to 1."""


class Duellist(Client):
    door = "duel"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._hello = ""
        """What it came with to the match that it plays."""
        self._plays = False
        self._let_in = False
        self._unanswered = 0
        self._size = 0
        self._picked: list[int] = []
        self._last_pick = 0

    @property
    def here(self) -> bool:
        """Or it was told that there is no place for it."""
        return self._let_in

    def expect_more(self) -> None:
        self.do("ask", 0.0)

    @property
    def heard_more(self) -> bool:
        return not self._unanswered

    def _begin(self) -> None:
        if not self._plays:
            rng = self._machine.rng
            who = rng.choice((OF_THE_MATCH, f"{UIDS[self.name]}:{KEY}"))
            self._hello = who + rng.choice(("", ":fast"))
        self._again_seconds = AGAIN_SECONDS
        self._let_in = False
        self._size, self._picked = 0, []
        self._ask(packets.HELLO, self._hello)

    def _end(self) -> None:
        self._unanswered = 0

    def _encoded(self, text: str) -> bytes:
        return packets.as_bytes(json.loads(text))

    def _decoded(self, frame: bytes) -> list[str]:
        return [json.dumps(packets.as_packet(frame))]

    def _send(self, *packet: Any) -> None:
        self._say(json.dumps(packet))

    def _ask(self, *packet: Any) -> None:
        """For what is always answered."""
        self._unanswered += 1
        self._send(*packet)

    def _hear(self, text: str) -> None:
        kind, *fields = json.loads(text)
        if kind in (packets.ACCEPTED, packets.REFUSED, packets.YOUR_TURN, packets.NOT_YOUR_TURN):
            self._unanswered = max(0, self._unanswered - 1)
        self._let_in = True
        match kind:
            case packets.ACCEPTED:
                self._plays = True
                self._ask(packets.ASK_TURN)
            case packets.REFUSED:
                self._again_seconds = REFUSED_SECONDS
            case packets.BOARD:
                self._size = len(fields[0])
                self._ask(packets.ASK_TURN)
            case packets.PICKED:
                self._picked.append(fields[0])
            case packets.YOUR_TURN:
                seconds = self._machine.rng.uniform(*THINK_SECONDS)
                self._soon(seconds, self._pick_any)
            case packets.ILLEGAL_PICK:
                self._ask(packets.ASK_TURN)
            case packets.MESSAGE:
                # Something cannot be saved, or not be found out.
                self._unanswered = 0
                self._soon(AGAIN_SECONDS, lambda: self._ask(packets.ASK_TURN))
        if kind in packets.RESULTS:
            self._plays = False

    def _pick_any(self) -> None:
        rng = self._machine.rng
        free = [n for n in range(1, self._size**2 + 1) if n not in self._picked]
        if free and self._plays:
            self._pick(rng.choice(free))
            if rng.random() < ASKS_AFTER_A_PICK:
                self._ask(packets.ASK_TURN)

    def _pick(self, number: int) -> None:
        self._last_pick = number
        self._picked.append(number)
        self._send(packets.PICK, number)

    def do(self, deed: str, pick: float) -> None:
        if not (self._plays and self._let_in) or self._line is None:
            return
        match deed:
            case "hang up" | "move":
                self.hang_up()
            case "send again":
                self._send(packets.PICK, self._last_pick)
            case "act" | "sit":
                # Of any number, whosever turn it is.
                self._pick(int(pick * (self._size**2 + 2)))
            case _:
                self._ask(packets.ASK_TURN)
