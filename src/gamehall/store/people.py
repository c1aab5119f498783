"""The part of the port that keeps people and their chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol
from unicodedata import normalize

import msgspec

PlayerKind = Literal["guest", "member", "bot"]

TOKENS_MAX = 32
"""Tokens that a player may have: with one more, the oldest is worth nothing."""


def name_key(name: str) -> str:
    """Equal for names that people would take for the same."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


class Player(msgspec.Struct, frozen=True):
    id: int
    name: str
    kind: PlayerKind
    balance: int


class Member(msgspec.Struct, frozen=True):
    player: Player
    password_hash: str


class StatementItem(msgspec.Struct, frozen=True):
    """A transfer as its player sees it: `chips` is negative when paid."""

    id: int
    """Its place in the ledger: the later, the higher."""
    table: int
    """0 for what the mint gave; then `seq` is the player's id."""
    seq: int
    n: int
    chips: int
    other: str
    at_ms: int


class People(Protocol):
    async def add_player(
        self,
        name: str,
        kind: PlayerKind,
        *,
        chips: int,
        at_ms: int,
        password_hash: str | None = None,
        token_digest: bytes | None = None,
    ) -> Player:
        """Mints their `chips`. Raises errors.NameTaken if a member or bot has the name."""

    async def make_member(self, player: int, name: str, password_hash: str) -> Player:
        """Makes a guest a member, who keeps id, seats and chips. Raises errors.NameTaken."""

    async def player(self, player: int) -> Player | None: ...
    async def player_named(self, name: str) -> Player | None:
        """A member or bot, else the guest of that name who came last."""

    async def member(self, name: str) -> Member | None: ...
    async def add_token(self, player: int, digest: bytes, at_ms: int) -> None:
        """Keeps a token; of more than TOKENS_MAX the oldest end."""

    async def player_by_token(self, digest: bytes) -> Player | None: ...
    async def drop_token(self, digest: bytes) -> None: ...

    # Ledger

    async def balance(self, player: int) -> int: ...
    async def refill(
        self, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
    ) -> int | None:
        """Fills up a balance below `below` from the mint, and returns what it is then; None if it
        is not so low, or was filled up less than `every_ms` ago. Raises errors.NoSuchPlayer."""

    async def statement(
        self, player: int, *, before: int | None, limit: int
    ) -> Sequence[StatementItem]:
        """Newest first; those older than the item whose id is `before`, if the player has such an
        item. All their chips add up to the balance."""
