"""What can happen at any table, whatever is played: the hall's own commands and events.

Their tags are reserved: a game may not use them for its own.
"""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.games.game import Command, Event, Outcome


class Person(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Someone who sits or may sit. `bot` is the level, if it is a program of the hall."""

    player: int
    name: str
    bot: str | None = None


class Chair(msgspec.Struct, frozen=True, gc=False):
    seat: int
    person: Person


NO_FUNDS = "no_funds"
"""Why a seat is given up whose player cannot pay what a round begins with."""

# Commands


class Open(Command, frozen=True):
    """Opens the table; the first row of its log."""

    game: str
    options: dict[str, Any]
    nonce: str
    drawn: bool = True
    private: bool = False
    rated: bool = False
    reserved: tuple[Person, ...] = ()
    reserved_until_ms: int = 0
    by_invitation: bool | msgspec.UnsetType = msgspec.UNSET
    """Left out of the row where it was not asked for, so that rows are what they were before."""


class Sit(Command, frozen=True):
    person: Person
    seat: int | None = None


class Leave(Command, frozen=True):
    """Gives up the seat. `reason`: left, dropped (did not come back), kicked or no_funds."""

    reason: str = "left"


class Rematch(Command, frozen=True):
    """Wants another round; it opens when all seats want it."""


class NextRound(Command, frozen=True):
    """The pause is over."""


class Expire(Command, frozen=True):
    """The time to claim reserved seats is over."""


class Presence(Command, frozen=True):
    """A player's connection has dropped, or is back. Only noted: no journal has it."""

    here: bool


class SetOptions(Command, frozen=True):
    """How the next rounds are played."""

    options: dict[str, Any]


class Void(Command, frozen=True):
    """Calls the running round off: every stake goes back. The table stays open."""

    reason: str


class Close(Command, frozen=True):
    """Ends the table; a running round is void and every stake goes back."""

    reason: str


COMMANDS = (Open, Sit, Leave, Rematch, NextRound, Expire, SetOptions, Void, Close)


# Events


class Opened(Event, frozen=True):
    """A round begins; it holds all that is carried over, so that loading can start here."""

    game: str
    options: dict[str, Any]
    round: int
    commitment: str
    """SHA-256 of the round's secret."""
    nonce: str
    previous: str
    """The hash chain up to here."""
    drawn: bool = True
    private: bool = False
    rated: bool = False
    reserved: tuple[Person, ...] = ()
    reserved_until_ms: int = 0
    chairs: tuple[Chair, ...] = ()
    carry: Any = None
    by_invitation: bool = False
    """Whether the hall alone gives out the seats: nobody just sits down."""


class Seated(Event, frozen=True):
    seat: int
    person: Person


class SeatsDrawn(Event, frozen=True):
    """Whoever sat on seat i now sits on seat `order[i]`."""

    order: tuple[int, ...]


class Started(Event, frozen=True):
    at_ms: int


class Left(Event, frozen=True):
    seat: int
    reason: str


class RematchWanted(Event, frozen=True):
    seat: int


class ReservationsLapsed(Event, frozen=True):
    pass


class OptionsSet(Event, frozen=True):
    """The next rounds are played so."""

    options: dict[str, Any]


class RoundEnded(Event, frozen=True):
    outcome: Outcome
    secret: str
    at_ms: int


class RoundVoided(Event, frozen=True):
    """The round does not count; every stake has gone back."""

    reason: str
    secret: str
    at_ms: int
    again_ms: int | None = None
    """The next round opens by itself this long after it; None: when the seats agree."""


class Closed(Event, frozen=True):
    reason: str


EVENTS = (
    Opened,
    Seated,
    SeatsDrawn,
    Started,
    Left,
    RematchWanted,
    ReservationsLapsed,
    OptionsSet,
    RoundEnded,
    RoundVoided,
    Closed,
)
EVENT_TYPES: frozenset[type] = frozenset(EVENTS)
"""For a quick look whether an event is the hall's own."""
