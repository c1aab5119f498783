"""A tournament as its journal has it, counted by other ways than the hall's own: from the events as
they are written, without its rules."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec

from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.transcripts import Json

TOURNAMENT = "tournament"
WIN, DRAW = 2, 1
NO_SHOW = "no_show"
DRAWN: Json = {"winner": None, "reason": "", "scores": None, "table": 0}
"""What is not written in a result that is so."""


class Meeting(msgspec.Struct):
    """A game that was paired."""

    number: int
    first: int
    second: int
    players: tuple[int, int]
    paired_at: int
    """The row."""
    reported: Json | None = None
    reported_at: int = 0

    @property
    def seats(self) -> tuple[int, int]:
        return self.first, self.second

    def shown(self) -> Json:
        """What a view says of it."""
        return {
            **DRAWN,
            "number": self.number,
            "first": self.first,
            "second": self.second,
            "state": "over" if self.reported else "playing",
            **{name: value for name, value in (self.reported or {}).items() if name in DRAWN},
        }


class Tally(NamedTuple):
    """What an entrant has won so far."""

    points: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0


class Moment(NamedTuple):
    """How it stood after a row, as views tell it."""

    standings: dict[int, Tally]
    """By seat; nobody before it has begun."""
    games: list[Json]
    over: bool


class Cup:
    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.id = journal.table
        self.options: Json = as_json(journal.rows[0].command)["options"]
        self.meetings: dict[int, Meeting] = {}
        self.begun_at = 0
        """The row in which it began; 0: it has not."""
        self.finished: Json | None = None
        self.finished_at = 0
        self._byes: Counter[int] = Counter()
        self._seeded: list[int] = []
        self.moments: list[Moment] = [Moment({}, [], over=False)]
        """After each row."""
        for row in journal.rows:
            for event in row.events:
                self._take(as_json(event), row.seq)
            state = journal.states[row.seq]
            over = state is not None and state.over
            games = [each.shown() for each in self.meetings.values()]
            self.moments.append(Moment(self._standings(), games, over))

    def _take(self, event: Json, seq: int) -> None:
        told = f"tournament {self.id}, row {seq}"
        match event["type"]:
            case "begun":
                self.begun_at, self._seeded = seq, list(event["order"])
            case "joined" | "entered":
                if self.begun_at and event["seat"] not in self._seeded:
                    self._seeded.append(event["seat"])
            case "bye":
                self._byes[event["seat"]] += 1
            case "paired":
                self._pair(event, seq)
            case "reported":
                meeting = self.meetings[event["game"]]
                assert meeting.reported is None, f"{told}: a second result: {event}"
                meeting.reported, meeting.reported_at = {**DRAWN, **event}, seq
            case "finished":
                self.finished, self.finished_at = event, seq

    def _pair(self, event: Json, seq: int) -> None:
        told = f"tournament {self.id}, row {seq}"
        seats = (event["first"], event["second"])
        for other in self.meetings.values():
            busy = set(seats).intersection(other.seats) if other.reported is None else set()
            assert not busy, f"{told}: seats {busy} play two games at once: {event}"
        state = self.journal.states[seq]
        assert state is not None
        first, second = (state.chairs[seat].player for seat in seats)
        self.meetings[event["game"]] = Meeting(event["game"], *seats, (first, second), seq)

    def _standings(self) -> dict[int, Tally]:
        points: Counter[int] = Counter()
        played: Counter[int] = Counter()
        won: Counter[int] = Counter()
        drawn: Counter[int] = Counter()
        for meeting in self.meetings.values():
            result = meeting.reported
            if result is None:
                continue
            played.update(meeting.seats)
            if result["winner"] is not None:
                won[result["winner"]] += 1
            elif result["reason"] != NO_SHOW:
                drawn.update(meeting.seats)
        for seat in self._seeded:
            points[seat] = WIN * (won[seat] + self._byes[seat]) + DRAW * drawn[seat]
        return {
            seat: Tally(
                points[seat],
                played[seat],
                won[seat],
                drawn[seat],
                played[seat] - won[seat] - drawn[seat],
                self._byes[seat],
            )
            for seat in self._seeded
        }

    def goes_on(self) -> bool:
        """Whether it can be begun, or one of its games is on."""
        on = any(meeting.reported is None for meeting in self.meetings.values())
        return not self.begun_at or on


def is_cup(journal: Journal) -> bool:
    return journal.game.name == TOURNAMENT


def cups_of(books: Books) -> list[Cup]:
    """Raises AssertionError unless everyone plays one game at a time, and each has one result."""
    return [Cup(journal) for journal in books.journals.values() if is_cup(journal)]
