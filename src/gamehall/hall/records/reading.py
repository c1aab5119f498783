"""What doors read: tables in memory, and what the store has kept, as someone may read it: journals
without what is still hidden."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

import msgspec

from gamehall.bus.bus import Bus
from gamehall.errors import (
    BadRequest,
    NoSuchRound,
    NoSuchTable,
    RoundRunning,
    Unavailable,
    WrongKey,
)
from gamehall.games.game import Options
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.steps import Kind
from gamehall.hall.beat.telling import sight
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import TableStatus
from gamehall.store.journals import RoundSpan
from gamehall.store.lists import HistoryItem, TableInfo
from gamehall.store.store import Store
from gamehall.table_log import house
from gamehall.table_log.journal import Row

FILTERED_AT_ONCE, FILTERED_PAGES_MAX = 200, 5
"""Rounds of the history that are read at once, and how often, to find those that are wanted."""
ROWS_AT_ONCE = 50
"""Rows that are read and gone through before others have their turn."""


class Journal(msgspec.Struct, frozen=True):
    """A page of a table's rows, or of one round's."""

    lines: list[bytes]
    next: int | None
    """Where to read on; None at the head."""
    finished: bool
    """Whether every line is as it was hashed."""
    head: int
    """The last row's number."""
    hash: str
    """The chain's, after the last row."""


class HistoryFilter(msgspec.Struct, frozen=True):
    """Which finished rounds are wanted."""

    game: str | None = None
    player: int | None = None
    result: Literal["win", "draw", "loss"] | None = None
    """How it ended for the player."""
    since_ms: int | None = None
    until_ms: int | None = None
    """When it ended; `until_ms` is not in it any more."""

    @property
    def passes_all(self) -> bool:
        """Whether the store's own choice is all of it."""
        return self.result is None and self.since_ms is None and self.until_ms is None

    def passes(self, item: HistoryItem) -> bool:
        if self.since_ms is not None and item.ended_at_ms < self.since_ms:
            return False
        if self.until_ms is not None and item.ended_at_ms >= self.until_ms:
            return False
        return self.result is None or any(
            seat.player == self.player and seat.result == self.result for seat in item.results
        )


class SeenRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a round that is still played, as a spectator may see it. It proves nothing."""

    table: int
    seq: int
    round: int
    at_ms: int
    seat: int | None
    events: tuple[Any, ...]
    filtered: Literal[True] = True


class Reading:
    """What the store is asked raises Unavailable while it cannot answer."""

    def __init__(self, store: Store, bus: Bus, tables: Tables, draw_key: DrawKey) -> None:
        self._store = store
        self._bus = bus
        self._tables = tables
        self._draw_key = draw_key
        # What these say themselves is asked as it is there.
        self.loaded, self.all_loaded, self.load = tables.loaded, tables.all_loaded, tables.load
        self.standings, self.best_rated = store.standings, store.best_rated
        self.player_named, self.balance = store.player_named, store.balance
        self.statement = store.statement

    async def ping(self) -> None:
        """Returns if store and bus work."""
        await self._store.ping()
        await self._bus.ping()

    def game_name(self, game: str) -> str:
        """The game's first name, by any of its names. Raises NoSuchGame."""
        return self._tables.kind(game).game.name

    def usual_options(self, game: str) -> Options:
        """Those of a table that is opened without any. Raises NoSuchGame."""
        options: Options = self._tables.kind(game).rules.read_options({})
        return options

    async def tables(
        self, game: str | None, status: TableStatus | None, after: int, limit: int
    ) -> list[TableInfo]:
        """Public tables by id, from the next after `after`; without a status, open ones."""
        return await self._store.tables(
            game=game, status=status, private=False, after=after, limit=limit
        )

    async def table(self, id: int, key: str | None) -> TableInfo:
        """Raises NoSuchTable, WrongKey."""
        info = await self._store.table(id)
        if info is None:
            raise NoSuchTable
        if info.private and not self._draw_key.opens(id, key):
            raise WrongKey
        return info

    async def journal(
        self, id: int, key: str | None, after: int, limit: int, round: int | None = None
    ) -> Journal:
        """The rows after `after`: as written where the round is over, else as a spectator may
        see them, marked `"filtered": true`. With a `round`, only its own; it must be over.

        Raises:
            NoSuchTable, WrongKey, NoSuchRound, RoundRunning
        """
        info = await self.table(id, key)
        if round is not None:
            return await self._round(info, round, after, limit)
        kind = self._tables.kind(info.game)
        finished = info.status in ("over", "closed")
        read = await self._store.read(id, after, limit)
        # Rows that came meanwhile may be of another round, which `info` knows nothing of.
        lines = [line for line in read if line.seq <= info.head]
        read_to = lines[-1].seq if lines else info.head
        if finished:
            shown = [line.line for line in lines]
        else:
            shown = [
                line.line if line.seq < info.round_seq else _filtered(kind, line.line)
                for line in lines
            ]
            if lines and lines[0].seq <= info.round_seq <= lines[-1].seq:
                # The row in which a round opens may end the one before, and mostly hides nothing.
                place = info.round_seq - lines[0].seq
                if not _hides(kind, lines[place].line):
                    shown[place] = lines[place].line
        next = read_to if read_to < info.head else None
        return Journal([line for line in shown if line], next, finished, info.head, info.hash)

    async def span(self, info: TableInfo, round: int) -> RoundSpan:
        """From the row in which it opened to the one in which it ended.

        Raises:
            NoSuchRound, RoundRunning
        """
        span = await self._store.round_span(info.id, round)
        if span is None:
            if round == info.round:
                raise RoundRunning("This round is not over: its rows can be had when it is.")
            raise NoSuchRound
        return span

    async def rows(self, id: int, kind: Kind, first_seq: int, last_seq: int) -> AsyncIterator[Row]:
        """From the one to the other. Raises Unavailable."""
        at = first_seq - 1
        while at < last_seq:
            lines = await self._store.read(id, at, min(ROWS_AT_ONCE, last_seq - at))
            if not lines:
                raise Unavailable  # It is forgotten at this moment.
            for line in lines:
                yield kind.codec.decode(line.line)
            at = lines[-1].seq

    async def _round(self, info: TableInfo, round: int, after: int, limit: int) -> Journal:
        span = await self.span(info, round)
        read = await self._store.read(info.id, max(after, span.first_seq - 1), limit)
        lines = [line for line in read if line.seq <= span.last_seq]
        opens_next = bool(lines) and lines[-1].seq == info.round_seq > span.first_seq
        running = opens_next and info.status not in ("over", "closed")
        if running and _hides(self._tables.kind(info.game), lines[-1].line):
            raise RoundRunning("Its last row deals the next round, which is not over yet.")
        read_to = lines[-1].seq if lines else span.last_seq
        next = read_to if read_to < span.last_seq else None
        return Journal([line.line for line in lines], next, True, span.last_seq, span.hash)

    async def history(
        self, wanted: HistoryFilter, before: int | None, limit: int
    ) -> tuple[list[HistoryItem], int | None]:
        """Rounds older than the place `before`, newest first, and where to go on; None at the end.

        They may be fewer than `limit` before that: only so many rounds are looked through at once.
        """
        if wanted.result is not None and wanted.player is None:
            raise BadRequest("`result` is that of a player: say which `player`.")
        at_once = limit if wanted.passes_all else FILTERED_AT_ONCE
        found: list[HistoryItem] = []
        for _ in range(FILTERED_PAGES_MAX):
            page = await self._store.history(
                game=wanted.game, player=wanted.player, before=before, limit=at_once
            )
            for item in page:
                before = item.place
                if wanted.passes(item):
                    found.append(item)
                if len(found) == limit:
                    return found, before
            if len(page) < at_once:
                return found, None
        return found, before


def _hides(kind: Kind, line: bytes) -> bool:
    """Whether a spectator may not see all of this row."""
    own = (e for e in kind.codec.decode(line).events if type(e) not in house.EVENT_TYPES)
    return any(kind.game.seen(event, None) != event for event in own)


def _filtered(kind: Kind, line: bytes) -> bytes:
    row: Row = kind.codec.decode(line)
    walk_in = not kind.game.seats(kind.rules.read_options({})).kept
    sights = [sight(kind.game, event, None, walk_in) for event in row.events]
    seen = tuple(event for event in sights if event is not None)
    if not seen:
        return b""
    return msgspec.json.encode(SeenRow(row.table, row.seq, row.round, row.at_ms, row.seat, seen))
