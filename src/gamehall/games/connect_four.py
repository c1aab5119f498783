"""Connect Four, on boards of any size: who first has a line of stones wins.

* Seat 0 begins. The seats take turns dropping a stone into a column that has room.
* A draw offer stands until the opponent answers it or drops a stone. While it stands, nobody makes
  another.
* A seat may resign at any time, whoever's turn it is.
* With a move clock, a seat loses when `TimeUp` is recorded before its drop. A drop that comes first
  counts, even a late one: after a restart players are given time to come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Annotated, Any

import msgspec

from gamehall.errors import (
    BadOptions,
    IllegalCommand,
    NotYourTurn,
    Refused,
    RoundOver,
    TimeNotUp,
)
from gamehall.games.drop_board import DropBoard, drop_board
from gamehall.games.game import (
    Cell,
    Command,
    Context,
    Event,
    Game,
    Options,
    Outcome,
    Picture,
    Seats,
    Start,
    Timer,
)

# Refusals


class NoSuchColumn(Refused):
    code = "no_such_column"
    message = "The board has no such column. The leftmost is 0."


class ColumnFull(Refused):
    code = "column_full"
    message = "This column is full."


class OfferPending(Refused):
    code = "offer_pending"
    message = "A draw has been offered already, and waits for an answer."


class NoOffer(Refused):
    code = "no_offer"
    message = "Your opponent has not offered a draw."


# Commands


class Drop(Command, frozen=True):
    column: int


class Resign(Command, frozen=True):
    pass


class OfferDraw(Command, frozen=True):
    pass


class AnswerDraw(Command, frozen=True):
    accept: bool


class TimeUp(Command, frozen=True):
    """Sent by the move clock."""


# Events


class Dropped(Event, frozen=True):
    seat: int
    column: int
    at_ms: int


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


class ConnectFourOptions(Options, frozen=True):
    columns: Annotated[int, msgspec.Meta(ge=3, le=12)] = 7
    rows: Annotated[int, msgspec.Meta(ge=3, le=12)] = 6
    length: Annotated[int, msgspec.Meta(ge=3, le=12)] = 4
    """How many stones make a line."""
    move_seconds: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0
    """The time for each move; 0 is no clock."""


# What a seat sees

Grid = tuple[tuple[int, ...], ...]


class Spot(msgspec.Struct, frozen=True):
    """A place on the board; row 0 is the topmost."""

    column: int
    row: int


class View(msgspec.Struct, frozen=True):
    board: Grid
    """Rows from the top; 0 is empty, 1 a stone of seat 0, 2 one of seat 1."""
    length: int
    turn: int | None
    """The seat that is to drop; None when the game is over."""
    last: Spot | None
    line: tuple[Spot, ...]
    """Every stone of the winner's lines."""
    offer: int | None
    """The seat whose draw offer stands."""
    deadline_ms: int | None


class Position(msgspec.Struct, gc=False):
    """Where a game stands. No field is changed in place, so a shallow copy is a fork."""

    board: DropBoard
    move_ms: int
    moved_at_ms: int
    """When the clock of this move began to run."""
    stones: tuple[int, int] = (0, 0)
    turn: int = 0
    last_column: int | None = None
    offer: int | None = None
    outcome: Outcome | None = None


