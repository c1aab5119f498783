"""What the HTTP API takes and answers. OpenAPI is made from these."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from gamehall.hall.records.reports import Report
from gamehall.hall.tournaments.away import Status
from gamehall.store.lists import HistoryItem, WinRecord
from gamehall.store.people import PlayerKind
from gamehall.wire.native.messages import After, GameInfo, Payload, TableId
from gamehall.wire.native.tournament_messages import TournamentShown

PLACES_MAX = 10_000
"""How far down a list that has no ids one can page."""
JOURNAL_ROWS_MAX = 1000

Place = Annotated[int, Meta(ge=0, le=PLACES_MAX, description="How many to pass over.")]
JournalRows = Annotated[
    int, Meta(ge=1, le=JOURNAL_ROWS_MAX, description="Without it the whole journal comes.")
]
RoundNumber = Annotated[int, Meta(ge=1, lt=2**31)]
Eyes = Annotated[
    int, Meta(ge=0, lt=2**31, description="With whose eyes; without it, a spectator's.")
]
PlayerId = Annotated[int, Meta(ge=1, lt=2**53, description="A player's id.")]
Before = Annotated[After, Meta(description="The `next` of the page before.")]


class VoidRound(Payload, frozen=True):
    reason: Annotated[
        str, Meta(min_length=1, max_length=200, description="Everyone is told, and it is kept.")
    ] = "operator"


class FollowTournament(Payload, frozen=True):
    url: Annotated[
        str, Meta(max_length=300, description="The other hall, as http://example.org:8000.")
    ]
    tournament: Annotated[TableId, Meta(description="Its number there.")]


# What is answered


class GamesPage(msgspec.Struct, frozen=True):
    games: tuple[GameInfo, ...]
    next: int | None


class PlayerRecord(msgspec.Struct, frozen=True):
    """Who a player is, and the finished rounds at public tables, newest first."""

    id: int
    name: str
    kind: PlayerKind
    results: list[HistoryItem]
    next: int | None


class StandingsPage(msgspec.Struct, frozen=True):
    standings: list[WinRecord]
    next: int | None


class ReportsPage(msgspec.Struct, frozen=True):
    """The newest first."""

    reports: list[Report]
    next: int | None


class VoidedRound(msgspec.Struct, frozen=True):
    table: int
    round: int


class AwayId(msgspec.Struct, frozen=True):
    away: int
    """The number under which this hall follows it."""


class AwayPlace(msgspec.Struct, frozen=True):
    """Where a tournament is held, and when that hall last said how it stands."""

    away: int
    url: str
    tournament: int
    seen_at_ms: int
    reachable: bool
    """Whether the other hall answered when it was last asked: it is not, once all is over."""


class AwayInfo(AwayPlace, frozen=True):
    title: str
    format: str
    game: str
    status: Status
    entrants: int
    """How many there are."""


class AwayShown(AwayPlace, frozen=True):
    shown: TournamentShown


class AwayList(msgspec.Struct, frozen=True):
    tournaments: list[AwayInfo]
    next: int | None


class Health(msgspec.Struct, frozen=True):
    ok: Literal[True] = True
