"""What is asked of a table, what it answers, and what a beat tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from gamehall.errors import HallError
from gamehall.games.game import Command, Event
from gamehall.store.appends import Request
from gamehall.table_log.house import Person, RoundEnded, RoundVoided
from gamehall.table_log.table_state import TableState


class Done(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The answer to an accepted request."""

    table: int
    seq: int
    """The first row it caused; the table's head if it changed nothing."""
    seat: int | None
    events: tuple[Event, ...] = ()
    """What it caused."""
    round: int = 0
    """The round in which it did; 0 if it changed nothing."""


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
    since: int = 0
    """The round that was open when it was sent first, if it is sent again and that is known."""
    looked_back: bool = False
    """The journal's earlier rounds were searched for this request."""
    sought: Done | HallError | None = None
    """What was found there."""

    def __post_init__(self) -> None:
        request = self.request
        if request is not None and getattr(self.command, "round", None) is not None:
            # A command that names its round is known by it.
            self.request = Request(request.player, request.id, request.digest, by_round=True)

    @property
    def named_round(self) -> int | None:
        """The round that is meant, where a command names one, as a bet may."""
        return getattr(self.command, "round", None)


class Scene(msgspec.Struct, eq=False, gc=False):
    """A part of a beat: what happened in one round, and how the table stood after it.

    A beat has several if rounds open in it, or if a game is played on in the beat it starts in.
    """

    state: TableState
    events: tuple[Event, ...]
    """As everyone may see them."""
    insiders: dict[int, tuple[Event, ...]] = {}
    """By player: as those see them who see something else."""
    ended: RoundEnded | RoundVoided | None = None
    """The end of its round, if that is among the events."""

    @property
    def round(self) -> int:
        return self.state.opened.round

    def seen_by(self, player: int | None) -> tuple[Event, ...]:
        return self.events if player is None else self.insiders.get(player, self.events)


class Ended(msgspec.Struct, frozen=True, gc=False):
    """The end of a round."""

    round: int
    event: RoundEnded | RoundVoided
    hash: str
    """Of the log up to the row that has it."""


class Told(msgspec.Struct, eq=False, gc=False):
    """What a beat tells: the events as everyone may see them, and as insiders do."""

    table: int
    seq: int
    first: int
    """The first row it tells of: several beats are told as one where a node was behind."""
    after: int
    events: tuple[Event, ...]
    seat_of: dict[int, int]
    """Who sits where after all of it, by player."""
    status: str
    """After all of it."""
    scenes: tuple[Scene, ...]
    """The same events, each with the table as it was then. Gone once everyone was told."""
    insiders: dict[int, tuple[int, tuple[Event, ...]]] = {}
    """By player: its own `after` and events, for those who see something else."""
    by_the_house: bool = False
    """Whether seats, rounds or the table itself have changed."""
    ended: tuple[Ended, ...] = ()
    left: tuple[Any, ...] = ()
    """Who gave up a seat: (player, seat, name, reason)."""
    walk_in: bool = False
    """People walk in: watchers hear what is public, and players what they are insiders to."""
    memo: dict[Any, bytes] = {}
    """The doors' own: encoded forms, so that each is made once for all who get it."""

    def seen_by(self, player: int | None) -> tuple[int, tuple[Event, ...]]:
        """`after` and the events for this player; no events means nothing to tell."""
        if player is not None and player in self.insiders:
            return self.insiders[player]
        return self.after, self.events
