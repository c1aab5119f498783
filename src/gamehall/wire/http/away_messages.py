"""What is asked and answered over HTTP of tournaments that other halls hold."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from gamehall.hall.tournaments.away import Status
from gamehall.wire.native.messages import Payload, TableId
from gamehall.wire.native.tournament_messages import TournamentShown

# What is asked


class FollowTournament(Payload, frozen=True):
    url: Annotated[
        str, Meta(max_length=300, description="The other hall, as http://example.org:8000.")
    ]
    tournament: Annotated[TableId, Meta(description="Its number there.")]


# Answers


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
