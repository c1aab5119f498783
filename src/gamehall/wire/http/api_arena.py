"""The portal over HTTP: game servers, their matches, and what users have reached there."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from gamehall.errors import (
    NoSuchServer,
    ServerRefused,
    ServerUnreachable,
    TooMany,
    Unavailable,
)
from gamehall.hall.arena.as_portal.facts import GameServer, MatchStatus
from gamehall.hall.hall import Hall
from gamehall.wire.http.api import page_of
from gamehall.wire.http.api_messages import Place
from gamehall.wire.http.route import Route
from gamehall.wire.native.messages import After, Limit, Payload

Uid = Annotated[int, Meta(ge=0, lt=2**31, description="A user, as the game server knows it.")]
MatchId = Annotated[int, Meta(ge=0, lt=2**31)]
Newest = Annotated[bool, Meta(description="The newest first, from the next `before`.")]


# What is asked


class MakeMatch(Payload, frozen=True):
    server: Annotated[int, Meta(ge=1, lt=2**53, description="The id of a game server.")]
    uid1: Uid
    uid2: Uid


# What is answered


class ServerInfo(GameServer, frozen=True, kw_only=True):
    reachable: bool


class ServersPage(msgspec.Struct, frozen=True):
    servers: list[ServerInfo]
    next: int | None


class MatchInfo(msgspec.Struct, frozen=True):
    """Its key is told to nobody but who made it."""

    id: int
    server: int
    uid1: int
    uid2: int
    status: MatchStatus
    score1: int | None
    score2: int | None
    made_at_ms: int
    ended_at_ms: int | None


class MatchesPage(msgspec.Struct, frozen=True):
    matches: list[MatchInfo]
    next: int | None


class ScoreInfo(msgspec.Struct, frozen=True):
    uid: int
    played: int
    won: int
    drawn: int
    lost: int
    points_for: int
    points_against: int


class ScoresPage(msgspec.Struct, frozen=True):
    scores: list[ScoreInfo]
    next: int | None


class MadeMatch(msgspec.Struct, frozen=True):
    """What both users have to know to play it."""

    matchId: int  # noqa: N815 (the contract's name)
    address: str
    port: int
    keymatch: str


async def servers(hall: Hall, after: After = 0, limit: Limit = 50) -> ServersPage:
    every = [
        ServerInfo(**msgspec.structs.asdict(server), reachable=reachable)
        for server, reachable in await hall.portal.servers()
        if server.id > after
    ]
    shown = every[:limit]
    return ServersPage(shown, shown[-1].id if len(every) > limit else None)


async def matches(
    hall: Hall,
    after: MatchId = 0,
    newest: Newest = False,
    before: MatchId | None = None,
    limit: Limit = 50,
) -> MatchesPage:
    # One more than is shown, to see whether there are more.
    if newest:
        found = await hall.portal.newest_matches(before, limit + 1)
    else:
        found = await hall.portal.matches(after, limit + 1)
    shown = msgspec.convert(found[:limit], list[MatchInfo], from_attributes=True)
    return MatchesPage(shown, shown[-1].id if len(found) > limit else None)


async def make_match(hall: Hall, asked: MakeMatch) -> MadeMatch:
    made = await hall.portal.create(asked.server, asked.uid1, asked.uid2)
    return MadeMatch(made.match, made.address, made.port, made.key)


async def scores(hall: Hall, after: Place = 0, limit: Limit = 50) -> ScoresPage:
    shown, next = page_of(await hall.portal.scores(), after, limit)
    return ScoresPage(msgspec.convert(shown, list[ScoreInfo], from_attributes=True), next)


ARENA_ROUTES = (
    Route(
        "listArenaServers",
        "/api/arena/servers",
        "Game servers that have registered at this portal, by id",
        servers,
        (Unavailable,),
    ),
    Route(
        "listArenaMatches",
        "/api/arena/matches",
        "Matches that this portal has made, by id",
        matches,
        (Unavailable,),
    ),
    Route(
        "makeArenaMatch",
        "/api/arena/matches",
        "Makes a match at a game server: its users play it there, with uid and key",
        make_match,
        (NoSuchServer, ServerUnreachable, ServerRefused, TooMany, Unavailable),
        method="POST",
        operator=True,
    ),
    Route(
        "getArenaScores",
        "/api/arena/scores",
        "What users have reached in matches that are over: the most won first",
        scores,
        (Unavailable,),
    ),
)
