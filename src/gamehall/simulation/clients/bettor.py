"""Clients of the doors of Sic Bo, `rfc` and `mario`: they follow the rounds, bet, and send again
what was not answered."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.clients.client import AGAIN_SECONDS, Client, Surroundings

Json = dict[str, Any]

SIDES = ("BIG", "SMALL", "ODD", "LEO3", "SUM9", "DICE4SG", "DICE15")
LATE_SECONDS = 0.01
"""So close to the end of betting some bet, before or after it."""
NO_MEANING = (
    "seek", "open", "sit", "watch", "challenge", "accept", "cancel", "refuse",
    "withdraw a challenge", "resign", "rematch", "leave", "say", "offer a draw", "answer a draw",
    "refill",
)  # fmt: skip
"""Deeds that have none at this door."""


class Bettor(Client):
    """At the `rfc` door. It is another guest each time it comes, with bets of its own."""

    door = "rfc"

    def __init__(self, surroundings: Surroundings, name: str) -> None:
        super().__init__(surroundings, name)
        self._round = ""
        """The one that it was last told of; none until it follows them."""
        self._rounds = self._expected = 0
        """How often it was told how a round stands."""
        self._late: float | None = None
        """By which pick it bets at the last moment of the next round."""
        self._bets: dict[str, Json] = {}
        """By request id."""
        self._open: set[str] = set()
        """Those without an answer."""

    # Coming

    def _begin(self) -> None:
        self._bets.clear()
        self._open.clear()
        self._ask("subscribe_rounds", self._new_id(), {})
        self._expect_word()

    def _end(self) -> None:
        self._round = ""

    @property
    def here(self) -> bool:
        return bool(self._round)

    def expect_more(self) -> None:
        self._expected = self._rounds

    @property
    def heard_more(self) -> bool:
        return self._rounds > self._expected

    # Betting

    def do(self, deed: str, pick: float) -> None:
        match deed:
            case "act":
                self._bet(pick)
            case "act late":
                self._late = pick
            case "send again" if self._bets and self._round:
                self._place(list(self._bets)[int(pick * len(self._bets))])
            case "resume" if self._round:
                self._ask("bet_history_for_table", self._new_id(), {})
            case "hang up" | "move":
                self.hang_up()
            case "send again" | "resume":
                """Not now."""
            case _ if deed not in NO_MEANING:
                raise ValueError(f"nobody knows how to {deed}")

    def _bet(self, pick: float) -> None:
        """It names the round, so that the bet is one however often it is sent."""
        if self._round:
            id = self._new_id()
            side = SIDES[int(pick * len(SIDES))]
            amount = 1 + int(pick * 1000)
            self._bets[id] = {"roundId": self._round, "side": side, "amount": amount}
            self._place(id)

    def _new_id(self) -> str:
        return f"{self.name}-{len(self.transcript.lines)}"

    def _place(self, id: str) -> None:
        self._open.add(id)
        self._ask("place_bet", id, self._bets[id])
        self._expect_word()

    def _ask(self, action: str, id: str, payload: Json) -> None:
        self._say(json.dumps({"action": action, "requestId": id, "payload": payload}))

    # Hearing

    def _hear(self, text: str) -> None:
        self._told(json.loads(text))

    def _told(self, message: Json) -> None:
        id, payload = message.get("requestId"), message.get("payload", {})
        match message["action"]:
            case "round_state":
                self._rounds += 1
                self._round = payload["roundId"]
                if payload["status"] == "BETTING_OPEN" and self._late is not None:
                    self._bet_late(payload, self._late)
            case "bet_accepted":
                self._open.discard(id)
            case "error" if payload["code"] != "UNAVAILABLE":
                self._open.discard(id)
            case "error":
                self._soon(AGAIN_SECONDS, lambda: self._again(id))

    def _bet_late(self, round: Json, pick: float) -> None:
        self._late = None
        left = (round["closeAt"] - round["openAt"]) / 1000
        rng = self._around.rng
        late = left + rng.uniform(-LATE_SECONDS, LATE_SECONDS)
        self._soon(late, lambda: self._bet(pick))

    def _again(self, id: str | None) -> None:
        if id in self._open:
            assert id is not None
            self._place(id)
        elif not self._round:
            self.hang_up()


class RoomBettor(Bettor):
    """At the `mario` door, with an account: it comes back to its bets."""

    door = "mario"

    def __init__(self, surroundings: Surroundings, name: str) -> None:
        super().__init__(surroundings, name)
        self._token = ""

    def _begin(self) -> None:
        if self._token:
            self._say(json.dumps([1, "SicboZone", self.name, {}, {"bnrToken": self._token}]))
        else:
            self._say(json.dumps([1, "LOBBY", self.name, "password", {"bnrToken": ""}]))
        self._expect_word()

    def _ask(self, action: str, id: str, payload: Json) -> None:
        asked = {"action": action, "requestId": id, "payload": payload}
        self._say(json.dumps([6, "SicboZone", "sicboPlugin", asked]))

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        match message:
            case [1, True, 0, _, "LOBBY", _, profile]:
                self._token = profile["sessionProfile"]["bnrToken"]
                self._begin()
            case [1, True, *_]:
                for id in sorted(self._open):
                    self._place(id)
            case [1, False, *_]:
                self._soon(AGAIN_SECONDS, self._begin)
            case [5, said]:
                self._told(said)
