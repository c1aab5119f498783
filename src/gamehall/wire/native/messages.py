"""The native door's messages: what each action takes and answers. AsyncAPI is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from gamehall.hall.people.notices import Challenged, LobbyPlayer
from gamehall.store.appends import TableStatus
from gamehall.store.lists import HistoryItem, TableInfo, WinRecord
from gamehall.store.people import StatementItem

PROTOCOL = 1

TableId = Annotated[int, Meta(ge=1, lt=2**31)]
Name = Annotated[str, Meta(max_length=256)]
Limit = Annotated[int, Meta(ge=1, le=200)]
After = Annotated[int, Meta(ge=0, lt=2**53)]
Key = Annotated[str, Meta(max_length=64)]
Result = Annotated[Literal["win", "draw", "loss"], Meta(description="How it ended for `player`.")]
TimeMs = Annotated[int, Meta(ge=0, lt=2**53, description="Of the end, in ms since 1970.")]
Round = Annotated[int, Meta(ge=1, lt=2**31, description="Only this round, once it is over.")]
RequestId = Annotated[str, Meta(max_length=64)] | None


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    action: Annotated[str, Meta(max_length=64)]
    requestId: RequestId = None  # noqa: N815 (the wire's name)
    payload: msgspec.Raw = msgspec.Raw(b"{}")


class Reply(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    action: str
    requestId: str | None = None  # noqa: N815 (the wire's name)
    payload: Any = None


class ErrorPayload(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    code: str
    message: str
    requestId: str | None = None  # noqa: N815 (the wire's name)


class Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What a request takes."""


class Empty(Payload, frozen=True):
    pass


class Hello(Payload, frozen=True):
    name: Name | None = None
    token: Annotated[str, Meta(max_length=128)] | None = None
    lang: Annotated[str, Meta(max_length=16)] | None = None
    """For texts in the player's language; English is the only one so far."""


class Credentials(Payload, frozen=True):
    name: Name
    password: Annotated[str, Meta(max_length=256)]


class ListTables(Payload, frozen=True):
    game: Name | None = None
    status: TableStatus | None = None
    after: After = 0
    limit: Limit = 50


class ListPlayers(Payload, frozen=True):
    free: bool | None = None
    after: After = 0
    limit: Limit = 50


class OpenTable(Payload, frozen=True):
    game: Name
    options: dict[str, Any] = {}
    private: bool = False
    bots: Annotated[int, Meta(ge=0, le=16)] | Annotated[list[Name], Meta(max_length=16)] = 0
    """How many bots sit down too, or their levels. `perfect` is never meant by a number."""


class AtTable(Payload, frozen=True):
    table: TableId


class Watch(AtTable, frozen=True):
    key: Key | None = None


class Sit(AtTable, frozen=True):
    seat: Annotated[int, Meta(ge=0, lt=2**31)] | None = None
    key: Key | None = None


class ClaimMatch(Payload, frozen=True):
    uid: Annotated[int, Meta(ge=0, lt=2**31)]
    key: Annotated[str, Meta(max_length=256)]


class AnswerDraw(AtTable, frozen=True):
    accept: bool


class Seek(Payload, frozen=True):
    game: Name
    options: dict[str, Any] = {}
    rated: bool = False


class CancelSeek(Payload, frozen=True):
    game: Name | None = None


class Challenge(Payload, frozen=True):
    player: Annotated[int, Meta(ge=1, lt=2**53)]
    game: Name
    options: dict[str, Any] = {}


class AnswerChallenge(Payload, frozen=True):
    challenge: Annotated[int, Meta(ge=1, lt=2**53)]


class Act(AtTable, frozen=True):
    command: msgspec.Raw
    """`{"type": …}` and the fields of the game's command."""


class Resume(AtTable, frozen=True):
    after: After | None = None
    """The last `seq` that is known; without it a view comes."""


class Say(AtTable, frozen=True):
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Report(Payload, frozen=True):
    player: Annotated[int, Meta(ge=1, lt=2**53)]
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    table: TableId | None = None
    """Where it was: the last lines of chat there go with the report."""


class History(Payload, frozen=True):
    game: Name | None = None
    player: Annotated[int, Meta(ge=1, lt=2**53)] | None = None
    result: Result | None = None
    since_ms: TimeMs | None = None
    until_ms: TimeMs | None = None
    before: After | None = None
    limit: Limit = 50


class ReadJournal(AtTable, frozen=True):
    key: Key | None = None
    after: After = 0
    limit: Limit = 200
    round: Round | None = None


class ReadStandings(Payload, frozen=True):
    game: Name | None = None
    limit: Limit = 50


class ReadStatement(Payload, frozen=True):
    before: After | None = None
    limit: Limit = 50


# Answers


class PlayerInfo(msgspec.Struct, frozen=True):
    id: int
    name: str
    guest: bool
    balance: int


class ServerInfo(msgspec.Struct, frozen=True):
    version: str
    protocol: int


class SeatAt(msgspec.Struct, frozen=True):
    table: int
    seat: int | None


class Welcomed(msgspec.Struct, frozen=True):
    player: PlayerInfo
    token: str
    server: ServerInfo
    tables: tuple[SeatAt, ...]
    """Where this player sits: `resume` them."""


class GameInfo(msgspec.Struct, frozen=True):
    name: str
    title: str
    least: int
    most: int
    walk_in: bool
    """Whether one just acts, without taking a seat first."""
    bots: tuple[str, ...]
    commands: tuple[str, ...]
    options: dict[str, Any]
    """The defaults."""


class GameList(msgspec.Struct, frozen=True):
    games: tuple[GameInfo, ...]


class ListedTable(TableInfo, frozen=True):
    """A table, and what is known of it while it is in memory: null while nobody is there."""

    options: dict[str, Any] | None
    most: int | None
    """How many may sit there."""


class TableList(msgspec.Struct, frozen=True):
    tables: list[ListedTable]
    next: int | None


class PlayerList(msgspec.Struct, frozen=True):
    players: list[LobbyPlayer]
    next: int | None


class Acted(msgspec.Struct, frozen=True, gc=False):
    table: int
    seq: int


class ChallengeId(msgspec.Struct, frozen=True):
    challenge: int


class OpenChallenge(Challenged, frozen=True):
    """A challenge that is not answered yet; the player is the one at its other end."""


class ChallengeList(msgspec.Struct, frozen=True):
    received: list[OpenChallenge]
    sent: list[OpenChallenge]


class ReportId(msgspec.Struct, frozen=True):
    report: int


class Accepted(msgspec.Struct, frozen=True):
    challenge: int
    table: int


class Resumed(msgspec.Struct, frozen=True):
    table: int
    missed: int | None
    """How many notices follow; null: a `table_view` follows instead."""


class HistoryList(msgspec.Struct, frozen=True):
    rounds: list[HistoryItem]
    next: int | None


class JournalPage(msgspec.Struct, frozen=True):
    table: int
    rows: list[msgspec.Raw]
    next: int | None
    head: int
    hash: str


class StandingsList(msgspec.Struct, frozen=True):
    standings: list[WinRecord]


class BalanceInfo(msgspec.Struct, frozen=True):
    balance: int


class StatementList(msgspec.Struct, frozen=True):
    items: list[StatementItem]
    next: int | None


class TableEvents(msgspec.Struct, frozen=True, gc=False):
    """What happened at a table, as this seat may see it."""

    table: int
    seq: int
    after: int
    events: tuple[Any, ...]
