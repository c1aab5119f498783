"""Rounds again: a finished one row by row, as one of those at the table or a spectator saw it; and
a running one from its beginning, for clients that follow a game move by move."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec

from gamehall.errors import NotSeated, NotStarted
from gamehall.games.game import Event, Outcome, Picture
from gamehall.hall.beat.steps import Kind
from gamehall.hall.beat.telling import shortened, sight
from gamehall.hall.people.notices import SeatInfo
from gamehall.hall.records.reading import Reading
from gamehall.hall.tables.tables import Tables
from gamehall.store.journals import RoundSpan
from gamehall.table_log import house
from gamehall.table_log.journal import Row
from gamehall.table_log.table_state import TableState

PAGE_BYTES_MAX = 1 << 20
"""A page of frames that is longer ends early."""
REBUILDS_MAX = 2
"""Rounds that are gone through at once: the games that are on have the loop for themselves."""
NAMES_MAX = 50
EVENTS_MAX = 1000
"""Of a running round; a longer one is told from a later view on."""

_encode = msgspec.json.Encoder().encode


class Frame(msgspec.Struct, frozen=True):
    """The table after one row of its journal."""

    seq: int
    at_ms: int
    seat: int | None
    """Who did it; null: nobody at the table."""
    events: tuple[Any, ...]
    view: Any
    """Null until the game starts."""
    picture: Picture | None
    outcome: Outcome | None


class ReplayedRound(msgspec.Struct, frozen=True):
    table: int
    round: int
    rounds: int
    """How many rounds the table has; the last of them may still be played."""
    game: str
    options: dict[str, Any]
    rated: bool
    players: tuple[SeatInfo, ...]
    """Up to 50, as they sat there at the end of this page."""
    commitment: str
    secret: str
    outcome: Outcome | None
    """Null if it was called off."""
    voided: str | None
    """Why it was called off."""
    first_seq: int
    last_seq: int


class Replay(msgspec.Struct, frozen=True):
    round: ReplayedRound
    frames: tuple[Frame, ...]
    """Of those rows of which something was to be seen."""
    next: int | None


class Retold(msgspec.Struct, frozen=True):
    """A round as one player has seen it so far."""

    seat: int
    round: int
    options: dict[str, Any]
    view: msgspec.Raw
    """As it was when the player came, or the round began."""
    events: tuple[Event, ...]
    """The game's own, that came after it."""
    view_now: msgspec.Raw
    seq: int
    """The last row that is in it."""
    over: bool
    outcome: Outcome | None
    """None also of a round that was called off."""
    again_ms: int | None
    """When the next round opens by itself, after the end."""


class RoundReplay:
    """Goes through the rows of one round, from the one in which it opened."""

    def __init__(self, kind: Kind, round: int, seat: int | None) -> None:
        """`seat`: whose eyes it is seen with; None, or a seat that nobody has: a spectator's."""
        self._kind = kind
        self._round = round
        self._seat = seat
        self.state: TableState | None = None

    def take(self, row: Row) -> tuple[Event, ...]:
        """What is seen of the row, which the state has in it then."""
        seen = []
        for event in events_of(row, self._round, begun=self.state is not None):
            self.state = self._kind.rules.apply(self.state, event)
            sighted = sight(self._kind.game, event, self._eyes, self.state.walk_in)
            if sighted is not None:
                seen.append(shortened(sighted))
        return tuple(seen)

    def frame(self, row: Row, seen: tuple[Event, ...]) -> Frame:
        """The table as it stands after the row that was taken last."""
        state, game = self.state, self._kind.game
        assert state is not None
        view, picture = None, None
        if state.game is not None:
            view = game.view(state.game, self._eyes)
            picture = game.picture(view)
        # A copy, since a view may share what the next rows change.
        copied = msgspec.to_builtins(view)
        return Frame(row.seq, row.at_ms, row.seat, seen, copied, picture, state.outcome)

    def players(self) -> tuple[SeatInfo, ...]:
        assert self.state is not None
        shown = islice(sorted(self.state.chairs.items()), NAMES_MAX)
        return tuple(SeatInfo(seat, who.player, who.name, who.bot) for seat, who in shown)

    @property
    def _eyes(self) -> int | None:
        known = self.state is not None and self._seat in self.state.chairs
        return self._seat if known else None


