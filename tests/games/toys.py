"""A small game that uses all that Connect Four does not: money, hidden cards, timers, coming late.

High card: whoever pays the ante is dealt a card that only they see. When the time is up all cards
are shown, and the highest takes the pot, less one chip for the house.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from gamehall.errors import IllegalCommand, Refused, TableFull
from gamehall.games.game import (
    Command,
    Context,
    Event,
    Game,
    Options,
    Outcome,
    Payment,
    Seats,
    Start,
    Timer,
)


class AlreadyIn(Refused):
    code = "already_in"
    message = "You have a card."


class NotIn(Refused):
    code = "not_in"
    message = "You have no card."


class Ante(Command, frozen=True):
    chips: Annotated[int, msgspec.Meta(ge=1, le=1000)]


class Fold(Command, frozen=True):
    pass


class Hurry(Command, frozen=True):
    """Brings the end nearer."""


class Showdown(Command, frozen=True):
    pass


class Joined(Event, frozen=True):
    seat: int


class Dealt(Event, frozen=True):
    seat: int
    chips: int
    card: int | None = None
    """None for those who may not see it."""


class Folded(Event, frozen=True):
    seat: int


class Shown(Event, frozen=True):
    cards: dict[int, int]
    winner: int | None
    """None: nobody has a card any more, and the house takes what lies there."""


class HighCardOptions(Options, frozen=True):
    least: Annotated[int, msgspec.Meta(ge=0, le=4)] = 2
    most: Annotated[int, msgspec.Meta(ge=1, le=8)] = 5
    kept: bool = True
    deal_ms: Annotated[int, msgspec.Meta(ge=1)] = 1000
    again_ms: int | None = 500


class Deal:
    """The state: plain containers that `apply` changes in place, so that `fork` must copy them."""

    def __init__(self, start: Start) -> None:
        self.options: HighCardOptions = start.options
        self.seats = set(start.seats)
        self.cards: dict[int, int] = {}
        self.paid: set[int] = set()
        self.pot = 0
        self.due_ms = start.at_ms + start.options.deal_ms
        self.deals = int(start.carry["deals"]) if start.carry else 0
        self.outcome: Outcome | None = None


class HighCard(Game[Deal]):
    name = "high-card"
    title = "High card"
    commands = (Ante, Fold, Hurry)
    notes = (Hurry,)
    timers = (Showdown,)
    events = (Joined, Dealt, Folded, Shown)
    options = HighCardOptions

    def seats(self, options: HighCardOptions) -> Seats:
        return Seats(options.least, options.most, options.kept)

    def start(self, start: Start) -> Deal:
        return Deal(start)

    def fork(self, state: Deal) -> Deal:
        copy = Deal.__new__(Deal)
        copy.__dict__ = dict(state.__dict__)
        copy.seats, copy.cards, copy.paid = set(state.seats), dict(state.cards), set(state.paid)
        return copy

    def decide(
        self, state: Deal, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        match command:
            case Ante() if seat is not None:
                if seat in state.paid:
                    raise AlreadyIn
                (card,) = context.chance.below(f"card:{seat}", 52)
                return (Dealt(seat, command.chips, card),)
            case Fold() if seat is not None:
                if seat not in state.cards:
                    raise NotIn
                return (Folded(seat),)
            case Showdown() if seat is None:
                best = max(state.cards, key=lambda s: (state.cards[s], s), default=None)
                return (Shown(dict(state.cards), best),)
        raise IllegalCommand

    def apply(self, state: Deal, event: Any) -> Deal:
        match event:
            case Joined():
                state.seats.add(event.seat)
            case Dealt():
                assert event.card is not None
                state.cards[event.seat] = event.card
                state.paid.add(event.seat)
                state.pot += event.chips
            case Folded():
                state.cards.pop(event.seat, None)
            case Shown():
                winners = () if event.winner is None else (event.winner,)
                again_ms = state.options.again_ms
                state.outcome = Outcome(winners, "shown", event.cards, again_ms)
                state.pot = 0
        return state

    def legal(self, state: Deal, seat: int) -> Iterable[Command]:
        if state.outcome is not None:
            return ()
        if seat in state.cards:
            return (Fold(), Hurry())
        return () if seat in state.paid else (Ante(10), Ante(25))

    def view(self, state: Deal, seat: int | None) -> dict[str, Any]:
        return {
            "seats": sorted(state.seats),
            "in": sorted(state.cards),
            "card": None if seat is None else state.cards.get(seat),
            "pot": state.pot,
            "deals": state.deals,
        }

    def outcome(self, state: Deal) -> Outcome | None:
        return state.outcome

    def leave(self, state: Deal, seat: int) -> tuple[Event, ...]:
        return (Folded(seat),)

    def join(self, state: Deal, seat: int, context: Context) -> tuple[Event, ...]:
        if state.pot >= 500:
            raise TableFull("The pot is too big to come in now.")
        return (Joined(seat),)

    def seen(self, event: Any, seat: int | None) -> Event:
        if isinstance(event, Dealt) and seat != event.seat:
            return Dealt(event.seat, event.chips)
        return event  # type: ignore[no-any-return]

    def insiders(self, event: Any) -> Iterable[int]:
        return (event.seat,) if isinstance(event, Dealt) else ()

    def note(self, state: Deal, seat: int, command: Any, at_ms: int) -> None:
        state.due_ms = max(at_ms, state.due_ms - 100)

    def timer(self, state: Deal) -> Timer | None:
        return None if state.outcome is not None else Timer(state.due_ms, Showdown())

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        match event:
            case Dealt():
                return (Payment(event.seat, "pot", event.chips),)
            case Shown(winner=int(winner)) if state.pot > 1:
                return (Payment("pot", winner, state.pot - 1), Payment("pot", "house", 1))
            case Shown() if state.pot:
                return (Payment("pot", "house", state.pot),)
        return ()

    def carry(self, state: Deal) -> dict[str, int]:
        return {"deals": state.deals + 1}
