"""What can be asked of a tournament, what can happen in it, and how it can be played."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from gamehall.errors import Refused
from gamehall.games.game import Command, Event, Options

PLAYERS_MOST = 1024
FormatName = Literal[
    "derby", "round-robin", "swiss", "single-elimination", "double-elimination", "arena"
]


# Refusals


class TournamentBegun(Refused):
    message = "This tournament has begun. Nobody can enter it now."


class NotEntered(Refused):
    message = "You are not in this tournament, or not any more."


class NoSuchPairing(Refused):
    message = "This tournament has no game of that number."


class ResultKnown(Refused):
    message = "The result of this game has been reported already."


# Commands


class Enter(Command, frozen=True):
    """Enters, if one has not, and names the machine one plays for; empty is none."""

    club: str = ""


class Withdraw(Command, frozen=True):
    pass


class Begin(Command, frozen=True):
    """By the organiser, or because it is time."""


class Report(Command, frozen=True):
    """How a game ended: without a winner it is a draw, or with `no_show` lost by both."""

    game: int
    winner: int | None = None
    reason: str = ""
    scores: tuple[int, int] | None = None
    """Of the first and of the second, where the game has points."""
    table: int = 0
    """Where it was played."""


class TimeUp(Command, frozen=True):
    """The time of an arena is over."""


# Events


class Joined(Event, frozen=True):
    seat: int


class Entered(Event, frozen=True):
    seat: int
    club: str = ""


class Withdrew(Event, frozen=True):
    seat: int


class Begun(Event, frozen=True):
    """`order` is the seeding, the best first."""

    at_ms: int
    order: tuple[int, ...]


class Paired(Event, frozen=True):
    """A game is to be played, and `first` has its first seat, which in most games begins. Rounds
    count from 1; an arena has none (0)."""

    game: int
    first: int
    second: int
    round: int = 0
    stage: str = ""
    slot: int = 0
    """The place in a bracket; replays have the same."""


class Bye(Event, frozen=True):
    """Someone goes on without a game."""

    seat: int
    round: int
    stage: str = ""
    slot: int = 0


class Grouped(Event, frozen=True):
    """Who plays for the same places from now on, the best places first."""

    groups: tuple[tuple[int, ...], ...]


class Reported(Event, frozen=True):
    game: int
    winner: int | None = None
    reason: str = ""
    scores: tuple[int, int] | None = None
    table: int = 0


class PairingEnded(Event, frozen=True):
    """The time is up: what is being played is the last."""


class Finished(Event, frozen=True):
    """`ranking` has all entrants, the best first; those who share the first rank have won."""

    reason: str
    winners: tuple[int, ...]
    ranking: tuple[int, ...]


class TournamentOptions(Options, frozen=True):
    title: Annotated[str, msgspec.Meta(max_length=80)] = ""
    format: FormatName = "round-robin"
    game: Annotated[str, msgspec.Meta(max_length=64)] = "connect-four"
    game_options: dict[str, Any] = msgspec.field(default_factory=dict)
    rated: bool = True
    rounds: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    """Of a Swiss; 0: as many as it takes to leave one who has won all."""
    minutes: Annotated[float, msgspec.Meta(gt=0, le=7 * 24 * 60)] = 30
    """Of an arena."""
    starts_at_ms: Annotated[int, msgspec.Meta(ge=0, le=1 << 52)] = 0
    """When it begins by itself; 0: when the organiser says so."""
    players_most: Annotated[int, msgspec.Meta(ge=2, le=PLAYERS_MOST)] = PLAYERS_MOST
    organiser: Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)] = 0
    """The player who may begin it; 0: the operator."""
