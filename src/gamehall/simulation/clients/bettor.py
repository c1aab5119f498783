"""A client of the `rfc` door: it subscribes, bets in the round that is open, and comes back as
another guest when its connection ends."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.clients.client import Client

SIDES = ("BIG", "SMALL", "ODD", "LEO3", "SUM9", "DICE4SG", "DICE15")


class Bettor(Client):
    door = "rfc"

    def _begin(self) -> None:
        self._ask("subscribe_rounds", {})

    def do(self, deed: str, pick: float) -> None:
        """Bets, or hangs up."""
        if deed == "hang up":
            self.hang_up()
        else:
            side = SIDES[int(pick * len(SIDES))]
            self._ask("place_bet", {"roundId": "", "side": side, "amount": 1 + int(pick * 1000)})

    def _ask(self, action: str, payload: dict[str, Any]) -> None:
        id = f"{self.name}-{len(self.transcript.lines)}"
        self._say(json.dumps({"action": action, "requestId": id, "payload": payload}))
