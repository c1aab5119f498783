"""Sic Bo as the makers' pages play it: bets without a round, and numbers as request ids that begin
anew with each connection. Every payout is compared with one's own sum.

Usage: sicbo_page.py URL rfc|mario NAME
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

LOST = 3
SIDES = ("BIG", "SMALL", "ODD", "EVEN", "ANY_LEO", "SUM10", "DICE5SG", "DICE3DB", "DICE16")


def returned(side: str, amount: int, dice: list[int]) -> int:
    """What comes back for a bet."""
    total, triple = sum(dice), len(set(dice)) == 1
    match side:
        case "BIG" | "SMALL":
            odds = int(total in (range(11, 18) if side == "BIG" else range(4, 11)))
        case "ODD" | "EVEN":
            odds = int(not triple and total % 2 == (side == "ODD"))
        case "ANY_LEO":
            odds = 30 * triple
        case "SUM10":
            odds = 6 * (total == 10)
        case "DICE5SG":
            odds = dice.count(5)
        case "DICE3DB":
            odds = 10 * (dice.count(3) >= 2)
        case _:
            odds = 5 * (1 in dice and 6 in dice)
    return amount * (odds + 1) if odds else 0


class Page:
    def __init__(self, hall: ClientConnection, dialect: str, name: str) -> None:
        self._hall = hall
        self._mario = dialect == "mario"
        self._name = name
        self._requests = 0
        self._round = ""
        self._bets: list[tuple[str, int]] = []
        self._accepted = 0
        self._dice: list[int] = []
        self._paid = 0

    def ask(self, action: str, payload: Any = None) -> None:
        self._requests += 1
        request = {"action": action, "requestId": self._requests, "payload": payload or {}}
        array = [6, "SicboZone", "sicboPlugin", request]
        self._hall.send(json.dumps(array if self._mario else request))

    def play(self) -> None:
        self._hall.send(json.dumps({"action": "subscribe_rounds"}))
        if self._mario:
            self._hall.send(json.dumps([1, "SicboZone", self._name, f"of {self._name}", {}]))
        for text in self._hall:
            message = json.loads(text)
            if isinstance(message, list):
                if message[0] != 5:
                    assert message[1] is True, message
                    continue
                message = message[1]
            self._hear(message["action"], message.get("payload") or {})

    def _hear(self, action: str, payload: dict[str, Any]) -> None:
        match action:
            case "round_state" if payload["status"] == "BETTING_OPEN":
                if payload["roundId"] != self._round:
                    self._begin(payload["roundId"])
            case "bet_accepted":
                self._accepted += payload["amount"]
            case "reveal_result":
                self._dice = payload["dice"]
            case "payout":
                self._paid += payload["payout"]
            case "game_over" if payload["roundId"] == self._round and self._accepted:
                self._compare()
            case "error":
                assert payload["code"] == "BET_WINDOW_CLOSED", payload

    def _begin(self, round: str) -> None:
        # Who comes back has bets of its last life in this round, which it does not know.
        first = not self._round
        self._round, self._bets, self._accepted = round, [], 0
        self._dice, self._paid = [], 0
        for _ in range(0 if first else 3):
            side, amount = random.choice(SIDES), random.randrange(1, 500)
            self._bets.append((side, amount))
            self.ask("place_bet", {"roundId": "", "side": side, "amount": amount})

    def _compare(self) -> None:
        if self._accepted == sum(amount for _, amount in self._bets):
            due = sum(returned(side, amount, self._dice) for side, amount in self._bets)
            assert self._paid == due, f"{self._paid} for {self._bets} and {self._dice}"
            print("over", self._round, flush=True)


def main(url: str, dialect: str, name: str) -> int:
    try:
        with connect(url) as hall:
            Page(hall, dialect, name).play()
    except (OSError, WebSocketException):
        pass
    return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
