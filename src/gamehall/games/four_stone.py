"""Four Stone: two rows of four stones on a board of 4 × 4, and each tries to take the other's.

* Seat 0, called fire, has the lowest row and begins; seat 1, called water, has the uppermost. A
  place is `[x, y]`, y downwards.
* A move takes one own stone to a free place beside, above or below it. Then stones may fall: the
  row and the column of the stone that moved are read from both ends, and where the four places are
  *own, own, enemy, no enemy* or *no enemy, own, own, enemy*, that enemy is taken. "No enemy" is an
  empty place or an own stone; "own" is whoever moved, so nobody loses a stone by moving it.
* Whoever has one stone left, or none, has lost. So has a player who is to move and cannot.
* A position that is there for the third time, with the same seat to move, is a draw. The first
  position of a game counts.
* A seat may resign at any time.
* With a move clock, a seat loses when `TimeUp` is recorded before its move. A move that comes first
  counts, even a late one: after a restart players are given time to come back.

A move after which the opponent has one stone and cannot move it either wins for the stone. A lost
position is never a repeated one, since it has ended the game the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Annotated, Any

import msgspec

from gamehall.errors import IllegalCommand, NotYourTurn, Refused, RoundOver, TimeNotUp
from gamehall.games.four_stone_board import (
    PLACES,
    SIZE,
    START,
    Place,
    adjacent,
    moves,
    on_board,
    places,
    stone,
    taken,
)
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

FEWEST = 2
"""Whoever has fewer stones has lost."""
DRAWN = 3
"""A position that is there for this time ends the game."""


# Refusals


class NoSuchPlace(Refused):
    code = "no_such_place"
    message = "The board has no such place. They run from [0, 0] to [3, 3]."


class NotYourStone(Refused):
    code = "not_your_stone"
    message = "You have no stone on this place."


class NotAdjacent(Refused):
    code = "not_adjacent"
    message = "A stone moves by one place: up, down, left or right."


class PlaceTaken(Refused):
    code = "place_taken"
    message = "There is a stone on this place already."


# Commands


class Move(Command, frozen=True, rename={"from_": "from"}):
    from_: Place
    to: Place


class Resign(Command, frozen=True):
    pass


class TimeUp(Command, frozen=True):
    """Sent by the move clock."""


# Events


class Moved(Event, frozen=True, rename={"from_": "from"}):
    seat: int
    from_: Place
    to: Place
    taken: tuple[Place, ...]
    """The opponent's stones that fell."""
    at_ms: int


class Resigned(Event, frozen=True):
    seat: int


class TimedOut(Event, frozen=True):
    seat: int


class Abandoned(Event, frozen=True):
    """The seat was given up while the game ran."""

    seat: int


class FourStoneOptions(Options, frozen=True):
    move_seconds: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0
    """The time for each move; 0 is no clock."""


# What a seat sees


