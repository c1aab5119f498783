"""What clients ask and are told of tournaments and ratings, natively and over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gamehall.hall.tournaments.events import PLAYERS_MOST
from gamehall.hall.tournaments.tournament import View
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.store.appends import TableStatus
from gamehall.store.lists import Rating, TableInfo
from gamehall.wire.native.messages import After, Limit, Name, Payload, TableId

Club = Annotated[str, Meta(max_length=32, description="The machine that one plays for.")]


# What is asked


class OpenTournament(Payload, frozen=True):
    game: Name
    format: Name = "round-robin"
    title: Annotated[str, Meta(max_length=80)] = ""
    game_options: dict[str, Any] = msgspec.field(default_factory=dict)
    rated: bool = True
    rounds: Annotated[int, Meta(ge=0, le=PLAYERS_MOST)] = 0
    minutes: Annotated[float, Meta(gt=0, le=7 * 24 * 60)] = 30
    starts_at_ms: Annotated[int, Meta(ge=0, le=1 << 52)] = 0
    players_most: Annotated[int, Meta(ge=2, le=PLAYERS_MOST)] = PLAYERS_MOST

    def options(self) -> dict[str, Any]:
        """As the tournament takes them; what is out of bounds it refuses."""
        return {name: getattr(self, name) for name in OpenTournament.__struct_fields__}


class MakeTournament(OpenTournament, frozen=True):
    """By the operator, with bots of the house."""

    bots: Annotated[list[Name], Meta(max_length=1024)] = msgspec.field(default_factory=list)


class AtTournament(Payload, frozen=True):
    tournament: TableId


class EnterTournament(AtTournament, frozen=True):
    club: Club = ""


class ListTournaments(Payload, frozen=True):
    status: TableStatus | None = None
    after: After = 0
    limit: Limit = 50


class ReadRatings(Payload, frozen=True):
    game: Name
    bots: bool = False
    limit: Limit = 50


# Answers


class TournamentId(msgspec.Struct, frozen=True):
    tournament: int


class EnteredAs(msgspec.Struct, frozen=True):
    tournament: int
    seat: int | None


class TournamentList(msgspec.Struct, frozen=True):
    tournaments: list[TableInfo]
    next: int | None


class TournamentShown(msgspec.Struct, frozen=True):
    tournament: int
    names: dict[int, str]
    """Of the entrants, by seat."""
    tables: dict[int, int]
    """Where each game of the view is or was played, by number; 0: it is about to begin."""
    view: View

    @classmethod
    def of(cls, shown: Shown) -> TournamentShown:
        return cls(shown.id, shown.names, shown.tables, shown.view)


class RatingList(msgspec.Struct, frozen=True):
    """The best first, by what they are with near certainty: `mu` less three times `sigma`."""

    ratings: list[Rating]
