"""A page at the `watch` door: it asks which matches of two-player Bingo are on, and looks at some
of them."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.clients.client import Client

LOOKS = ("act", "watch", "sit", "resume")
"""What a page does that looks at one match; with most others it asks for all."""


class Watcher(Client):
    door = "watch"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._rooms: list[str] = []
        self._unanswered = 0

    @property
    def here(self) -> bool:
        return self._line is not None and not self._unanswered

    def expect_more(self) -> None:
        self._ask(msg="ping")

    @property
    def heard_more(self) -> bool:
        return self.here

    def _begin(self) -> None:
        self._ask(msg="ping")

    def _end(self) -> None:
        self._unanswered = 0

    def _ask(self, **message: Any) -> None:
        if self._line is not None:
            self._unanswered += 1
            self._say(json.dumps(message))

    def _hear(self, text: str) -> None:
        self._unanswered -= 1
        answer = json.loads(text)
        if "game_state" in answer:
            over = [each["data"]["room_id"] for each in answer["game_history"]]
            self._rooms = [*answer["game_state"], *over]

    def do(self, deed: str, pick: float) -> None:
        if deed in ("hang up", "move"):
            self.hang_up()
        elif deed in LOOKS:
            # A page has a room's number from anywhere, so it may be none.
            rooms = [*self._rooms, str(1 + int(pick * 10))]
            self._ask(msg="detail", room_id=rooms[int(pick * len(rooms))])
        else:
            self._ask(msg="ping")
