"""What a game server and its portal said to each other over their links, read in order.

A portal asks one thing at a time. It gives up a question about a match, and not one for a match;
and what it knows a server to have, it does not ask for again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from gamehall.simulation.checker.doors.arena_packets import NOT_STARTED, OVER, RUNNING
from gamehall.simulation.checker.transcripts import Json, Line, Transcript

UNASKED = ("Nothing was asked for", "Nobody has asked")
"""What a portal says to answers that it does not expect."""
Scores = tuple[int, int]


class Talk:
    """All links of one game server. Raises AssertionError if the portal breaks their rules."""

    def __init__(self, transcript: Transcript) -> None:
        self.name = transcript.name
        self.offer: Json | None = None
        """What it has said of itself, once that was accepted."""
        self.created: dict[int, Json] = {}
        """The matches that it was asked for, as it was."""
        self.accepted: set[int] = set()
        self.rejected: set[int] = set()
        self.results: dict[int, set[Scores]] = {}
        """Every end that it has told of a match, its own or not."""
        self.points: dict[int, set[Scores]] = {}
        """How it has said that matches stand which are not over."""
        self._known: set[int] = set()
        """Those of which the portal has shown that it knows them to be here."""
        for lines in transcript.by_connection():
            self._read(lines)

    def _read(self, lines: Sequence[Line]) -> None:
        asked: deque[Json] = deque()
        """What the server has not answered yet."""
        here: set[int] = set()
        """The matches that it was asked for on this link."""
        offer: Json = {}
        registered = False
        for line in lines:
            message = line.message if line.text else {}
            if line.what == "heard" and message["action"] in ("create", "ask_status"):
                assert registered, f"{self.name} was asked before it was registered: {message}"
            match line.what, message.get("action"):
                case "sent", "register":
                    offer = message["payload"]
                case "sent", "result":
                    self._told(self.results, message["payload"]["match"], message["payload"])
                case "sent", "accepted" | "rejected" | "status":
                    self._answered(asked.popleft(), message)
                case "heard", "accepted":
                    self.offer, registered = offer, True
                case "heard", "rejected":
                    error = message["payload"]["error"]
                    assert not error.startswith(UNASKED), f"{self.name} was asked, and told {error}"
                case "heard", "create":
                    self._asked_for(message["payload"], here)
                    self._one_at_a_time(message, asked)
                case "heard", "ask_status":
                    self._asked_about(message["payload"]["match"])
                    self._one_at_a_time(message, asked)

    def _one_at_a_time(self, question: Json, asked: deque[Json]) -> None:
        for before in asked:
            given_up = (before["action"], question["action"]) == ("ask_status", "create")
            assert given_up, f"{self.name} was asked {question}, and {before} was not answered"
        asked.append(question)

    def _asked_for(self, about: Json, here: set[int]) -> None:
        number = about["match"]
        twice = number in here or number in self._known
        assert not twice, f"{self.name} was asked for match {number} again"
        before = self.created.setdefault(number, about)
        assert before == about, f"{self.name} was asked for match {number} as {before} and {about}"
        here.add(number)

    def _asked_about(self, number: int) -> None:
        has = number in self.accepted
        assert has, f"{self.name} was asked about match {number}, which it has not accepted"
        self._known.add(number)

    def _answered(self, question: Json, answer: Json) -> None:
        number = question["payload"]["match"]
        if answer["action"] != "status":
            creates = question["action"] == "create"
            assert creates, f"{self.name} gave {answer} to {question}"
            (self.accepted if answer["action"] == "accepted" else self.rejected).add(number)
        elif answer["payload"]["status"] == OVER:
            self._told(self.results, number, answer["payload"])
        elif answer["payload"]["status"] == RUNNING:
            self._told(self.points, number, answer["payload"])
        else:
            assert answer["payload"]["status"] == NOT_STARTED

    @staticmethod
    def _told(told: dict[int, set[Scores]], number: int, payload: Json) -> None:
        told.setdefault(number, set()).add((payload["score1"], payload["score2"]))
