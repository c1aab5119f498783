"""What a beat tells, to whom: built after the write, from the rows alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from gamehall.games import house
from gamehall.games.game import Event, Game
from gamehall.games.journal import Row
from gamehall.games.table_state import TableState
from gamehall.hall.asks import Told

Placed = tuple[int, Event]
"""An event with its place in the beat."""


CHAIRS_MAX = 50
"""Of more, a notice does not list who sits there; a view shows some."""


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

    def copied(self) -> Teller:
        """Another that goes on from here."""
        teller = Teller(self._game)
        teller._public_seq = self._public_seq
        teller._insider_seq = dict(self._insider_seq)
        return teller

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
            events = tuple([event for row in rows for event in row.events])
        if by_the_house:
            events = tuple([shortened(event) for event in events])
        told = Told(
            last.table, last.seq, self._public_seq, events, state.seat_of, state.status, hash
        )
        if state.walk_in:
            self._tell_crowd(told, events, state)
        elif self._hides:
            self._tell_insiders(told, events)
        if told.events:
            self._public_seq = last.seq
        if by_the_house:
            told.by_the_house = True
            told.ended = tuple(
                (row.round, event)
                for row in rows
                for event in row.events
                if isinstance(event, house.RoundEnded | house.RoundVoided)
            )
            told.left = () if state.walk_in else tuple(_leavers(events, before))
        return told

    def _tell_insiders(self, told: Told, events: Sequence[Event]) -> None:
        public, own = self._split(events, walk_in=False)
        told.events = tuple([event for _, event in public])
        # Who was told something between two public notices has an `after` of its own.
        for seat in own.keys() | (self._insider_seq.keys() if public else set()):
            after = self._insider_seq.pop(seat, self._public_seq)
            told.insiders[seat] = (after, _merged(public, own.get(seat, ())))
        if not public:
            self._insider_seq.update(dict.fromkeys(own, told.seq))

    def _tell_crowd(self, told: Told, events: Sequence[Event], state: TableState) -> None:
        """All have the same `after`, so that what is public is encoded once for thousands. A
        private notice that someone misses shows in no gap: its door sends a fresh view then."""
        public, own = self._split(events, walk_in=True)
        told.walk_in = True
        told.events = tuple([event for _, event in public])
        for seat, seen in own.items():
            told.insiders[seat] = (self._public_seq, _merged(public, seen))
        chairs = state.chairs
        told.addressed = tuple([chairs[seat].player for seat in own if seat in chairs])

    def _split(
        self, events: Sequence[Event], walk_in: bool
    ) -> tuple[list[Placed], dict[int, list[Placed | int]]]:
        """The events as spectators see them, and for each seat that sees some of them otherwise,
        those as it does; the place alone, if it may not see one."""
        public: list[Placed] = []
        own: dict[int, list[Placed | int]] = {}
        for place, event in enumerate(events):
            insiders: Iterable[int] = ()
            seen = sight(self._game, event, None, walk_in)
            by_the_house = type(event) in house.EVENT_TYPES
            if not by_the_house:
                insiders = self._game.insiders(event)
            elif seen is None and isinstance(event, house.Seated | house.Left):
                insiders = (event.seat,)
            if seen is not None:
                public.append((place, seen))
            for seat in insiders:
                theirs = sight(self._game, event, seat, walk_in)
                own.setdefault(seat, []).append(place if theirs is None else (place, theirs))
        return public, own


def sight(game: Game[Any], event: Event, seat: int | None, walk_in: bool) -> Event | None:
    """The event as this seat may see it (None is a spectator), or None."""
    if type(event) not in house.EVENT_TYPES:
        return game.seen(event, seat)
    if walk_in and isinstance(event, house.Seated | house.Left):
        # It is one of thousands: nobody else needs to know.
        return event if event.seat == seat else None
    return event


def shortened(event: Event) -> Event:
    """What thousands are told of a round that opens is not who all the thousands are."""
    if isinstance(event, house.Opened) and (len(event.chairs) > CHAIRS_MAX or event.carry):
        chairs = () if len(event.chairs) > CHAIRS_MAX else event.chairs
        return replace(event, chairs=chairs, carry=None)
    return event


def _merged(public: Sequence[Placed], own: Sequence[Placed | int]) -> tuple[Event, ...]:
    """What an insider sees: the public events, but its own sight of those where it has one."""
    seen = dict(public)
    for each in own:
        if isinstance(each, int):
            seen.pop(each, None)
        else:
            seen[each[0]] = each[1]
    return tuple([seen[place] for place in sorted(seen)])


def _leavers(events: Sequence[Event], before: TableState | None) -> list[tuple[int, int, str, str]]:
    chairs = {} if before is None else dict(before.chairs)
    leavers = []
    for event in events:
        if isinstance(event, house.Opened) and event.chairs:
            chairs = {chair.seat: chair.person for chair in event.chairs}
        elif isinstance(event, house.Seated):
            chairs[event.seat] = event.person
        elif isinstance(event, house.Left) and event.seat in chairs:
            person = chairs[event.seat]
            leavers.append((person.player, event.seat, person.name, event.reason))
    return leavers
