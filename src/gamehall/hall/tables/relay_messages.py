"""What owners and followers of tables say to each other."""

from __future__ import annotations

from gamehall.hall.nodes.exchange import Body
from gamehall.store.appends import Request
from gamehall.store.journals import Line
from gamehall.table_log.house import Person


class AskedOf(Body, frozen=True):
    table: int
    game: str
    player: int | None
    command: bytes
    request: Request | None = None
    person: Person | None = None
    again: bool = False
    since: int = 0


class DoneThere(Body, frozen=True):
    table: int
    seq: int
    seat: int | None
    events: bytes
    round: int = 0


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


class NotedAt(Body, frozen=True):
    table: int
    player: int
    command: bytes
    at_ms: int


class CameTo(Body, frozen=True):
    table: int
