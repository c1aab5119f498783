"""What owners and followers of tables say to each other.

Commands and events are encoded with the message that has them, and read when the game is known.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from gamehall.hall.nodes.exchange import Body
from gamehall.store.appends import Request
from gamehall.store.journals import Line
from gamehall.table_log.house import Person

C = TypeVar("C")
"""A command where it is sent, msgspec.Raw where it comes in."""


class AskedOf(Body, Generic[C], frozen=True):
    table: int
    game: str
    player: int | None
    command: C
    request: Request | None = None
    person: Person | None = None
    again: bool = False
    since: int = 0


class DoneThere(msgspec.Struct, frozen=True):
    """A `Done`, where it comes in."""

    table: int
    seq: int
    seat: int | None
    events: msgspec.Raw
    round: int


class Follow(Body, frozen=True):
    table: int


class FollowedAt(Body, frozen=True):
    epoch: int
    head: int


class Follows(Body, frozen=True):
    """The tables of the receiver that the sender follows: said from time to time."""

    tables: tuple[int, ...]


class Unfollow(Body, frozen=True):
    table: int


class Rows(Body, frozen=True):
    table: int
    epoch: int
    lines: tuple[Line, ...]


class NotedAt(Body, Generic[C], frozen=True):
    table: int
    player: int
    command: C
    at_ms: int


class CameTo(Body, frozen=True):
    table: int
