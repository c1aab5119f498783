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
* The move clock and resigning are as in `two_in_turn`.

A move after which the opponent has one stone and cannot move it either wins for the stone. A lost
position is never a repeated one, since it has ended the game the first time.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from gamehall.errors import Refused
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
    Options,
    Outcome,
    Picture,
    Start,
    copied,
)
from gamehall.games.two_in_turn import (
    Abandoned,
    InTurn,
    MoveSeconds,
    Resign,
    Resigned,
    TimedOut,
    TimeUp,
    TwoInTurn,
    clock_ms,
)

FEWEST = 2
"""Whoever has fewer stones has lost."""
DRAWN = 3
"""A position that is there for this time ends the game."""


# Refusals


class NoSuchPlace(Refused):
    message = "The board has no such place. They run from [0, 0] to [3, 3]."


class NotYourStone(Refused):
    message = "You have no stone on this place."


class NotAdjacent(Refused):
    message = "A stone moves by one place: up, down, left or right."


class PlaceTaken(Refused):
    message = "There is a stone on this place already."


# Commands


class Move(Command, frozen=True, rename={"from_": "from"}):
    from_: Place
    to: Place


# Events


class Moved(Event, frozen=True, rename={"from_": "from"}):
    seat: int
    from_: Place
    to: Place
    taken: tuple[Place, ...]
    """The opponent's stones that fell."""
    at_ms: int


class FourStoneOptions(Options, frozen=True):
    move_seconds: MoveSeconds = 0
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


class Position(InTurn):
    stones: tuple[int, int]
    times: dict[tuple[tuple[int, int], int], int]
    """How often stones and turn were as they are; what was before a stone fell never comes back,
    and is forgotten."""
    last: LastMove | None = None


class FourStone(TwoInTurn[Position]):
    name = "four-stone"
    title = "Four Stone"
    aliases = ("four_stone",)
    commands = (Move, Resign)
    timers = (TimeUp,)
    events = (Moved, Resigned, TimedOut, Abandoned)
    options = FourStoneOptions

    def start(self, start: Start) -> Position:
        move_ms = clock_ms(start.options.move_seconds)
        return Position(START, {(START, 0): 1}, move_ms=move_ms, moved_at_ms=start.at_ms)

    def fork(self, state: Position) -> Position:
        forked = copied(state)
        forked.times = dict(state.times)
        return forked

    def moves(self, state: Position, seat: int) -> Iterator[Move]:
        for source, target in moves(state.stones[seat], state.stones[1 - seat]):
            yield Move(*places(source), *places(target))

    def move(self, state: Position, seat: int, command: Move, context: Context) -> Moved:
        if not on_board(command.from_) or not on_board(command.to):
            raise NoSuchPlace
        own, enemy = state.stones[seat], state.stones[1 - seat]
        source, target = stone(command.from_), stone(command.to)
        if not own & source:
            raise NotYourStone
        if not adjacent(command.from_, command.to):
            raise NotAdjacent
        if (own | enemy) & target:
            raise PlaceTaken
        fallen = taken(own ^ source ^ target, enemy, target)
        return Moved(seat, command.from_, command.to, places(fallen), context.at_ms)

    def moved(self, state: Position, event: Moved) -> None:
        seat, opponent = event.seat, 1 - event.seat
        own = state.stones[seat] ^ stone(event.from_) ^ stone(event.to)
        enemy = state.stones[opponent] & ~sum(map(stone, event.taken))
        state.stones = (enemy, own) if seat else (own, enemy)
        state.last = LastMove(event.from_, event.to, event.taken)
        state.pass_turn(seat, event.at_ms)
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

    def view(self, state: Position, seat: int | None) -> View:
        fire, water = map(places, state.stones)
        stones = tuple(1 if place in fire else 2 if place in water else 0 for place in PLACES)
        return View(
            tuple(stones[n : n + SIZE] for n in range(0, SIZE**2, SIZE)),
            turn=state.to_move,
            last=state.last,
            times=state.times[state.stones, state.turn],
            deadline_ms=state.deadline_ms,
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