class LastMove(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    from_: Place
    to: Place
    taken: tuple[Place, ...]


class View(msgspec.Struct, frozen=True):
    board: tuple[tuple[int, ...], ...]
    """Rows from the top; 0 is empty, 1 a stone of seat 0, 2 one of seat 1."""
    turn: int | None
    """The seat that is to move; None when the game is over."""
    last: LastMove | None
    times: int
    """How often this position has been there by now; the third time is a draw."""
    deadline_ms: int | None


class Position(msgspec.Struct):
    """Where a game stands."""

    move_ms: int
    moved_at_ms: int
    """When the clock of this move began to run."""
    stones: tuple[int, int]
    turn: int
    times: dict[tuple[tuple[int, int], int], int]
    """How often stones and turn were as they are; what was before a stone fell never comes back,
    and is forgotten."""
    last: LastMove | None = None
    outcome: Outcome | None = None


class FourStone(Game[Position]):
    name = "four-stone"
    title = "Four Stone"
    aliases = ("four_stone",)
    commands = (Move, Resign)
    timers = (TimeUp,)
    events = (Moved, Resigned, TimedOut, Abandoned)
    options = FourStoneOptions

    def seats(self, options: FourStoneOptions) -> Seats:
        return Seats(2, 2)

    def start(self, start: Start) -> Position:
        seconds = start.options.move_seconds
        # A clock of less than a millisecond is still a clock.
        move_ms = max(1, round(seconds * 1000)) if seconds else 0
        return Position(move_ms, start.at_ms, START, turn=0, times={(START, 0): 1})

    def fork(self, state: Position) -> Position:
        forked = copy(state)
        forked.times = dict(state.times)
        return forked

    def decide(
        self, state: Position, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if state.outcome is not None:
            raise RoundOver
        if seat is None:
            return (_time_up(state, command, context.at_ms),)
        match command:
            case Move():
                return (_move(state, seat, command, context.at_ms),)
            case Resign():
                return (Resigned(seat),)
        raise IllegalCommand

    def apply(self, state: Position, event: Any) -> Position:
        match event:
            case Moved():
                _record(state, event)
            case Resigned():
                state.outcome = Outcome((1 - event.seat,), "resigned")
            case TimedOut():
                state.outcome = Outcome((1 - event.seat,), "time")
            case Abandoned():
                state.outcome = Outcome((1 - event.seat,), "left")
        return state

    def legal(self, state: Position, seat: int) -> Iterator[Command]:
        """The moves of the seat to move; resigning is no move that anyone waits for."""
        if state.outcome is not None or state.turn != seat:
            return
        for source, target in moves(state.stones[seat], state.stones[1 - seat]):
            yield Move(*places(source), *places(target))

    def outcome(self, state: Position) -> Outcome | None:
        return state.outcome

    def leave(self, state: Position, seat: int) -> tuple[Event, ...]:
        return (Abandoned(seat),)

    def timer(self, state: Position) -> Timer | None:
        due_ms = _deadline_ms(state)
        return None if due_ms is None else Timer(due_ms, TimeUp(), waits_for=state.turn)

    def view(self, state: Position, seat: int | None) -> View:
        fire, water = map(places, state.stones)
        stones = tuple(1 if place in fire else 2 if place in water else 0 for place in PLACES)
        return View(
            tuple(stones[n : n + SIZE] for n in range(0, SIZE**2, SIZE)),
            turn=state.turn if state.outcome is None else None,
            last=state.last,
            times=state.times[state.stones, state.turn],
            deadline_ms=_deadline_ms(state),
        )

    def picture(self, view: View) -> Picture:
        """The places, and between two of them an arrow where a stone can move from one to the
        other, so that one click is a move."""
        arrows = {} if view.turn is None else _arrows(view, view.turn)
        rows = tuple(
            tuple(
                arrows.get((column, row), Cell(" "))
                if column % 2 or row % 2
                else _STONES[view.board[row // 2][column // 2]]
                for column in range(2 * SIZE - 1)
            )
            for row in range(2 * SIZE - 1)
        )
        if view.turn is None:
            return Picture(rows, "The game is over.")
        return Picture(rows, ("● (fire)", "○ (water)")[view.turn] + " is to move.")


_STONES = (Cell(), Cell("●", "first"), Cell("○", "second"))


def _arrows(view: View, seat: int) -> dict[tuple[int, int], Cell]:
    """The moves of a seat, by column and row of the picture; only one is possible between two
    places."""
    own, enemy = stones_of(view, seat), stones_of(view, 1 - seat)
    arrows = {}
    for source, target in moves(own, enemy):
        (from_,), (to,) = places(source), places(target)
        right, down = to[0] - from_[0], to[1] - from_[1]
        label = {(1, 0): "→", (-1, 0): "←", (0, 1): "↓", (0, -1): "↑"}[right, down]
        arrows[from_[0] + to[0], from_[1] + to[1]] = Cell(label, "move", Move(from_, to))
    return arrows


def stones_of(view: View, seat: int) -> int:
    """The stones of a seat, as `four_stone_board` has them."""
    return sum(stone((x, y)) for x, y in PLACES if view.board[y][x] == seat + 1)


def _move(state: Position, seat: int, move: Move, at_ms: int) -> Moved:
    if seat != state.turn:
        raise NotYourTurn
    if not on_board(move.from_) or not on_board(move.to):
        raise NoSuchPlace
    own, enemy = state.stones[seat], state.stones[1 - seat]
    source, target = stone(move.from_), stone(move.to)
    if not own & source:
        raise NotYourStone
    if not adjacent(move.from_, move.to):
        raise NotAdjacent
    if (own | enemy) & target:
        raise PlaceTaken
    fallen = taken(own ^ source ^ target, enemy, target)
    return Moved(seat, move.from_, move.to, places(fallen), at_ms)


def _time_up(state: Position, command: Command, at_ms: int) -> TimedOut:
    if not isinstance(command, TimeUp):
        raise IllegalCommand
    due_ms = _deadline_ms(state)
    if due_ms is None or at_ms < due_ms:
        raise TimeNotUp
    return TimedOut(state.turn)


def _record(state: Position, event: Moved) -> None:
    seat, opponent = event.seat, 1 - event.seat
    own = state.stones[seat] ^ stone(event.from_) ^ stone(event.to)
    enemy = state.stones[opponent] & ~sum(map(stone, event.taken))
    state.stones = (enemy, own) if seat else (own, enemy)
    state.turn = opponent
    state.last = LastMove(event.from_, event.to, event.taken)
    state.moved_at_ms = event.at_ms
    if event.taken:
        state.times = {}
    position = (state.stones, state.turn)
    state.times[position] = state.times.get(position, 0) + 1
    if enemy.bit_count() < FEWEST:
        state.outcome = Outcome((seat,), "one_stone")
    elif not moves(enemy, own):
        state.outcome = Outcome((seat,), "no_move")
    elif state.times[position] == DRAWN:
        state.outcome = Outcome((), "repetition")


def _deadline_ms(state: Position) -> int | None:
    if not state.move_ms or state.outcome is not None:
        return None
    return state.moved_at_ms + state.move_ms
