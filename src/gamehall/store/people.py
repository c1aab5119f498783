"""The part of the port that keeps people and their chips.

A transfer names the one before it of each player it concerns, and a balance names the player's last
one: a statement is read from there, link by link. An index by player would cost far more: with a
long past, each of ten thousand bets goes to another page of it, and all of them are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from unicodedata import normalize

import msgspec

from gamehall.errors import Conflict, NameTaken, NoSuchPlayer
from gamehall.store.database import AlreadyThere, Part, Transaction
from gamehall.store.purses import account_of

PlayerKind = Literal["guest", "member", "bot"]

_PLAYER = "SELECT id, name, kind, coalesce(chips, 0)"
_PLAYERS = "FROM players LEFT JOIN balances ON balances.player = players.id"
_MINTED = """INSERT INTO transfers
    (id, table_id, seq, n, source, target, chips, at_ms, target_before)
    SELECT nextval('transfer_ids'), 0, player, (
        SELECT coalesce(max(n) + 1, 0) FROM transfers WHERE table_id = 0 AND seq = player
    ), 'mint', $2, $3, $4, last FROM balances WHERE player = $1"""
_STATEMENT = """WITH RECURSIVE listed AS (
        SELECT * FROM transfers WHERE id = CASE WHEN $3::bigint IS NULL
            THEN (SELECT last FROM balances WHERE player = $2)
            ELSE (SELECT CASE WHEN source = $1 THEN source_before ELSE target_before END
                FROM transfers WHERE id = $3 AND $1 IN (source, target)) END
        UNION ALL
        SELECT older.* FROM listed JOIN transfers AS older ON older.id =
            CASE WHEN listed.source = $1 THEN listed.source_before ELSE listed.target_before END
        /* LIMIT $4 */)
    SELECT id, table_id, seq, n, CASE WHEN source = $1 THEN -chips ELSE chips END,
        CASE WHEN source = $1 THEN target ELSE source END, at_ms
    FROM listed LIMIT $4"""

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


class People(Part):
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
        key = self._key(name)

        async def added(change: Transaction) -> Player:
            await _check_free(change, key)
            if token_digest is not None:
                await _check_unused(change, token_digest, None)
            id = await change.insert(
                """INSERT INTO players (name, name_key, kind, password_hash, added_at_ms)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING""",
                name,
                key,
                kind,
                password_hash,
                at_ms,
            )
            if id is None:
                raise NameTaken  # Since it was looked up.
            await change.execute("INSERT INTO balances (player, chips) VALUES ($1, 0)", id)
            if chips:
                await _mint(change, id, chips, at_ms)
            if token_digest is not None:
                await _keep_token(change, id, token_digest, at_ms)
            return Player(id, name, kind, chips)

        return await self._database.change(added)

    async def make_member(self, player: int, name: str, password_hash: str) -> Player:
        """Makes a guest a member, who keeps id, seats and chips. Raises errors.NameTaken."""
        key = self._key(name)

        async def made(change: Transaction) -> Player:
            of = f"{_PLAYER} {_PLAYERS} WHERE id = $1 FOR UPDATE OF players"
            guest = await change.row(of, player)
            if guest is None or guest[2] != "guest":
                raise NoSuchPlayer(f"There is no guest with the number {player}.")
            await _check_free(change, key)
            try:
                await change.execute(
                    """UPDATE players SET name = $2, name_key = $3, kind = 'member',
                        password_hash = $4
                    WHERE id = $1""",
                    player,
                    name,
                    key,
                    password_hash,
                )
            except AlreadyThere:
                raise NameTaken from None  # Since it was looked up.
            return Player(player, name, "member", guest[3])

        return await self._database.change(made)

    async def player(self, player: int) -> Player | None:
        return await self._player("WHERE id = $1", player)

    async def player_named(self, name: str) -> Player | None:
        """A member or bot, else the guest of that name who came last."""
        key = self._key(name)
        owner = await self._player("WHERE name_key = $1 AND kind <> 'guest'", key)
        last = "WHERE name_key = $1 ORDER BY id DESC LIMIT 1"
        return await self._player(last, key) if owner is None else owner

    async def member(self, name: str) -> Member | None:
        found = await self._one(
            tuple[int, str, PlayerKind, int, str],
            f"""{_PLAYER}, password_hash {_PLAYERS}
            WHERE name_key = $1 AND kind <> 'guest' AND password_hash IS NOT NULL""",
            self._key(name),
        )
        return None if found is None else Member(Player(*found[:4]), found[4])

    async def add_token(self, player: int, digest: bytes, at_ms: int) -> None:
        """Keeps a token; of more than TOKENS_MAX the oldest end."""
        kept = "SELECT digest FROM tokens WHERE player = $1 ORDER BY at_ms DESC LIMIT $2"

        async def added(change: Transaction) -> None:
            await _check_unused(change, digest, player)
            await _keep_token(change, player, digest, at_ms)
            old = f"DELETE FROM tokens WHERE player = $1 AND digest NOT IN ({kept})"
            await change.execute(old, player, TOKENS_MAX)

        await self._database.change(added)

    async def player_by_token(self, digest: bytes) -> Player | None:
        owner = "JOIN tokens ON tokens.player = players.id WHERE digest = $1"
        return await self._player(owner, digest)

    async def drop_token(self, digest: bytes) -> None:
        drop = "DELETE FROM tokens WHERE digest = $1"
        await self._database.change(lambda change: change.execute(drop, digest))

    async def _player(self, where: str, value: Any) -> Player | None:
        return await self._one(Player, f"{_PLAYER} {_PLAYERS} {where}", value)

    def _key(self, name: str) -> Any:
        return self._database.key(name_key(name))

    # Ledger

    async def balance(self, player: int) -> int:
        chips = "SELECT chips FROM balances WHERE player = $1"
        return await self._one(int, chips, player) or 0

    async def refill(
        self, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
    ) -> int | None:
        """Fills up a balance below `below` from the mint, and returns what it is then; None if it
        is not so low, or was filled up less than `every_ms` ago. Raises errors.NoSuchPlayer."""

        async def filled(change: Transaction) -> int | None:
            balance = "SELECT chips FROM balances WHERE player = $1 FOR UPDATE"
            chips = await change.value(balance, player)
            if chips is None:
                raise NoSuchPlayer
            if chips >= min(below, to):
                return None
            # The first gift is what everyone begins with.
            gifts = "SELECT max(at_ms) FROM transfers WHERE table_id = 0 AND seq = $1 AND n > 0"
            last_ms = await change.value(gifts, player)
            if last_ms is not None and at_ms < last_ms + every_ms:
                return None
            await _mint(change, player, to - chips, at_ms)
            return to

        return await self._database.change(filled)

    async def statement(
        self, player: int, *, before: int | None, limit: int
    ) -> Sequence[StatementItem]:
        """Newest first; those older than the item whose id is `before`, if the player has such an
        item. All their chips add up to the balance."""
        whose = (account_of(player), player)
        return await self._database.page(StatementItem, _STATEMENT, *whose, before, limit)


async def _mint(change: Transaction, player: int, chips: int, at_ms: int) -> None:
    """New chips for a player whose balance is locked. They have table 0, counted by player."""
    id = await change.insert(_MINTED, player, account_of(player), chips, at_ms)
    await change.execute(
        "UPDATE balances SET chips = chips + $2, last = $3 WHERE player = $1", player, chips, id
    )


async def _check_free(change: Transaction, key: Any) -> None:
    owner = "SELECT 1 FROM players WHERE name_key = $1 AND kind <> 'guest'"
    if await change.value(owner, key):
        raise NameTaken


async def _check_unused(change: Transaction, digest: bytes, player: int | None) -> None:
    owner = await change.value("SELECT player FROM tokens WHERE digest = $1", digest)
    if owner is not None and owner != player:
        raise Conflict("Another player has this token.")


async def _keep_token(change: Transaction, player: int, digest: bytes, at_ms: int) -> None:
    keep = "INSERT INTO tokens VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    if not await change.execute(keep, digest, player, at_ms):
        await _check_unused(change, digest, player)
