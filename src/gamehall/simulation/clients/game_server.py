"""A game server at the `arena` door: it registers, takes matches or refuses them, says how they
stand and end, and comes back when its link breaks.

It keeps what it knows of its matches, whatever happens. Sometimes it is slow, says nothing, says
what it said again, or tells results that are not its own.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Any

from gamehall.simulation.checker.doors.arena_packets import (
    NOT_STARTED,
    OVER,
    RUNNING,
    as_bytes,
    as_message,
    said,
)
from gamehall.simulation.checker.transcripts import Json
from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.picks import Picks

QUICK_SECONDS = (0.0, 0.1)
SLOW_SECONDS = 1.0
"""A portal has given up a question about a match by then, and not one for a match."""
STUCK_SECONDS = 4.0
"""How long one that answers nothing is let be."""
UNNOTICED_SECONDS = 5.0
"""How long a link that was cut seems to be open."""
FIRST_MATCH, FOREIGN = 1000, 12
"""Where the numbers of matches begin, and how many of them it may guess."""


@dataclass
class Match:
    about: Json
    """As it was asked for."""
    status: int = NOT_STARTED
    scores: tuple[int, int] = (0, 0)


class GameServer(Client):
    door = "arena"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.matches: dict[int, Match] = {}
        """Those that it has taken."""
        self._registered = False
        self._questions: deque[Json] = deque()
        self._next = ""
        """What becomes of the next question: it is refused, or answered late, or not at all."""
        self._silent = False
        """Whether it leaves a question unanswered, until it hangs up."""
        self._settles = False

    @property
    def here(self) -> bool:
        return self._registered

    def settle(self) -> None:
        """From now on it is a good one, and ends each match at once."""
        self._settles, self._next = True, ""
        for number, match in self.matches.items():
            self._finish(number, match, Picks(0.5))
        if self._silent:
            self.hang_up()  # At once: it would later, when it is relied upon.

    # Its link

    def _encoded(self, text: str) -> bytes:
        return as_bytes(json.loads(text))

    def _heard(self, number: int, frame: bytes) -> None:
        # What comes over a link that it has left reaches nobody.
        if number == self._connections and self._line is not None:
            super()._heard(number, frame)

    def _decoded(self, frame: bytes) -> list[str]:
        return [json.dumps(as_message(frame, registered=self._registered))]

    def _speak(self, action: str, **payload: Any) -> None:
        self._say(json.dumps(said(action, **payload)))

    def _begin(self) -> None:
        where = {"address": f"{self.name}.example", "port": 27004}
        self._speak("register", **where, name=self.name, rule="Two play.", author="Ann")
        self._expect_word()

    def _end(self) -> None:
        self._registered = self._silent = False
        self._questions.clear()

    def _vanish(self) -> None:
        """Opens another link, and the hall does not notice for a while that this one is cut."""
        if self._line is not None:
            self._around.call_later(UNNOTICED_SECONDS, self._line.hang_up)
            self._ended(self._connections)

    # What it is asked

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        match message["action"]:
            case "accepted":
                self._registered = True
                # A portal finds out by asking what it is not told.
                if self._around.rng.random() < 0.5:
                    self._tell_all()
            case "create" | "ask_status":
                self._questions.append(message)
                if len(self._questions) == 1:
                    self._answer_later()

    def _answer_later(self) -> None:
        if self._next == "say nothing":
            self._next, self._silent = "", True
            self._soon(STUCK_SECONDS, self.hang_up)
            return
        seconds = self._around.rng.uniform(*QUICK_SECONDS)
        if self._next == "be slow":
            self._next, seconds = "", SLOW_SECONDS
        self._soon(seconds, self._answer)

    def _answer(self) -> None:
        message = self._questions.popleft()
        number = message["payload"]["match"]
        match = self.matches.get(number)
        if message["action"] == "create":
            self._take(number, match, message["payload"])
        elif match is None:
            self._speak("rejected", error="There is no such match.")
        else:
            score1, score2 = match.scores
            self._speak("status", status=match.status, score1=score1, score2=score2)
        if self._questions:
            self._answer_later()

    def _take(self, number: int, match: Match | None, about: Json) -> None:
        if match is None and self._next == "refuse":
            self._next = ""
            self._speak("rejected", error="Not now.")
        elif match is not None and match.about != about:
            self._speak("rejected", error="It is another match.")
        else:
            match = self.matches.setdefault(number, Match(about))
            self._speak("accepted")
            if self._settles:
                self._finish(number, match, Picks(0.5))

    # What it does by itself

    def do(self, deed: str, pick: float) -> None:
        rng = Picks(pick)
        match deed:
            case "begin a match" | "end a match":
                open = [each for each, match in self.matches.items() if match.status != OVER]
                number = rng.one_of(open)
                if number is not None and deed == "begin a match":
                    self._start(number, self.matches[number], rng)
                elif number is not None:
                    self._finish(number, self.matches[number], rng)
            case "refuse" | "be slow" | "say nothing":
                self._next = deed
            case "hang up":
                self.hang_up()
            case "move":
                self._vanish()
            case _ if not self._registered:
                return
            case "tell again":
                self._tell_all()
            case "change its mind":
                over = [each for each, match in self.matches.items() if match.status == OVER]
                if over:
                    self._speak("result", match=rng.one_of(over), score1=50, score2=60)
            case "meddle":
                number = FIRST_MATCH + rng.one_of(range(FOREIGN))
                if number not in self.matches:
                    self._speak("started", match=number)
                    self._speak("result", match=number, score1=70, score2=80)

    def _start(self, number: int, match: Match, rng: Picks) -> None:
        match.status, match.scores = RUNNING, (rng.one_of(range(5)), 0)
        self._tell(number, match)

    def _finish(self, number: int, match: Match, rng: Picks) -> None:
        if match.status != OVER:
            match.status, match.scores = OVER, (rng.one_of(range(5)), rng.one_of(range(5, 10)))
            self._tell(number, match)

    def _tell_all(self) -> None:
        for number, match in self.matches.items():
            self._tell(number, match)

    def _tell(self, number: int, match: Match) -> None:
        """If it cannot now, it does when it is asked."""
        if not self._registered or match.status == NOT_STARTED:
            return
        if match.status == RUNNING:
            self._speak("started", match=number)
        else:
            score1, score2 = match.scores
            self._speak("result", match=number, score1=score1, score2=score2)
