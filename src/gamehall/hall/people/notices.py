"""What the hall tells unasked, beside the events of tables (requests.Told)."""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.games.game import Command, Outcome, Picture


class Notice(msgspec.Struct, frozen=True):
    """The class's name in snake case is the native door's action."""


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    seat: int
    id: int
    name: str
    bot: str | None = None
    here: bool = True
    """Whether the player is connected."""
    left: bool = False


class ClockInfo(msgspec.Struct, frozen=True):
    """When something happens by itself, and for whom the table waits till then."""

    due_ms: int
    seat: int | None
    now_ms: int


class TableView(Notice, frozen=True):
    """A table as one seat, or a spectator, may see it."""

    table: int
    seq: int
    game: str
    options: dict[str, Any]
    seat: int | None
    status: str
    round: int
    commitment: str
    view: Any
    """Null until the game starts."""
    legal: tuple[Command, ...]
    picture: Picture | None
    players: tuple[SeatInfo, ...]
    count: int
    clock: ClockInfo | None
    outcome: Outcome | None
    rematch: tuple[int, ...]
    """The seats that want another round."""
    watching: int
    """How many connections watch without a seat; where people walk in, all of them."""
    key: str | None
    """What lets others in, told to those who have a seat at a private table."""


class Seated(Notice, frozen=True):
    table: int
    game: str
    seat: int | None


class Watching(Notice, frozen=True):
    """How many watch has changed."""

    table: int
    count: int


class PlayerDropped(Notice, frozen=True):
    table: int
    player: int
    name: str
    seconds: float
    """How long the seat is kept."""


class PlayerBack(Notice, frozen=True):
    table: int
    player: int
    name: str


class PlayerLeft(Notice, frozen=True):
    table: int
    player: int
    name: str
    seat: int
    reason: str


class Glance(Notice, frozen=True):
    """Fields of the table's `view` as they are by now, where not everyone is told every event."""

    table: int
    view: dict[str, Any]


class TableOver(Notice, frozen=True):
    """A round has ended; `outcome` is null if it was void."""

    table: int
    seq: int
    after: int
    round: int
    outcome: Outcome | None
    secret: str
    hash: str


class Challenged(Notice, frozen=True):
    challenge: int
    player: int
    name: str
    game: str
    options: dict[str, Any]
    seconds: float
    """How long it can still be answered."""


class ChallengeRefused(Notice, frozen=True):
    challenge: int
    player: int
    reason: str


class ChallengeExpired(Notice, frozen=True):
    challenge: int


class ChallengeWithdrawn(Notice, frozen=True):
    challenge: int
    reason: str


class LobbyTable(msgspec.Struct, frozen=True):
    id: int
    game: str
    status: str
    names: tuple[str, ...]
    count: int
    rated: bool
    options: dict[str, Any]
    most: int
    """How many may sit there."""


class LobbyPlayer(msgspec.Struct, frozen=True):
    id: int
    name: str
    status: str
    """`free`, `busy` or `gone`."""


class NotBegun(Notice, frozen=True):
    """A game that was agreed on has not begun: the hall could not save it in time."""

    table: int


class Lobby(Notice, frozen=True):
    """What has changed since the last one."""

    tables: tuple[LobbyTable, ...]
    players: tuple[LobbyPlayer, ...]


class Said(Notice, frozen=True):
    table: int
    player: int
    name: str
    text: str


class GoingAway(Notice, frozen=True):
    seconds: float