class ConnectFour(Game[Position]):
    name = "connect-four"
    title = "Connect Four"
    commands = (Drop, Resign, OfferDraw, AnswerDraw)
    timers = (TimeUp,)
    events = (Dropped, Resigned, DrawOffered, DrawAnswered, TimedOut, Abandoned)
    options = ConnectFourOptions

    def seats(self, options: ConnectFourOptions) -> Seats:
        if options.length > max(options.columns, options.rows):
            raise BadOptions("A line of this length does not fit on the board.")
        return Seats(2, 2)

    def start(self, start: Start) -> Position:
        options: ConnectFourOptions = start.options
        seconds = options.move_seconds
        # A clock of less than a millisecond is still a clock.
        move_ms = max(1, round(seconds * 1000)) if seconds else 0
        board = drop_board(options.columns, options.rows, options.length)
        return Position(board, move_ms, start.at_ms)

    def fork(self, state: Position) -> Position:
        return copy(state)

    def decide(
        self, state: Position, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if state.outcome is not None:
            raise RoundOver
        if seat is None:
            return (_time_up(state, command, context.at_ms),)
        match command:
            case Drop():
                return (_drop(state, seat, command.column, context.at_ms),)
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
        raise IllegalCommand

    def apply(self, state: Position, event: Any) -> Position:
        match event:
            case Dropped():
                _place(state, event)
            case DrawOffered():
                state.offer = event.seat
            case DrawAnswered():
                state.offer = None
                if event.accepted:
                    state.outcome = Outcome((), "agreed")
            case Resigned():
                state.outcome = Outcome((1 - event.seat,), "resigned")
            case TimedOut():
                state.outcome = Outcome((1 - event.seat,), "time")
            case Abandoned():
                state.outcome = Outcome((1 - event.seat,), "left")
        return state

    def legal(self, state: Position, seat: int) -> Iterator[Command]:
        """The drops of the seat to move, and the answers to an offer that waits for this seat.

        Offering a draw and resigning are not moves that anyone waits for, and are not listed.
        """
        if state.outcome is not None:
            return
        if state.turn == seat:
            filled = state.stones[0] | state.stones[1]
            for column in range(state.board.columns):
                if state.board.landing(filled, column):
                    yield Drop(column)
        if state.offer == 1 - seat:
            yield AnswerDraw(True)
            yield AnswerDraw(False)

    def outcome(self, state: Position) -> Outcome | None:
        return state.outcome

    def leave(self, state: Position, seat: int) -> tuple[Event, ...]:
        return (Abandoned(seat),)

    def timer(self, state: Position) -> Timer | None:
        due_ms = _deadline_ms(state)
        return None if due_ms is None else Timer(due_ms, TimeUp(), waits_for=state.turn)

    def view(self, state: Position, seat: int | None) -> View:
        stones = grid(state)
        last = None
        if state.last_column is not None:
            top = next(n for n, row in enumerate(stones) if row[state.last_column])
            last = Spot(state.last_column, top)
        running = state.outcome is None
        return View(
            stones,
            state.board.length,
            turn=state.turn if running else None,
            last=last,
            line=() if running else _line(state),
            offer=state.offer if running else None,
            deadline_ms=_deadline_ms(state),
        )

    def picture(self, view: View) -> Picture:
        line = {(spot.row, spot.column) for spot in view.line}
        drops = {
            column: Drop(column)
            for column, stone in enumerate(view.board[0])
            if view.turn is not None and not stone
        }
        rows = tuple(
            tuple(
                Cell(
                    label=("", "●", "○")[stone],
                    tone="winning" if (row, column) in line else ("", "first", "second")[stone],
                    command=drops.get(column),
                )
                for column, stone in enumerate(stones)
            )
            for row, stones in enumerate(view.board)
        )
        caption = "The game is over." if view.turn is None else f"{'●○'[view.turn]} is to move."
        return Picture(rows, caption)


def grid(state: Position) -> Grid:
    """The board as a view shows it."""
    (first, second), places = state.stones, state.board.places
    return tuple(
        [
            tuple([1 if first & place else 2 if second & place else 0 for place in row])
            for row in places
        ]
    )


def _drop(state: Position, seat: int, column: int, at_ms: int) -> Dropped:
    if seat != state.turn:
        raise NotYourTurn
    if not 0 <= column < state.board.columns:
        raise NoSuchColumn
    if not state.board.landing(state.stones[0] | state.stones[1], column):
        raise ColumnFull
    return Dropped(seat, column, at_ms)


def _time_up(state: Position, command: Command, at_ms: int) -> TimedOut:
    if not isinstance(command, TimeUp):
        raise IllegalCommand
    due_ms = _deadline_ms(state)
    if due_ms is None or at_ms < due_ms:
        raise TimeNotUp
    return TimedOut(state.turn)


def _place(state: Position, event: Dropped) -> None:
    seat, board = event.seat, state.board
    mine, other = state.stones[seat], state.stones[1 - seat]
    mine |= board.landing(mine | other, event.column)
    state.stones = (other, mine) if seat else (mine, other)
    state.last_column = event.column
    state.moved_at_ms = event.at_ms
    state.turn = 1 - seat
    if state.offer == 1 - seat:
        state.offer = None
    # Only the stones of whoever moved can have become a line.
    if board.has_line(mine):
        state.outcome = Outcome((seat,), "line")
    elif mine | other == board.full:
        state.outcome = Outcome((), "board_full")


def _line(state: Position) -> tuple[Spot, ...]:
    board = state.board
    stones = board.in_lines(state.stones[0]) | board.in_lines(state.stones[1])
    return tuple(
        Spot(column, row)
        for row, places in enumerate(board.places)
        for column, place in enumerate(places)
        if stones & place
    )


def _deadline_ms(state: Position) -> int | None:
    if not state.move_ms or state.outcome is not None:
        return None
    return state.moved_at_ms + state.move_ms
