"""Where a table stands, and how each of the hall's own events changes that."""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.games.game import Event, Game, Outcome, Start
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


def record(game: Game[Any], state: TableState, event: Event) -> None:
    """Records any event of the house but `Opened`, which begins a state of its own."""
    match event:
        case house.Seated(seat=seat, person=person):
            state.own_seats()
            state.chairs[seat] = person
            state.seat_of[person.player] = seat
            state.gone.discard(seat)
        case house.SeatsDrawn(order=order):
            people = [state.chairs[seat] for seat in sorted(state.chairs)]
            state.chairs = dict(sorted(zip(order, people, strict=True)))
            state.seat_of = {person.player: seat for seat, person in state.chairs.items()}
        case house.Started(at_ms=at_ms):
            opened, seats = state.opened, tuple(sorted(state.chairs))
            state.reserved = ()
            state.game = game.start(
                Start(state.options, seats, opened.round, at_ms, opened.carry, opened.rated)
            )
        case house.Left(seat=seat):
            state.own_seats()
            del state.seat_of[state.chairs[seat].player]
            took_part = () if state.game is None else game.took_part(state.game)
            if took_part is None or seat in took_part:
                state.gone.add(seat)
                state.quitters |= {seat}
            else:
                # The round does not count for it, so the chair is free for the next who comes.
                del state.chairs[seat]
        case house.RematchWanted(seat=seat):
            state.rematch |= {seat}
        case house.ReservationsLapsed():
            state.reserved = ()
        case house.OptionsSet(options=options):
            state.next_options = options
        case house.RoundEnded(outcome=outcome, at_ms=at_ms):
            state.outcome = outcome
            state.again_ms = outcome.again_ms
            state.ended_at_ms = at_ms
        case house.RoundVoided(at_ms=at_ms, again_ms=again_ms):
            state.voided = True
            state.stakes = {}
            state.pot = 0
            state.again_ms = again_ms
            state.ended_at_ms = at_ms
        case house.Closed(reason=reason):
            state.closed = reason
