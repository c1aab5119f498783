"""What a person does at tournaments, at the native door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehall.simulation.clients.cups import CLUBS, cup
from gamehall.simulation.clients.picks import Picks

Json = dict[str, Any]


class Entrant:
    def __init__(self, ask: Callable[..., None]) -> None:
        self._ask = ask
        self._wishes: list[tuple[str, Picks]] = []
        """What it is about to do with one of the tournaments that are listed next."""
        self._own: list[int] = []
        self.running: set[int] = set()
        """Those that were being played when it last looked."""

    def do(self, deed: str, rng: Picks) -> None:
        match deed:
            case "open a tournament":
                self._ask("open_tournament", **cup(rng))
            case "begin":
                if self._own:
                    self._ask("begin_tournament", tournament=rng.one_of(self._own))
            case "enter" | "withdraw" | "look on":
                self._wishes.append((deed, rng))
                self._ask("list_tournaments")

    def look(self) -> None:
        """Has all that are not closed shown as they stand."""
        self._wishes.append(("look at all", Picks(0.0)))
        self.running.clear()
        self._ask("list_tournaments")

    def answered(self, action: str, payload: Json) -> None:
        match action:
            case "open_tournament":
                self._own.append(payload["tournament"])
            case "list_tournaments":
                wishes, self._wishes = self._wishes, []
                tournaments = [each["id"] for each in payload["tournaments"]]
                for deed, rng in wishes if tournaments else ():
                    self._go_on(deed, rng, tournaments)
            case "tournament":
                if payload["view"]["status"] == "running":
                    self.running.add(payload["tournament"])

    def _go_on(self, deed: str, rng: Picks, tournaments: list[int]) -> None:
        if deed == "look at all":
            for each in tournaments:
                self._ask("tournament", tournament=each)
            return
        chosen = rng.one_of(tournaments)
        match deed:
            case "enter":
                self._ask("enter_tournament", tournament=chosen, club=rng.one_of(CLUBS))
            case "withdraw":
                self._ask("leave_tournament", tournament=chosen)
            case "look on":
                self._ask("tournament", tournament=chosen)
                self._ask("watch", table=chosen)
