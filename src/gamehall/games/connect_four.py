"""Connect Four, on boards of any size: who first has a line of stones wins.

* Seat 0 begins. The seats take turns dropping a stone into a column that has room.
* The move clock, draw offers and resigning are as in `two_in_turn`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from gamehall.errors import BadOptions, Refused
from gamehall.games.drop_board import DropBoard, drop_board
from gamehall.games.game import (
    Cell,
    Command,
    Context,
    Event,
    Options,
    Outcome,
    Picture,
    Seats,
    Start,
)
from gamehall.games.two_in_turn import (
    Abandoned,
    AnswerDraw,
    DrawAnswered,
    DrawOffered,
    InTurn,
    MoveSeconds,
    OfferDraw,
    Resign,
    Resigned,
    TimedOut,
    TimeUp,
    TwoInTurn,
    clock_ms,
)

# Refusals


class NoSuchColumn(Refused):
    message = "The board has no such column. The leftmost is 0."


class ColumnFull(Refused):
    message = "This column is full."


# Commands


class Drop(Command, frozen=True):
    column: int


# Events


class Dropped(Event, frozen=True):
    seat: int
    column: int
    at_ms: int


class ConnectFourOptions(Options, frozen=True):
    columns: Annotated[int, msgspec.Meta(ge=3, le=12)] = 7
    rows: Annotated[int, msgspec.Meta(ge=3, le=12)] = 6
    length: Annotated[int, msgspec.Meta(ge=3, le=12)] = 4
    """How many stones make a line."""
    move_seconds: MoveSeconds = 0
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


class Position(InTurn, gc=False):
    """Where a game stands. No field is changed in place, so a shallow copy is a fork."""

    board: DropBoard
    stones: tuple[int, int] = (0, 0)
    last_column: int | None = None


class ConnectFour(TwoInTurn[Position]):
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
        board = drop_board(options.columns, options.rows, options.length)
        return Position(board, move_ms=clock_ms(options.move_seconds), moved_at_ms=start.at_ms)

    def moves(self, state: Position, seat: int) -> Iterator[Drop]:
        filled = state.stones[0] | state.stones[1]
        for column in range(state.board.columns):
            if state.board.landing(filled, column):
                yield Drop(column)

    def move(self, state: Position, seat: int, command: Drop, context: Context) -> Dropped:
        if not 0 <= command.column < state.board.columns:
            raise NoSuchColumn
        if not state.board.landing(state.stones[0] | state.stones[1], command.column):
            raise ColumnFull
        return Dropped(seat, command.column, context.at_ms)

    def moved(self, state: Position, event: Dropped) -> None:
        seat, board = event.seat, state.board
        mine, other = state.stones[seat], state.stones[1 - seat]
        mine |= board.landing(mine | other, event.column)
        state.stones = (other, mine) if seat else (mine, other)
        state.last_column = event.column
        state.pass_turn(seat, event.at_ms)
        # Only the stones of whoever moved can have become a line.
        if board.has_line(mine):
            state.outcome = Outcome((seat,), "line")
        elif mine | other == board.full:
            state.outcome = Outcome((), "board_full")

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
            turn=state.to_move,
            last=last,
            line=() if running else _line(state),
            offer=state.offer if running else None,
            deadline_ms=state.deadline_ms,
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


def next_mover(board: Grid) -> int:
    """The seat whose stone comes next, if the game goes on."""
    return sum(stone > 0 for row in board for stone in row) % 2


def last_mover(board: Grid) -> int:
    """The seat whose stone came last; on an empty board the one that begins."""
    return 1 - next_mover(board) if any(board[-1]) else 0


def after_each(drops: Sequence[Dropped], board: Grid) -> list[Grid]:
    """The board after each of the drops; it is given as it is after the last."""
    boards = [board]
    for event in reversed(drops[1:]):
        rows = [list(row) for row in boards[-1]]
        # It lies on top of its column.
        next(row for row in rows if row[event.column])[event.column] = 0
        boards.append(tuple(map(tuple, rows)))
    return boards[::-1]


def _line(state: Position) -> tuple[Spot, ...]:
    board = state.board
    stones = board.in_lines(state.stones[0]) | board.in_lines(state.stones[1])
    return tuple(
        Spot(column, row)
        for row, places in enumerate(board.places)
        for column, place in enumerate(places)
        if stones & place
    )


def stones_of(view: View, seat: int) -> int:
    """The stones of a seat, as `drop_board` has them."""
    places = board_of(view).places
    return sum(
        place
        for row, stones in zip(places, view.board, strict=True)
        for place, stone in zip(row, stones, strict=True)
        if stone == seat + 1
    )


def board_of(view: View) -> DropBoard:
    return drop_board(len(view.board[0]), len(view.board), view.length)
