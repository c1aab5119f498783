"""What a beat tells, to whom: built after the write, from the rows alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from gamehall.games.game import Event, Game
from gamehall.hall.beat.requests import Ended, Scene, Told
from gamehall.hall.beat.scenes import Chairs, acts_of, states_after
from gamehall.hall.beat.steps import Kind
from gamehall.table_log import house
from gamehall.table_log.journal import Row
from gamehall.table_log.table_state import TableState

Placed = tuple[int, Event]
"""An event with its place in a scene."""


CHAIRS_MAX = 50
"""Of more, a notice does not list who sits there; a view shows some."""


class Teller:
    """Keeps, for each audience of a table, the `seq` it was told last, so that gaps show."""

    __slots__ = ("_hides", "_insider_seq", "_kind", "_public_seq")

    def __init__(self, kind: Kind) -> None:
        game = type(kind.game)
        self._kind = kind
        self._hides = game.seen is not Game.seen or game.insiders is not Game.insiders
        self._public_seq = 0
        self._insider_seq: dict[int, int] = {}
        """Players who were told something after the last public notice."""

    def start_at(self, seq: int) -> None:
        self._public_seq = seq

    def tell(
        self,
        rows: Sequence[Row],
        hashes: Sequence[str],
        before: TableState | None,
        state: TableState,
        by_the_house: bool,
    ) -> Told:
        """The notice of one beat. `hashes` are those of its rows, `before` and `state` the states
        it began and ended with, `by_the_house` whether the hall's own events are among it."""
        walk_in = state.walk_in
        if by_the_house:
            acts = acts_of(rows)
            states = states_after(acts, self._kind.rules, before, state)
            scenes = self._scenes(acts, states, Chairs(before))
            events = _joined([scene.events for scene in scenes])
        else:
            events = rows[0].events if len(rows) == 1 else _joined([row.events for row in rows])
            if self._hides or walk_in:
                scenes = (self._as_seen(events, state, Chairs(before)),)
                events = scenes[0].events
            else:
                # A move of a game that hides nothing, which most beats are.
                scenes = (Scene(state, events),)
        seq = rows[-1].seq
        told = Told(
            rows[0].table,
            seq,
            rows[0].seq,
            self._public_seq,
            events,
            state.seat_of,
            state.status,
            scenes,
            walk_in=walk_in,
        )
        if self._hides or walk_in:
            self._tell_insiders(told)
        if events:
            self._public_seq = seq
        if by_the_house:
            told.by_the_house = True
            told.ended = tuple(_ended(rows, hashes))
            told.left = () if walk_in else tuple(_leavers(acts, states, Chairs(before)))
        return told

    def _scenes(
        self, acts: Sequence[tuple[Event, ...]], states: Sequence[TableState], chairs: Chairs
    ) -> tuple[Scene, ...]:
        """Those of a beat with events of the hall's own."""
        scenes = []
        for events, state in zip(acts, states, strict=True):
            if self._hides or state.walk_in:
                scene = self._as_seen(events, state, chairs)
            else:
                scene = Scene(state, tuple(map(shortened, events)))
            ends = (event for event in events if isinstance(event, _ENDS))
            scene.ended = next(ends, None)
            scenes.append(scene)
        return tuple(scenes)

    def _as_seen(self, events: Sequence[Event], state: TableState, chairs: Chairs) -> Scene:
        """The events as spectators see them, and as those do who see some of them otherwise."""
        game, walk_in = self._kind.game, state.walk_in
        public: list[Placed] = []
        own: dict[int, list[Placed | int]] = {}
        """By player; the place alone, if it may not see an event."""
        for place, event in enumerate(events):
            insiders: Iterable[int] = ()
            if type(event) in house.EVENT_TYPES:
                chairs.follow(event, state)
                event = shortened(event)
                seen = sight(game, event, None, walk_in)
                if seen is None and isinstance(event, house.Seated | house.Left):
                    insiders = (event.seat,)
            else:
                seen = game.seen(event, None)
                insiders = game.insiders(event)
            if seen is not None:
                public.append((place, seen))
            for seat in insiders:
                person = chairs.on(seat)
                if person is not None:
                    theirs = sight(game, event, seat, walk_in)
                    seen_so = place if theirs is None else (place, theirs)
                    own.setdefault(person.player, []).append(seen_so)
        return Scene(
            state,
            tuple([event for _, event in public]),
            {player: _merged(public, seen) for player, seen in own.items()},
        )

    def _tell_insiders(self, told: Told) -> None:
        scenes, seqs = told.scenes, self._insider_seq
        players: Iterable[int] = scenes[0].insiders
        if len(scenes) > 1:
            players = {player for scene in scenes for player in scene.insiders}
        if told.walk_in:
            # All have the same `after`, so that what is public is encoded once for thousands. A
            # private notice that someone misses shows in no gap: its door sends a fresh view then.
            for player in players:
                told.insiders[player] = (told.after, _seen(scenes, player))
            return
        if told.events:
            # Who was told something between two public notices has an `after` of its own.
            players = [*players, *(player for player in seqs if player not in players)]
        for player in players:
            told.insiders[player] = (seqs.pop(player, told.after), _seen(scenes, player))
        if not told.events:
            seqs.update(dict.fromkeys(told.insiders, told.seq))


_ENDS = (house.RoundEnded, house.RoundVoided)


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


def _seen(scenes: Sequence[Scene], player: int) -> tuple[Event, ...]:
    return _joined([scene.seen_by(player) for scene in scenes])


def _joined(parts: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    return parts[0] if len(parts) == 1 else tuple([event for part in parts for event in part])


def _ended(rows: Sequence[Row], hashes: Sequence[str]) -> Iterable[Ended]:
    for row, hash in zip(rows, hashes, strict=True):
        for event in row.events:
            if isinstance(event, _ENDS):
                yield Ended(row.round, event, hash)


def _leavers(
    acts: Sequence[tuple[Event, ...]], states: Sequence[TableState], chairs: Chairs
) -> Iterable[tuple[int, int, str, str]]:
    for events, state in zip(acts, states, strict=True):
        for event in events:
            chairs.follow(event, state)
            if isinstance(event, house.Left):
                person = chairs.on(event.seat)
                if person is not None:
                    yield person.player, event.seat, person.name, event.reason
