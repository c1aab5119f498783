"""Games of two who move in turn: what both may do in any of them, whatever a move is.

* A seat may resign at any time, whoever's turn it is. Who gives up the seat has lost as well.
* A draw offer stands until the opponent answers it or moves. While it stands, nobody makes another.
* With a move clock, a seat loses when `TimeUp` is recorded before its move. A move that comes first
  counts, even a late one: after a restart players are given time to come back.

A game lists those of these commands and events that it has, and says what a move is: `moves` lists
them, `move` judges one, and `moved` records it, with `InTurn.pass_turn`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec

from gamehall.errors import IllegalCommand, NotYourTurn, Refused, RoundOver, TimeNotUp
from gamehall.games.game import Command, Context, Event, Game, Outcome, Seats, Timer, copied

MoveSeconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
"""An option: the time for each move; 0 is no clock."""


class OfferPending(Refused):
    message = "A draw has been offered already, and waits for an answer."


class NoOffer(Refused):
    message = "Your opponent has not offered a draw."


# Commands


class Resign(Command, frozen=True):
    pass


class OfferDraw(Command, frozen=True):
    pass


class AnswerDraw(Command, frozen=True):
    accept: bool


class TimeUp(Command, frozen=True):
    """Sent by the move clock."""


# Events


class Resigned(Event, frozen=True):
    seat: int


class DrawOffered(Event, frozen=True):
    seat: int


class DrawAnswered(Event, frozen=True):
    seat: int
    accepted: bool


class TimedOut(Event, frozen=True):
    seat: int


class Abandoned(Event, frozen=True):
    """The seat was given up while the game ran."""

    seat: int


class InTurn(msgspec.Struct, kw_only=True):
    """Where such a game stands; its own state derives from this."""

    move_ms: int = 0
    moved_at_ms: int = 0
    """When the clock of this move began to run."""
    turn: int = 0
    offer: int | None = None
    """The seat whose draw offer stands."""
    outcome: Outcome | None = None

    @property
    def to_move(self) -> int | None:
        """The seat that is to move; None when the game is over."""
        return self.turn if self.outcome is None else None

    @property
    def deadline_ms(self) -> int | None:
        """When the time for this move is up."""
        if not self.move_ms or self.outcome is not None:
            return None
        return self.moved_at_ms + self.move_ms

    def pass_turn(self, seat: int, at_ms: int = 0) -> None:
        """This seat has moved, and with that declined what it was offered."""
        self.turn = 1 - seat
        self.moved_at_ms = at_ms
        if self.offer == 1 - seat:
            self.offer = None


P = TypeVar("P", bound=InTurn)


def clock_ms(seconds: float) -> int:
    """`InTurn.move_ms` of this option. A clock of less than a millisecond is still a clock."""
    return max(1, round(seconds * 1000)) if seconds else 0


class TwoInTurn(Game[P]):
    """Rules of two in turn, all but the moves."""

    lost_by: ClassVar[Mapping[type[Event], str]] = {
        Resigned: "resigned",
        TimedOut: "time",
        Abandoned: "left",
    }
    """Events with which a seat has lost, and the reasons that they are told as."""

    def moves(self, state: P, seat: int) -> Iterable[Command]:
        """The moves of this seat, whose turn it is."""
        raise NotImplementedError

    def move(self, state: P, seat: int, command: Any, context: Context) -> Event:
        """What this move of the seat to move causes. Raises Refused."""
        raise NotImplementedError

    def moved(self, state: P, event: Any) -> None:
        """Records what a move has caused, or any other event of the game's own."""
        raise NotImplementedError

    def defeat(self, state: P, loser: int, reason: str) -> Outcome:
        """How a game ends that a seat has lost by an event of `lost_by`."""
        return Outcome((1 - loser,), reason)

    # The contract

    def seats(self, options: Any) -> Seats:
        return Seats(2, 2)

    def fork(self, state: P) -> P:
        return copied(state)

    def decide(
        self, state: P, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if state.outcome is not None:
            raise RoundOver
        if seat is None:
            return (_time_up(state, command, context.at_ms),)
        if type(command) not in self.commands:
            raise IllegalCommand
        match command:
            case Resign():
                return (Resigned(seat),)
            case OfferDraw():
                if state.offer is not None:
                    raise OfferPending
                return (DrawOffered(seat),)
            case AnswerDraw():
                if state.offer != 1 - seat:
                    raise NoOffer
                return (DrawAnswered(seat, command.accept),)
        if seat != state.turn:
            raise NotYourTurn
        return (self.move(state, seat, command, context),)

    def apply(self, state: P, event: Any) -> P:
        reason = self.lost_by.get(type(event))
        if reason is not None:
            state.outcome = self.defeat(state, event.seat, reason)
        elif isinstance(event, DrawOffered):
            state.offer = event.seat
        elif isinstance(event, DrawAnswered):
            state.offer = None
            if event.accepted:
                state.outcome = Outcome((), "agreed")
        else:
            self.moved(state, event)
        return state

    def legal(self, state: P, seat: int) -> Iterator[Command]:
        """The moves of the seat to move, and the answers to an offer that waits for this seat.

        Offering a draw and resigning are not moves that anyone waits for, and are not listed.
        """
        if state.outcome is not None:
            return
        if state.turn == seat:
            yield from self.moves(state, seat)
        if state.offer == 1 - seat:
            yield AnswerDraw(True)
            yield AnswerDraw(False)

    def outcome(self, state: P) -> Outcome | None:
        return state.outcome

    def leave(self, state: P, seat: int) -> tuple[Event, ...]:
        return (Abandoned(seat),)

    def timer(self, state: P) -> Timer | None:
        due_ms = state.deadline_ms
        return None if due_ms is None else Timer(due_ms, TimeUp(), waits_for=state.turn)


def _time_up(state: InTurn, command: Command, at_ms: int) -> TimedOut:
    if not isinstance(command, TimeUp):
        raise IllegalCommand
    if state.deadline_ms is None or at_ms < state.deadline_ms:
        raise TimeNotUp
    return TimedOut(state.turn)
