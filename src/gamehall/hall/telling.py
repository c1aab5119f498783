"""What a beat tells, to whom: built after the write, from the rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamehall.bus.bus import Told
from gamehall.games import house
from gamehall.games.game import Event, Game
from gamehall.games.journal import Row
from gamehall.games.table_state import TableState


class Teller:
    """Keeps, for each audience of a table, the `seq` it was told last, so that gaps show."""

    __slots__ = ("_game", "_hides", "_insider_seq", "_public_seq")

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._hides = type(game).seen is not Game.seen or type(game).insiders is not Game.insiders
        self._public_seq = 0
        self._insider_seq: dict[int, int] = {}
        """Seats that were told something after the last public notice."""

    def start_at(self, seq: int) -> None:
        self._public_seq = seq

    def tell(
        self,
        rows: Sequence[Row],
        before: TableState | None,
        state: TableState,
        hash: str,
        by_the_house: bool,
    ) -> Told:
        """The notice of one beat; `before` is the state it began with, `by_the_house` whether the
        hall's own events are among it."""
        last = rows[-1]
        events = last.events
        if len(rows) > 1:
            events = tuple(event for row in rows for event in row.events)
        public = tuple(self._seen(events, None)) if self._hides else events
        told = Told(
            last.table,
            last.seq,
            self._public_seq,
            public,
            state.seat_of,
            state.status,
            hash,
        )
        if self._hides:
            self._tell_insiders(told, events)
        if public:
            self._public_seq = last.seq
        if by_the_house:
            told.by_the_house = True
            told.ended = tuple(
                (row.round, event)
                for row in rows
                for event in row.events
                if isinstance(event, house.RoundEnded | house.RoundVoided)
            )
            told.left = tuple(_leavers(events, before))
        return told

    def _seen(self, events: Sequence[Event], seat: int | None) -> list[Event]:
        seen = (
            event if type(event) in house.EVENT_TYPES else self._game.seen(event, seat)
            for event in events
        )
        return [event for event in seen if event is not None]

    def _tell_insiders(self, told: Told, events: Sequence[Event]) -> None:
        insiders = {
            seat
            for event in events
            if type(event) not in house.EVENT_TYPES
            for seat in self._game.insiders(event)
        }
        # Who was told something between two public notices has an `after` of its own.
        for seat in insiders | (self._insider_seq.keys() if told.events else set()):
            after = self._insider_seq.pop(seat, self._public_seq)
            told.insiders[seat] = (after, tuple(self._seen(events, seat)))
        if not told.events:
            self._insider_seq.update(dict.fromkeys(insiders, told.seq))


def _leavers(events: Sequence[Event], before: TableState | None) -> list[tuple[int, int, str, str]]:
    chairs = {} if before is None else before.chairs
    leavers = []
    for event in events:
        if isinstance(event, house.Seated):
            chairs = {**chairs, event.seat: event.person}
        elif isinstance(event, house.Left) and event.seat in chairs:
            person = chairs[event.seat]
            leavers.append((person.player, event.seat, person.name, event.reason))
    return leavers
