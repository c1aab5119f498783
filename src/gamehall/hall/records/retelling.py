"""A running round told anew, from its beginning: for clients that follow a game move by move."""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.errors import NotSeated, NotStarted
from gamehall.games.game import Event, Outcome
from gamehall.hall.tables.tables import Tables
from gamehall.table_log import house

EVENTS_MAX = 1000
"""Of one round; a longer one is told from a later view on."""


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


class Retelling:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def of(self, table: int, player: int) -> Retold:
        """Raises NotSeated, NotStarted, NoSuchTable, Unavailable."""
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


def _encoded(view: Any) -> msgspec.Raw:
    """At once, since what comes next may change the state in place."""
    return msgspec.Raw(msgspec.json.encode(view))
