"""What a portal remembers: the game servers that have registered, their matches and results.

Each is a fact of the store, written only over what was read before. The key of a match is not
among them: only the maker of the match has it, and the game server.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FIRST_MATCH, LAST_MATCH = 1000, 2**31 - 1
"""Lower numbers mean how a match stands, in packets that look alike otherwise."""


class GameServer(msgspec.Struct, frozen=True):
    """A game that is played at some server: users come to `address` and `port`."""

    id: int
    name: str
    address: str
    port: int
    rule: str
    author: str


MatchStatus = Literal["asked", "failed", "waiting", "running", "over"]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    server: int
    uid1: int
    uid2: int
    status: MatchStatus = "asked"
    """`asked`: whether the game server has it is not known; `failed`: nobody was told its key."""
    score1: int | None = None
    score2: int | None = None
    made_at_ms: int
    ended_at_ms: int | None = None
    mark: str
    """Random: tells our own write from another's."""


class Made(msgspec.Struct, frozen=True):
    """A match that can be played, and what its users have to know."""

    match: int
    address: str
    port: int
    key: str


class Score(msgspec.Struct):
    """What a user has reached in all matches that are over."""

    uid: int
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: int = 0
    points_against: int = 0

    def add(self, own: int, other: int) -> None:
        self.played += 1
        self.won += own > other
        self.drawn += own == other
        self.lost += own < other
        self.points_for += own
        self.points_against += other
