"""One table as this client sees it: the last view, who is away, and what was told."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from gamehall.terminal.boards import board_of
from gamehall.terminal.boards.board import Board
from gamehall.terminal.text import printable, seconds_left
from gamehall.terminal.words import Speaker, speaker_of, turn_in, turn_of

Payload = dict[str, Any]
LINES_MAX = 200


class Table:
    def __init__(self, id: int) -> None:
        self.id = id
        self.view: Payload | None = None
        self.lines: deque[str] = deque(maxlen=LINES_MAX)
        self.told = 0
        """How many lines there ever were."""
        self.away: dict[int, str] = {}
        """Players whose connection dropped, by id."""
        self.result: str | None = None
        """How the last round ended, until the next has begun."""
        self._clock_offset_ms = 0.0

    # What comes

    def take_view(self, view: Payload) -> None:
        if self.view is not None and view["round"] != self.view["round"] and view["legal"]:
            self.result = None
        self.view = view
        if view["clock"] is not None:
            self._clock_offset_ms = view["clock"]["now_ms"] - _now_ms()
        if view["status"] == "over":
            self.result = self.speaker.outcome(view["outcome"])

    def tell(self, line: str) -> str:
        """The line as it may be shown."""
        shown = printable(line)
        self.lines.append(shown)
        self.told += 1
        return shown

    # What is shown

    @property
    def speaker(self) -> Speaker:
        return speaker_of(self.view)

    @property
    def seat(self) -> int | None:
        return None if self.view is None else self.view["seat"]

    @property
    def status(self) -> str:
        return "" if self.view is None else str(self.view["status"])

    @property
    def plays(self) -> bool:
        """Whether this player has a part in the round that is on."""
        return self.status == "playing" and self.seat is not None

    @property
    def waits_for_me(self) -> bool:
        """Whether anything of this player is of use now."""
        if self.view is None or self.status == "waiting":
            return False
        if self.status == "over":
            return self.seat is None or self.seat not in self.view["rematch"]
        return self.status == "closed" or bool(self.view["legal"])

    def board(self, plain: bool = False) -> Board:
        return Board(()) if self.view is None else board_of(self.view, plain)

    def turn(self) -> str:
        return "One moment." if self.view is None else printable(turn_of(self.view, self.speaker))

    def clock(self) -> str | None:
        """The time that is left until something happens by itself."""
        if self.view is None or self.view["clock"] is None:
            return None
        now_ms = _now_ms() + self._clock_offset_ms
        return seconds_left(self.view["clock"]["due_ms"], now_ms)

    def standing(self) -> str:
        """Who is waited for, and for how long; or how it ended."""
        clock = self.clock()
        if clock is None:
            return self.turn()
        if self.status == "over" and self.view is not None and not _goes_on(self.view):
            return f"{self.turn()} Play again within {clock}?"
        return f"{self.turn()} {clock} left."

    def people(self) -> list[str]:
        """Whoever sits here, a line each."""
        if self.view is None:
            return []
        turn = turn_in(self.view)
        return [
            printable(self._person(person, person["seat"] == turn))
            for person in self.view["players"]
        ]

    def _person(self, person: Payload, at_turn: bool) -> str:
        assert self.view is not None
        has_stones = self.view["game"] in ("connect-four", "four-stone")
        has_begun = self.view["count"] <= 2 and self.view["view"] is not None
        stone = "●○"[person["seat"]] if has_stones and has_begun and person["seat"] < 2 else ""
        notes = [
            "you" if person["seat"] == self.seat else "",
            "bot" if person.get("bot") else "",
            "away" if not person.get("here", True) or person["id"] in self.away else "",
            "left" if person.get("left") else "",
        ]
        said = ", ".join(filter(None, notes))
        words = ("▶" if at_turn else " ", stone, person["name"], f"({said})" if said else "")
        return " ".join(filter(None, words))


def _goes_on(view: Payload) -> bool:
    """Whether the next round opens by itself."""
    return view["outcome"] is not None and view["outcome"].get("again_ms") is not None


def _now_ms() -> float:
    return time.monotonic() * 1000
