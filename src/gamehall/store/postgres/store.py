"""The store in PostgreSQL: the same port as SQLite's, for halls that outgrow one file.

postgres_writer.py says how tables are written and what is answered when the database fails,
postgres_link.py how everything else is read and changed beside that, postgres_nodes.py who owns
which table. While PostgreSQL is away
everything is Unavailable; it heals by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

import gamehall.store.postgres.accounts as accounts
import gamehall.store.postgres.facts as facts
import gamehall.store.postgres.ledger as ledger
import gamehall.store.postgres.nodes as nodes
import gamehall.store.postgres.reads as reads
from gamehall.errors import Unavailable
from gamehall.store.appends import Answer, Append, TableStatus
from gamehall.store.audit import Audit
from gamehall.store.facts import Fact
from gamehall.store.journals import Line, RoundSpan
from gamehall.store.lists import HistoryItem, RatedRound, Rating, Standing, TableInfo
from gamehall.store.nodes import Claim, Head, Owned, Renewed
from gamehall.store.people import Member, Player, PlayerKind, StatementItem
from gamehall.store.postgres.audit import audited
from gamehall.store.postgres.link import Link, opened
from gamehall.store.postgres.schema import found_version, migrate
from gamehall.store.postgres.writer import Writer


class PostgresStore:
    """Raises CannotOpen, a ValueError, from `start` if the database cannot be used; Away if it may
    be used later."""

    def __init__(self, url: str, *, queue_bytes: int = 64 * 2**20) -> None:
        """`queue_bytes`: what may wait to be written; more is answered Unavailable."""
        self._url = url
        self._link = Link(url)
        self._writer = Writer(url, queue_bytes)
        self._leases = nodes.LeaseLine(url)

    async def exists(self) -> bool:
        """Whether a hall lies in the database, before it is started. Raises CannotOpen."""
        async with opened(self._url) as connection:
            return await found_version(connection) > 0

    async def start(self) -> None:
        async with opened(self._url) as connection:
            await migrate(connection)
        await self._link.start()
        self._writer.start()
        self._leases.start()

    async def stop(self) -> None:
        await self._writer.stop()
        await self._leases.stop()
        await self._link.stop()

    async def ping(self) -> None:
        # Written, because a full disk still takes an empty transaction.
        await self._link.change(
            lambda c: c.execute("UPDATE counters SET value = value + 1 WHERE name = 'pings'")
        )

    # Tables

    async def new_table(self) -> int:
        found = await self._link.row("SELECT nextval('table_ids')")
        if found is None:
            raise Unavailable
        return int(found[0])

    async def had_table(self, table: int) -> bool:
        found = await self._link.row(
            "SELECT $1 BETWEEN 1 AND last_value AND is_called FROM table_ids", table
        )
        return found is not None and bool(found[0])

    async def claim(self, table: int, node: str = "") -> Claim | Owned | None:
        return await nodes.claim(self._link, table, node)

    async def release(self, table: int, epoch: int) -> None:
        await self._link.change(lambda c: nodes.release(c, table, epoch))

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self._writer.append(append, done)

    async def read(self, table: int, after: int, limit: int) -> list[Line]:
        return await reads.lines(self._link, table, after, limit)

    async def read_at(self, table: int, seqs: Sequence[int]) -> list[Line]:
        return await reads.lines_at(self._link, table, seqs)

    async def used_ids(self, table: int, player: int, limit: int) -> list[str]:
        return await reads.used_ids(self._link, table, player, limit)

    async def request(self, table: int, player: int, id: str) -> Line | None:
        return await reads.request(self._link, table, player, id)

    async def request_between(
        self, table: int, player: int, id: str, first_seq: int, last_seq: int
    ) -> Line | None:
        return await reads.request_between(self._link, table, player, id, first_seq, last_seq)

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        return await reads.due(self._link, limit, after, node)

    async def table(self, table: int) -> TableInfo | None:
        return await reads.table(self._link, table)

    async def table_by_origin(self, origin: str) -> int | None:
        return await reads.table_by_origin(self._link, origin)

    async def tables(
        self, *, game: str | None, status: TableStatus | None, private: bool, after: int, limit: int
    ) -> list[TableInfo]:
        return await reads.tables(self._link, game, status, private, after, limit)

    async def round_span(self, table: int, round: int) -> RoundSpan | None:
        return await reads.round_span(self._link, table, round)

    async def tables_of(self, player: int) -> list[int]:
        return await reads.tables_of(self._link, player)

    async def seats_of(self, players: Sequence[int]) -> list[tuple[int, int]]:
        return await reads.seats_of(self._link, players)

    async def forget(self, before_ms: int, limit: int) -> int:
        past = await reads.past_tables(self._link, before_ms, limit)
        for table in past:
            while await self._forget_part(table):
                pass
        return len(past)

    async def _forget_part(self, table: int) -> bool:
        return await self._link.change(lambda c: reads.forget_part(c, table))

    # Nodes

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        return await self._leases.renew(node, lease_ms)

    async def retire(self, node: str) -> None:
        await self._link.change(lambda c: nodes.retire(c, node))

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        return await nodes.heads(self._link, tables)

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        return await nodes.orphans(self._link, share, shares, limit)

    async def open_tables(self) -> dict[str, int]:
        return await nodes.open_tables(self._link)

    async def quietest(self, node: str, limit: int) -> list[int]:
        return await nodes.quietest(self._link, node, limit)

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        return await self._link.change(lambda c: nodes.hand_over(c, table, epoch, node))

    # Read models

    async def history(
        self, *, game: str | None, player: int | None, before: int | None, limit: int
    ) -> list[HistoryItem]:
        return await reads.history(self._link, game, player, before, limit)

    async def standings(self, *, game: str | None, limit: int) -> list[Standing]:
        return await reads.standings(self._link, game, limit)

    # Ratings and facts

    async def unrated_rounds(self, limit: int) -> list[RatedRound]:
        return await facts.unrated_rounds(self._link, limit)

    async def put_ratings(self, first: int, upto: int, ratings: Sequence[Rating]) -> None:
        await self._link.change(lambda c: facts.put_ratings(c, first, upto, ratings))

    async def ratings_of(self, game: str, players: Sequence[int]) -> list[Rating]:
        return await facts.ratings_of(self._link, game, players)

    async def best_rated(self, game: str, *, bots: bool, limit: int) -> list[Rating]:
        return await facts.best_rated(self._link, game, bots, limit)

    async def fact(self, key: str) -> bytes | None:
        return await facts.fact(self._link, key)

    async def facts(self, prefix: str, after: str, limit: int) -> list[Fact]:
        return await facts.facts(self._link, prefix, after, limit)

    async def put_fact(self, key: str, value: bytes, before: bytes | None) -> bool:
        return await self._link.change(lambda c: facts.put_fact(c, key, value, before))

    # Accounts

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
        return await self._link.change(
            lambda c: accounts.add_player(c, name, kind, chips, at_ms, password_hash, token_digest)
        )

    async def make_member(self, player: int, name: str, password_hash: str) -> Player:
        return await self._link.change(
            lambda c: accounts.make_member(c, player, name, password_hash)
        )

    async def player(self, player: int) -> Player | None:
        return await accounts.find_player(self._link, player)

    async def player_named(self, name: str) -> Player | None:
        return await accounts.player_named(self._link, name)

    async def member(self, name: str) -> Member | None:
        return await accounts.member(self._link, name)

    async def add_token(self, player: int, digest: bytes, at_ms: int) -> None:
        await self._link.change(lambda c: accounts.add_token(c, player, digest, at_ms))

    async def player_by_token(self, digest: bytes) -> Player | None:
        return await accounts.player_by_token(self._link, digest)

    async def drop_token(self, digest: bytes) -> None:
        await self._link.change(lambda c: accounts.drop_token(c, digest))

    # Ledger

    async def balance(self, player: int) -> int:
        return await accounts.balance(self._link, player)

    async def refill(
        self, player: int, *, below: int, to: int, at_ms: int, every_ms: int = 0
    ) -> int | None:
        return await self._link.change(
            lambda c: ledger.refill(c, player, below, to, at_ms, every_ms)
        )

    async def statement(
        self, player: int, *, before: int | None, limit: int
    ) -> list[StatementItem]:
        return await ledger.statement(self._link, player, before, limit)

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        """Also of a store that has not started. Raises CannotOpen on entering."""
        return audited(self._url)
