"""A client of the `rfc` door: it subscribes, bets in the round that is open, and comes back as
another guest when its connection ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gamehall.simulation.checker.transcripts import Line as Noted
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.simulation.connection import Line
from gamehall.simulation.node import Node
from gamehall.simulation.person import AGAIN_SECONDS
from gamehall.simulation.world import Machine

SIDES = ("BIG", "SMALL", "ODD", "LEO3", "SUM9", "DICE4SG", "DICE15")


class Bettor:
    def __init__(self, machine: Machine, name: str, nodes: Mapping[str, Node]) -> None:
        self.name = name
        self.transcript = Transcript(name)
        self._machine = machine
        self._nodes = nodes
        self._number = -1
        self._line: Line | None = None

    def come(self, pick: float) -> None:
        nodes = [node for node in self._nodes.values() if node.ready]
        if self._line is None and nodes:
            node = nodes[int(pick * len(nodes))]
            self._number += 1
            number = self._number
            self._line = Line(
                self._machine.world,
                node,
                node.doors["rfc"],
                address="127.0.0.1",
                hear=lambda frame: self._heard(number, frame),
                ended=lambda: self._ended(number),
            )
            self._send("subscribe_rounds", {})
        elif self._line is None:
            self._machine.call_later(AGAIN_SECONDS, self.come, pick)

    def do(self, deed: str, pick: float) -> None:
        """Bets, or hangs up."""
        if deed == "hang up" and self._line is not None:
            self._line.hang_up()
            self._ended(self._number)
        else:
            side = SIDES[int(pick * len(SIDES))]
            self._send("place_bet", {"roundId": "", "side": side, "amount": 1 + int(pick * 1000)})

    def _send(self, action: str, payload: dict[str, Any]) -> None:
        if self._line is not None:
            id = f"{self.name}-{len(self.transcript.lines)}"
            text = json.dumps({"action": action, "requestId": id, "payload": payload})
            self._note(self._number, "sent", text)
            self._line.send(text.encode())

    def _heard(self, number: int, frame: bytes) -> None:
        if number == self._number:
            for text in frame.decode().splitlines():
                self._note(number, "heard", text)

    def _ended(self, number: int) -> None:
        if number == self._number and self._line is not None:
            self._line = None
            self._machine.call_later(AGAIN_SECONDS, self.come, self._machine.world.rng.random())

    def _note(self, number: int, what: Any, text: str) -> None:
        self.transcript.lines.append(Noted(number, 0, what, text))
