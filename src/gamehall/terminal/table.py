"""One table as this client sees it: the last view, who is away, and what was told."""

from __future__ import annotations

import time
from collections import deque

from gamehall.client.following import goes_on
from gamehall.terminal.boards import board_of
from gamehall.terminal.boards.board import Board
from gamehall.terminal.text import printable, seconds_left
from gamehall.terminal.words import Payload, Speaker

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
        """Tells what happens here."""
        if self.view is None:
            return Speaker({}, None, "")
        names = {person["seat"]: person["name"] for person in self.view["players"]}
        return Speaker(names, self.view["seat"], self.view["game"])

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
        """Who is waited for, or how it stands, in a sentence."""
        return "One moment." if self.view is None else printable(self._turn(self.view))

    def _turn(self, view: Payload) -> str:
        if view["status"] == "waiting":
            return "Waiting for another player."
        if view["status"] == "closed":
            return "This table is closed."
        if view["status"] == "over":
            return self.speaker.outcome(view["outcome"])
        turn = _seat_at_turn(view)
        if any(each["type"] == "answer_draw" for each in view["legal"]):
            return "Your opponent offers a draw."
        if turn is not None:
            return "Your turn." if turn == self.seat else f"{self.speaker.name(turn)} is to move."
        if view["legal"]:
            return "You can act."
        return "You are watching." if self.seat is None else "Waiting for the others."

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
        if self.status == "over" and self.view is not None and not goes_on(self.view):
            return f"{self.turn()} Play again within {clock}?"
        return f"{self.turn()} {clock} left."

    def people(self) -> list[str]:
        """Whoever sits here, a line each."""
        if self.view is None:
            return []
        turn = _seat_at_turn(self.view)
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


def _seat_at_turn(view: Payload) -> int | None:
    """By `turn` a game of someone's own may mean anything else."""
    turn = view["view"].get("turn") if isinstance(view["view"], dict) else None
    seats = [person["seat"] for person in view["players"]]
    return turn if turn in seats else None


def _now_ms() -> float:
    return time.monotonic() * 1000