def events_of(row: Row, round: int, *, begun: bool) -> Iterable[Event]:
    """Those of this round: a row may end one and open the next. `begun`: it opened before."""
    for event in row.events:
        if isinstance(event, house.Opened):
            if begun:
                return
            begun = event.round == round
        if begun:
            yield event


class Replays:
    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._reading = reading
        self._rebuilding = asyncio.Semaphore(REBUILDS_MAX)

    async def page(
        self, id: int, key: str | None, round: int, seat: int | None, after: int, limit: int
    ) -> Replay:
        """Frames of a round that is over, from the first row after `after`.

        Raises:
            NoSuchTable, WrongKey, NoSuchRound, RoundRunning, NoSuchGame
        """
        info = await self._reading.table(id, key)
        span = await self._reading.span(info, round)
        kind = self._tables.kind(info.game)
        last = await anext(self._reading.rows(id, kind, span.last_seq, span.last_seq))
        replay = RoundReplay(kind, round, seat)
        async with self._rebuilding:
            frames, next = await self._frames(replay, kind, id, span, after, limit)
        ends = events_of(last, round, begun=span.last_seq > span.first_seq)
        (end,) = [e for e in ends if isinstance(e, house.RoundEnded | house.RoundVoided)]
        assert replay.state is not None
        opened = replay.state.opened
        shown = ReplayedRound(
            table=id,
            round=round,
            rounds=info.round,
            game=info.game,
            options=opened.options,
            rated=info.rated,
            players=replay.players(),
            commitment=opened.commitment,
            secret=end.secret,
            outcome=end.outcome if isinstance(end, house.RoundEnded) else None,
            voided=end.reason if isinstance(end, house.RoundVoided) else None,
            first_seq=span.first_seq,
            last_seq=span.last_seq,
        )
        return Replay(shown, frames, next)

    async def retold(self, table: int, player: int) -> Retold:
        """A running round, for this player. Raises NotSeated, NotStarted, NoSuchTable …"""
        found = await self._tables.load(table)
        kind, seq = found.kind, found.head
        state = None
        seat: int | None = None
        view = msgspec.Raw()
        events: list[Event] = []
        for line in await self._tables.lines(table, found.round_seq, seq):
            begins = len(events) > EVENTS_MAX
            for event in kind.codec.decode(line.line).events:
                if state is None and not isinstance(event, house.Opened):
                    continue  # The end of the round before, in the same row.
                state = kind.rules.apply(state, event)
                sits_at = None if state.game is None else state.seat_of.get(player)
                if sits_at != seat:
                    # A player who leaves and sits down again sees only what the new seat sees.
                    seat, begins = sits_at, True
                elif seat is not None and type(event) not in house.EVENT_TYPES:
                    seen = kind.game.seen(event, seat)
                    events += () if seen is None else (seen,)
            if begins:
                events.clear()
                if seat is not None and state is not None:
                    view = _encoded(kind.game.view(state.game, seat))
        if state is None or state.game is None:
            raise NotStarted
        if seat is None:
            raise NotSeated
        return Retold(
            seat,
            state.opened.round,
            state.opened.options,
            view,
            tuple(events),
            _encoded(kind.game.view(state.game, seat)),
            seq,
            state.over,
            state.outcome,
            state.again_ms,
        )

    async def _frames(
        self, replay: RoundReplay, kind: Kind, id: int, span: RoundSpan, after: int, limit: int
    ) -> tuple[tuple[Frame, ...], int | None]:
        """The frames of a page, and the row it ends with unless that is the last."""
        frames: list[Frame] = []
        size = 0
        async for row in self._reading.rows(id, kind, span.first_seq, span.last_seq):
            seen = replay.take(row)
            if not seen or row.seq <= after:
                continue
            frames.append(replay.frame(row, seen))
            size += len(_encode(frames[-1]))
            if len(frames) == limit or size > PAGE_BYTES_MAX:
                return tuple(frames), row.seq if row.seq < span.last_seq else None
        return tuple(frames), None


def _encoded(view: Any) -> msgspec.Raw:
    """At once, since what comes next may change the state in place."""
    return msgspec.Raw(msgspec.json.encode(view))
