"""Where a tournament stands: who is in it, who plays whom, and what has been reported.

A field only records. What is due next, and who is ahead, is for a `Format` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Literal

import msgspec
from msgspec.structs import asdict, astuple, replace

from gamehall.hall.tournaments.events import Grouped, Reported

WIN = 2
DRAW = 1
"""Points, in whole numbers: a loss has none, and a bye is worth a win."""
NO_SHOW = "no_show"
"""The reason of a game to which someone did not come. Without a winner, both have lost it."""


# What a format asks for


class Pairing(msgspec.Struct, frozen=True, gc=False):
    """Two are to play, and `first` has the first seat, which in most games begins. `slot` is the
    place in a bracket."""

    first: int
    second: int
    round: int
    stage: str = ""
    slot: int = 0


class Rest(msgspec.Struct, frozen=True, gc=False):
    """Someone has no opponent, and goes on as after a win: a bye."""

    seat: int
    round: int
    stage: str = ""
    slot: int = 0


Arrangement = Pairing | Rest | Grouped


# What is recorded


class Match(Pairing, frozen=True, gc=False, kw_only=True):
    """A pairing as it stands. Numbers count from 1."""

    number: int
    state: Literal["playing", "over"] = "playing"
    winner: int | None = None
    reason: str = ""
    scores: tuple[int, int] | None = None
    table: int = 0
    """Where it was played, once it is over."""

    @property
    def is_draw(self) -> bool:
        return self.state == "over" and self.winner is None and self.reason != NO_SHOW

    @property
    def points(self) -> tuple[int, int]:
        """What the first and the second have from it, once it is over."""
        if self.winner is not None:
            return (WIN, 0) if self.winner == self.first else (0, WIN)
        return (DRAW, DRAW) if self.is_draw else (0, 0)


class Tally(msgspec.Struct, frozen=True, gc=False):
    """What pairing has to know of an entrant, kept up to date from game to game."""

    points: int = 0
    surplus: int = 0
    """How much more often it was the first to move than the second."""
    began_last: bool = False
    met_last: int | None = None
    playing: bool = False


class Field(msgspec.Struct):
    rounds: int = 0
    """How many rounds were asked for, where that can be chosen; 0 leaves it to the format."""
    clubs: dict[int, str] = {}
    """The entrants, and for which machine each plays; empty: for none."""
    seeds: dict[int, int] = {}
    """The place of each entrant in the seeding, from 0, in that order; empty before the begin."""
    withdrawn: set[int] = set()
    tallies: dict[int, Tally] = {}
    matches: list[Match] = []
    rests: list[Rest] = []
    open: int = 0
    """How many games are being played."""
    progress: dict[str, tuple[int, int]] = {}
    """For each stage the last round that was paired, and how many of its games are open."""
    groups: tuple[tuple[int, ...], ...] = ()
    time_up: bool = False

    def fork(self) -> Field:
        forked = copy(self)
        forked.clubs = self.clubs.copy()
        forked.seeds = self.seeds.copy()
        forked.withdrawn = self.withdrawn.copy()
        forked.tallies = self.tallies.copy()
        forked.matches = self.matches.copy()
        forked.rests = self.rests.copy()
        forked.progress = self.progress.copy()
        return forked

    # Recording

    def enter(self, seat: int, club: str) -> None:
        """Takes someone in, or back; once it has begun, at the end of the seeding."""
        self.clubs[seat] = club
        self.withdrawn.discard(seat)
        if self.seeds and seat not in self.seeds:
            self.seeds[seat] = len(self.seeds)
            self.tallies[seat] = Tally()

    def begin(self, order: Sequence[int]) -> None:
        self.seeds = {seat: place for place, seat in enumerate(order)}
        self.tallies = {seat: Tally() for seat in order}

    def withdraw(self, seat: int) -> None:
        if self.seeds:
            self.withdrawn.add(seat)
        else:
            del self.clubs[seat]

    def pair(self, pairing: Pairing) -> None:
        self.matches.append(Match(*astuple(pairing), number=len(self.matches) + 1))
        for seat, began in ((pairing.first, True), (pairing.second, False)):
            tally = self.tallies[seat]
            self.tallies[seat] = replace(
                tally,
                surplus=tally.surplus + (1 if began else -1),
                began_last=began,
                met_last=pairing.second if began else pairing.first,
                playing=True,
            )
        self.open += 1
        _, still_open = self.progress.get(pairing.stage, (0, 0))
        self.progress[pairing.stage] = (pairing.round, still_open + 1)

    def rest(self, rest: Rest) -> None:
        self.rests.append(rest)
        tally = self.tallies[rest.seat]
        self.tallies[rest.seat] = replace(tally, points=tally.points + WIN)
        _, still_open = self.progress.get(rest.stage, (0, 0))
        self.progress[rest.stage] = (rest.round, still_open)

    def report(self, reported: Reported) -> None:
        ended = {**asdict(reported), "state": "over"}
        number = ended.pop("game")
        match = replace(self.matches[number - 1], **ended)
        self.matches[number - 1] = match
        for seat, points in zip((match.first, match.second), match.points, strict=True):
            tally = self.tallies[seat]
            self.tallies[seat] = replace(tally, points=tally.points + points, playing=False)
        self.open -= 1
        round, still_open = self.progress[match.stage]
        self.progress[match.stage] = (round, still_open - 1)

    # What follows

    def active(self) -> list[int]:
        """Those who can be paired, in the order of the seeding."""
        return [seat for seat in self.seeds if seat not in self.withdrawn]

    def in_turn(self, one: int, other: int) -> tuple[int, int]:
        """The two, and first the one whose turn it is to begin.

        The one who has begun less often; else who did not begin its last game; else who is
        seeded higher if that is the 1st, 3rd, 5th … seed, so that not all of the best begin.
        """
        high, low = sorted((one, other), key=lambda seat: self.seeds[seat])
        of_high, of_low = self.tallies[high], self.tallies[low]
        lot = 1 if self.seeds[high] % 2 == 0 else -1
        claim = (of_high.surplus, of_high.began_last, 0)
        return (high, low) if claim < (of_low.surplus, of_low.began_last, lot) else (low, high)
