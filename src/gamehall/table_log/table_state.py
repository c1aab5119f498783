"""Where a table stands, and how each of the hall's own events changes that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from gamehall.games.game import Game, Outcome, Start
from gamehall.table_log import house


class TableState(msgspec.Struct):
    """Where a table stands. Replaced by `fork` before it is changed."""

    opened: house.Opened
    options: Any
    chairs: dict[int, house.Person]
    seat_of: dict[int, int]
    """Who may act. One who left keeps the chair in the round's record, and no more."""
    reserved: tuple[house.Person, ...]
    walk_in: bool
    """Whether people are seated by their first command of a round, and not bound by it."""
    game: Any = None
    """The game's own state; None until it starts."""
    gone: set[int] = set()
    """Seats that are empty now, and whose chairs are kept for the record."""
    quitters: frozenset[int] = frozenset()
    """Seats that were given up in this round, also if someone sat down there again."""
    owns_seats: bool = True
    rematch: frozenset[int] = frozenset()
    stakes: dict[int, int] = {}
    """What each seat has in the pot."""
    pot: int = 0
    """What lies there in all: the house may have added to it."""
    owns_stakes: bool = True
    next_options: dict[str, Any] | None = None
    outcome: Outcome | None = None
    voided: bool = False
    again_ms: int | None = None
    """How long after its end the next round opens by itself."""
    ended_at_ms: int = 0
    closed: str | None = None

    def own_seats(self) -> None:
        """Before a seat changes: forks share these until one of them changes."""
        if not self.owns_seats:
            self.chairs = dict(self.chairs)
            self.seat_of = dict(self.seat_of)
            self.gone = set(self.gone)
            self.owns_seats = True

    def own_stakes(self) -> dict[int, int]:
        """Likewise, before a stake changes."""
        if not self.owns_stakes:
            self.stakes = dict(self.stakes)
            self.owns_stakes = True
        return self.stakes

    @property
    def over(self) -> bool:
        return self.outcome is not None or self.voided

    @property
    def status(self) -> str:
        """`waiting` for players, `playing`, `over` or `closed`."""
        if self.closed is not None:
            return "closed"
        if self.over:
            return "over"
        return "waiting" if self.game is None else "playing"


def opened_state(event: house.Opened, game: Game[Any]) -> TableState:
    """The table at the beginning of a round."""
    options = msgspec.convert(event.options, game.options)
    return TableState(
        opened=event,
        options=options,
        chairs={chair.seat: chair.person for chair in event.chairs},
        seat_of={chair.person.player: chair.seat for chair in event.chairs},
        reserved=event.reserved,
        walk_in=not game.seats(options).kept,
    )


def _seated(game: Game[Any], state: TableState, event: house.Seated) -> None:
    state.own_seats()
    state.chairs[event.seat] = event.person
    state.seat_of[event.person.player] = event.seat
    state.gone.discard(event.seat)


def _seats_drawn(game: Game[Any], state: TableState, event: house.SeatsDrawn) -> None:
    people = [state.chairs[seat] for seat in sorted(state.chairs)]
    state.chairs = dict(sorted(zip(event.order, people, strict=True)))
    state.seat_of = {person.player: seat for seat, person in state.chairs.items()}


def _started(game: Game[Any], state: TableState, event: house.Started) -> None:
    opened = state.opened
    seats = tuple(sorted(state.chairs))
    state.reserved = ()
    state.game = game.start(
        Start(state.options, seats, opened.round, event.at_ms, opened.carry, opened.rated)
    )


def _left(game: Game[Any], state: TableState, event: house.Left) -> None:
    state.own_seats()
    del state.seat_of[state.chairs[event.seat].player]
    took_part = () if state.game is None else game.took_part(state.game)
    if took_part is None or event.seat in took_part:
        state.gone.add(event.seat)
        state.quitters |= {event.seat}
    else:
        # The round does not count for it, so the chair is free for the next who comes.
        del state.chairs[event.seat]


def _rematch_wanted(game: Game[Any], state: TableState, event: house.RematchWanted) -> None:
    state.rematch |= {event.seat}


def _reservations_lapsed(game: Game[Any], state: TableState, _: house.ReservationsLapsed) -> None:
    state.reserved = ()


def _round_ended(game: Game[Any], state: TableState, event: house.RoundEnded) -> None:
    state.outcome = event.outcome
    state.again_ms = event.outcome.again_ms
    state.ended_at_ms = event.at_ms


def _round_voided(game: Game[Any], state: TableState, event: house.RoundVoided) -> None:
    state.voided = True
    state.stakes = {}
    state.pot = 0
    state.again_ms = event.again_ms
    state.ended_at_ms = event.at_ms


def _options_set(game: Game[Any], state: TableState, event: house.OptionsSet) -> None:
    state.next_options = event.options


def _closed(game: Game[Any], state: TableState, event: house.Closed) -> None:
    state.closed = event.reason


RECORD: dict[type, Callable[[Game[Any], TableState, Any], None]] = {
    house.Seated: _seated,
    house.SeatsDrawn: _seats_drawn,
    house.Started: _started,
    house.Left: _left,
    house.RematchWanted: _rematch_wanted,
    house.ReservationsLapsed: _reservations_lapsed,
    house.OptionsSet: _options_set,
    house.RoundEnded: _round_ended,
    house.RoundVoided: _round_voided,
    house.Closed: _closed,
}
"""What records each event of the house but `Opened`, which begins a state of its own."""
