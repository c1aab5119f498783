"""What a person does with challenges, its own and others', at the native door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehall.simulation.clients.picks import Picks
from gamehall.simulation.story import GAMES

Json = dict[str, Any]

CHALLENGE_DEEDS = ("challenge", "accept", "refuse", "withdraw a challenge")


class Challenges:
    def __init__(self, ask: Callable[..., None]) -> None:
        self._ask = ask
        self._wishes: list[Picks] = []
        """How it chooses among the people who are listed next."""
        self._sent: list[int] = []
        self._received: list[int] = []

    def do(self, deed: str, rng: Picks) -> None:
        match deed:
            case "challenge":
                self._wishes.append(rng)
                self._ask("list_players", limit=50)
            case "accept" | "refuse":
                if self._received:
                    self._ask(deed, challenge=self._received[-1])
            case "withdraw a challenge":
                if self._sent:
                    self._ask("withdraw", challenge=self._sent[-1])

    def challenged(self, challenge: int) -> None:
        self._received.append(challenge)

    def answered(self, action: str, payload: Json, me: int) -> None:
        if action == "challenge":
            self._sent.append(payload["challenge"])
        elif action == "list_players":
            wishes, self._wishes = self._wishes, []
            others = [each for each in payload["players"] if each["id"] != me]
            free = [each for each in others if each["status"] == "free"]
            for rng in wishes if others else ():
                player = rng.one_of(free or others)["id"]
                self._ask("challenge", player=player, game=rng.one_of(GAMES[:3]))
