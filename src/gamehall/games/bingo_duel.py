"""Two-player Bingo: two boards with the same numbers in two orders, and one who completes more.

* Each of two seats has a board of N × N with the numbers from 1 to N². Seat 1, the second to come,
  begins. In turn they pick a number that was not picked yet, and it is marked on both boards.
* A line is a full row, column or diagonal. Whoever has at least N lines after a pick has won; both
  at once is a draw. The score is the number of lines.
* Who leaves or resigns has lost: the other scores N, and it N − 1 at most.
* The boards follow from the round's secret. Nobody sees the opponent's before the end; spectators
  of a rated game see of both only what was picked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, ClassVar

import msgspec

from gamehall.errors import Refused
from gamehall.games.bingo import lines
from gamehall.games.game import Cell, Command, Context, Event, Options, Outcome, Picture, Start
from gamehall.games.two_in_turn import Abandoned, InTurn, Resign, Resigned, TwoInTurn

Board = tuple[int, ...]
"""The numbers, row by row."""


# Refusals


class NoSuchNumber(Refused):
    message = "This number is not on the boards."


class AlreadyPicked(Refused):
    message = "This number was picked before."


# Commands


class Pick(Command, frozen=True):
    number: int


# Events


class BoardsDealt(Event, frozen=True):
    """Each seat sees its own board; the other is empty then."""

    boards: tuple[Board, Board]
    hidden: bool = False
    """Whether spectators may not see them before the end."""


class Picked(Event, frozen=True):
    seat: int
    number: int


class BingoDuelOptions(Options, frozen=True):
    size: Annotated[int, msgspec.Meta(ge=3, le=20)] = 7
    """How many rows and columns the boards have."""


# What a seat sees


class Side(msgspec.Struct, frozen=True):
    """One board, as the viewer may see it."""

    board: tuple[tuple[int, ...], ...]
    """Rows from the top; 0 is a number that one may not see."""
    lines: int | None
    """How many are full; null on the board of an opponent."""


class View(msgspec.Struct, frozen=True):
    size: int
    turn: int | None
    picked: tuple[int, ...]
    """In the order in which they were picked."""
    sides: tuple[Side, Side]
    """By seat."""
    seat: int | None
    """Whose view it is; null is a spectator's."""


class State(InTurn):
    size: int
    rated: bool
    boards: tuple[Board, Board] | None = None
    places: tuple[dict[int, int], dict[int, int]] = ({}, {})
    """For each board, where a number lies."""
    marks: tuple[int, int] = (0, 0)
    """For each board, a bit for each marked place."""
    picked: tuple[int, ...] = ()

    def lines(self, seat: int) -> int:
        return sum(1 for line in line_masks(self.size) if self.marks[seat] & line == line)


class BingoDuel(TwoInTurn[State]):
    name = "bingo-duel"
    title = "Two-player Bingo"
    commands = (Pick, Resign)
    events = (BoardsDealt, Picked, Resigned, Abandoned)
    options = BingoDuelOptions
    lost_by: ClassVar = {Resigned: "resigned", Abandoned: "abandoned"}

    def start(self, start: Start) -> State:
        return State(start.options.size, start.rated, turn=1)

    def begin(self, state: State, context: Context) -> tuple[Event, ...]:
        numbers = range(1, state.size**2 + 1)
        first, second = (tuple(context.chance.shuffled(f"board:{n}", numbers)) for n in (0, 1))
        return (BoardsDealt((first, second), state.rated),)

    def moves(self, state: State, seat: int) -> Iterator[Pick]:
        picked = set(state.picked)
        return (Pick(n) for n in range(1, state.size**2 + 1) if n not in picked)

    def move(self, state: State, seat: int, command: Pick, context: Context) -> Picked:
        if not 1 <= command.number <= state.size**2:
            raise NoSuchNumber
        if command.number in state.picked:
            raise AlreadyPicked
        return Picked(seat, command.number)

    def moved(self, state: State, event: BoardsDealt | Picked) -> None:
        if isinstance(event, BoardsDealt):
            first, second = state.boards = event.boards
            state.places = (_places(first), _places(second))
            return
        state.picked = (*state.picked, event.number)
        number = event.number
        marked = [1 << places[number] if number in places else 0 for places in state.places]
        state.marks = (state.marks[0] | marked[0], state.marks[1] | marked[1])
        state.pass_turn(event.seat)
        scores = self.points(state)
        winners = tuple(seat for seat in (0, 1) if scores[seat] >= state.size)
        if len(winners) == 2:
            state.outcome = Outcome((), "draw", scores)
        elif winners:
            state.outcome = Outcome(winners, "bingo", scores)

    def defeat(self, state: State, loser: int, reason: str) -> Outcome:
        scores = {1 - loser: state.size, loser: min(state.lines(loser), state.size - 1)}
        return Outcome((1 - loser,), reason, dict(sorted(scores.items())))

    def view(self, state: State, seat: int | None) -> View:
        first, second = (self._side(state, n, seat) for n in (0, 1))
        return View(state.size, state.to_move, state.picked, (first, second), seat)

    def _side(self, state: State, side: int, viewer: int | None) -> Side:
        size, over = state.size, state.outcome is not None
        if state.boards is None or not (over or viewer in (None, side)):
            return Side(_rows((0,) * size**2, size), None)
        board = state.boards[side]
        if viewer is None and state.rated and not over:
            picked = set(state.picked)
            board = tuple(n if n in picked else 0 for n in board)
        return Side(_rows(board, size), state.lines(side))

    def seen(self, event: Any, seat: int | None) -> Event | None:
        if not isinstance(event, BoardsDealt):
            return event  # type: ignore[no-any-return]
        if seat is None:
            return BoardsDealt(((), ()), True) if event.hidden else event
        own = event.boards[seat]
        return BoardsDealt((own, ()) if seat == 0 else ((), own), event.hidden)

    def insiders(self, event: Any) -> tuple[int, ...]:
        return (0, 1) if isinstance(event, BoardsDealt) else ()

    def points(self, state: State) -> dict[int, int]:
        return {0: state.lines(0), 1: state.lines(1)}

    def picture(self, view: Any) -> Picture:
        seen = msgspec.convert(view, View)
        side = seen.sides[seen.seat or 0]
        picked = set(seen.picked)
        rows = tuple(
            tuple(
                Cell(str(n or ""), "picked" if n in picked else "", Pick(n) if n else None)
                for n in row
            )
            for row in side.board
        )
        turn = "over" if seen.turn is None else f"seat {seen.turn} to pick"
        return Picture(rows, f"{side.lines or 0} of {seen.size} lines; {turn}")


@cache
def line_masks(size: int) -> tuple[int, ...]:
    """Rows, columns and diagonals, a bit for each place."""
    return tuple(sum(1 << place for place in line) for line in lines(size))


def _places(board: Board) -> dict[int, int]:
    return {number: place for place, number in enumerate(board)}


def _rows(board: Board, size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(board[row * size : (row + 1) * size] for row in range(size))
