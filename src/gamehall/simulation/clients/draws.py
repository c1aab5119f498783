"""Draws that a person offers and answers, at the native door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehall.simulation.clients.picks import Picks

Json = dict[str, Any]

DRAW_DEEDS = ("offer a draw", "answer a draw")
GAMES = ("connect-four",)
"""Those in which a draw can be offered."""


class Draws:
    def __init__(self, ask: Callable[..., None], views: dict[int, Json]) -> None:
        """`views`: how each table stood when it was last seen as a whole."""
        self._ask = ask
        self._views = views
        self._offered: list[int] = []
        """Tables at which the opponent has offered one, and it has not answered."""
        self._next: Picks | None = None
        """How it answers the next offer, if it does so at once."""

    def do(self, deed: str, rng: Picks) -> None:
        if deed == "offer a draw":
            table = rng.one_of([each for each in sorted(self._views) if self._plays(each)])
            if table is not None:
                self._ask("offer_draw", table=table)
        elif self._offered:
            self._answer(self._offered.pop(), rng)
        else:
            self._next = rng

    def told(self, payload: Json) -> None:
        """Of events at a table."""
        table = payload["table"]
        for event in payload["events"]:
            if event["type"] != "draw_offered" or not self._plays(table):
                continue
            if event["seat"] == self._views[table]["seat"]:
                continue
            rng, self._next = self._next, None
            if rng is None:
                self._offered.append(table)
            else:
                self._answer(table, rng)

    def _answer(self, table: int, rng: Picks) -> None:
        self._ask("answer_draw", table=table, accept=rng.one_of((True, False)))

    def _plays(self, table: int) -> bool:
        view = self._views.get(table)
        return view is not None and view["game"] in GAMES and view["seat"] is not None
