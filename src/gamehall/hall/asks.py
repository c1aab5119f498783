"""What is asked of a table, what it answers, and what a beat tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from gamehall.errors import HallError
from gamehall.games.game import Command, Event
from gamehall.games.house import Person
from gamehall.store.store import Request


class Done(msgspec.Struct, frozen=True, gc=False):
    """The answer to an accepted request."""

    table: int
    seq: int
    """The first row it caused; the table's head if it changed nothing."""
    seat: int | None
    events: tuple[Event, ...] = ()
    """What it caused."""


Reply = Callable[[Done | HallError], None]


def unheard(_: Done | HallError) -> None:
    """The reply where nobody waits for the answer: what it changed is told by the table."""


class Ask(msgspec.Struct, eq=False, gc=False):
    """A request to a table. `player` is None for the hall and for timers."""

    table: int
    player: int | None
    command: Command
    reply: Reply
    request: Request | None = None
    person: Person | None = None
    """Who asks, where people walk in: seated with the command, if it has no seat yet."""
    armed_at: int | None = None
    """For a timer: names it, so that one that was armed before is not heard."""
    at_ms: int = 0
    cannot_pay: frozenset[int] = frozenset()
    """Players whom the store found short of chips for what it would cause: they give up their
    seats."""
    handed: bool = False
    """It was handed to another owner once; a second time it is answered `unavailable`."""
    remote: bool = False
    """It comes from another node, which finds the owner itself if that is not this one."""
    again: bool = False
    """The hall itself sends it again, without knowing whether it was done, perhaps in a round that
    has opened since."""


class Told(msgspec.Struct, eq=False, gc=False):
    """What a beat tells: the events as everyone may see them, and as insiders do."""

    table: int
    seq: int
    after: int
    events: tuple[Event, ...]
    seat_of: dict[int, int]
    """Who sits where now, by player."""
    status: str
    hash: str
    insiders: dict[int, tuple[int, tuple[Event, ...]]] = {}
    """By seat: its own `after` and events, for seats that see something else."""
    by_the_house: bool = False
    """Whether seats, rounds or the table itself have changed."""
    ended: tuple[Any, ...] = ()
    """RoundEnded and RoundVoided among the events, each with its round."""
    left: tuple[Any, ...] = ()
    """Who gave up a seat: (player, seat, name, reason)."""
    walk_in: bool = False
    """People walk in: watchers hear what is public, and players what they are insiders to."""
    addressed: tuple[int, ...] = ()
    """There: the players who are insiders."""
    memo: dict[Any, bytes] = {}
    """The doors' own: encoded forms, so that each is made once for all who get it."""

    def seen_by(self, seat: int | None) -> tuple[int, tuple[Event, ...]]:
        """`after` and the events for this seat; no events means nothing to tell."""
        if seat is not None and seat in self.insiders:
            return self.insiders[seat]
        return self.after, self.events
