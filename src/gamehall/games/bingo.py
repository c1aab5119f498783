"""Called Bingo with 75 balls: one card each, and whoever first completes a line and says so wins.

* A card has five columns of five numbers, B 1–15, I 16–30, N 31–45, G 46–60 and O 61–75, sorted
  within a column; the centre may be free. A line is a row, a column or a diagonal.
* `start` deals everyone at the table a new card. Who comes later waits for the next round.
* The next number is called when everyone still in the round is `ready`, not before a pause and not
  later than a time-out. Whoever is away is not waited for.
* A `claim` is judged by the card that was dealt and the numbers called so far. A true one ends the
  round; a false one costs nothing. After all 75 the round ends without a winner.
* Who leaves has lost. Cards and calls follow from the round's secret.

Being ready is noted and not journaled: after a restart everyone is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any

import msgspec

from gamehall.errors import IllegalCommand, Refused, RoundRunning
from gamehall.games.chance import Chance
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
    copied,
)

PLAYERS_MAX = 10_000
NUMBERS = 75
COLUMN = 15
"""How many numbers belong to each column."""
CENTRE = 12
"""Its place on a card."""
Card = tuple[int, ...]
"""25 numbers, column by column from the top; a free centre is 0."""


# Refusals


class NoRound(Refused):
    message = "No round is being played. Anyone at the table can start one."


class NoCard(Refused):
    message = "You have no card in this round. You will be dealt in at the next."


class NoBingo(Refused):
    message = "That is no bingo yet: no line of your card has been called in full."


# Commands


class Ready(Command, frozen=True):
    """Done with the last number."""


class Claim(Command, frozen=True):
    pass


class Deal(Command, frozen=True, tag="start"):
    """Starts a round."""


class Call(Command, frozen=True):
    """The next number is due."""


# Events


class Joined(Event, frozen=True):
    seat: int


class Parted(Event, frozen=True):
    seat: int


class CardsDealt(Event, frozen=True):
    """Each seat sees its own card; `count` is how many were dealt."""

    at_ms: int
    count: int
    cards: dict[int, Card]


class Called(Event, frozen=True):
    number: int
    at_ms: int


class BingoClaimed(Event, frozen=True):
    """It is true: the round is won."""

    seat: int


class AllCalled(Event, frozen=True):
    """Nobody has said anything; the round ends without a winner."""


class BingoOptions(Options, frozen=True):
    pause_seconds: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 1
    """The time between two numbers, at the least."""
    ready_seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 10
    """How long the slowest is waited for."""
    free_centre: bool = True


# State and views


class View(msgspec.Struct, frozen=True):
    playing: bool
    """Whether a round is on."""
    card: tuple[tuple[int, ...], ...] | None
    """One's own: five columns of five, B first; a free centre is 0. Null without one."""
    called: tuple[int, ...]
    players: int
    """How many are in the round."""
    ready: int
    """How many of them are done with the last number."""
    winner: int | None


class State(msgspec.Struct):
    options: BingoOptions
    seats: set[int]
    """Everyone at the table."""
    cards: dict[int, Card] = {}
    """As they were dealt; empty until a round starts."""
    playing: set[int] = set()
    """Who is still in the round."""
    owns_seats: bool = True
    answered: set[int] = set()
    """Who need not be waited for until the next number. What is noted, this and `away`, stands
    whatever becomes of a fork, so forks share it, and a note costs the same in any crowd: notes
    change it in place, events put a new one in its place."""
    away: set[int] = set()
    called: tuple[int, ...] = ()
    called_bits: int = 1
    """A bit for each number; that of the free centre, 0, is always set."""
    called_ms: int = 0
    how: str | None = None
    winner: int | None = None

    def own_seats(self) -> None:
        """Before someone comes or goes: forks share who is here until then."""
        if not self.owns_seats:
            self.seats = set(self.seats)
            self.playing = set(self.playing)
            self.owns_seats = True

    def has_bingo(self, seat: int) -> bool:
        """In a time that depends neither on the players nor on the numbers called."""
        card, called = self.cards[seat], self.called_bits
        return any(all(called >> card[place] & 1 for place in line) for line in lines(5))


class Bingo(Game[State]):
    name = "bingo"
    title = "Bingo"
    commands = (Ready, Claim, Deal)
    timers = (Call,)
    notes = (Ready,)
    events = (Joined, Parted, CardsDealt, Called, BingoClaimed, AllCalled)
    options = BingoOptions

    def seats(self, options: BingoOptions) -> Seats:
        return Seats(0, PLAYERS_MAX)

    def start(self, start: Start) -> State:
        return State(start.options, set(start.seats))

    # Deciding

    def decide(
        self, state: State, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        match command:
            case Deal() if seat is not None:
                if state.cards:
                    raise RoundRunning("A round is on. Wait for its end to start another.")
                free = state.options.free_centre
                cards = {n: dealt_card(context.chance, n, free) for n in sorted(state.seats)}
                return (CardsDealt(context.at_ms, len(cards), cards),)
            case Claim() if seat is not None:
                if not state.cards:
                    raise NoRound
                if seat not in state.playing:
                    raise NoCard
                if not state.has_bingo(seat):
                    raise NoBingo
                return (BingoClaimed(seat),)
            case Call() if seat is None and state.cards:
                if len(state.called) == NUMBERS:
                    return (AllCalled(),)
                order = context.chance.shuffled("calls", range(1, NUMBERS + 1))
                return (Called(order[len(state.called)], context.at_ms),)
        raise IllegalCommand

    def join(self, state: State, seat: int, context: Context) -> tuple[Event, ...]:
        return (Joined(seat),)

    def leave(self, state: State, seat: int) -> tuple[Event, ...]:
        return (Parted(seat),)

    # Recording

    def apply(self, state: State, event: Any) -> State:
        match event:
            case Joined(seat=seat):
                state.own_seats()
                state.seats.add(seat)
            case Parted(seat=seat):
                state.own_seats()
                state.seats.discard(seat)
                state.playing.discard(seat)
                state.answered = state.answered - {seat}
                state.away = state.away - {seat}
                if state.cards and not state.playing:
                    state.how = "abandoned"
            case CardsDealt(at_ms=at_ms, cards=cards):
                state.cards = cards
                state.playing = set(cards)
                state.called_ms = at_ms
                # Nothing was called that anyone could answer.
                state.answered = set(cards)
            case Called(number=number, at_ms=at_ms):
                state.called = (*state.called, number)
                state.called_bits |= 1 << number
                state.called_ms = at_ms
                state.answered = state.away & state.playing
            case BingoClaimed(seat=seat):
                state.how, state.winner = "bingo", seat
            case AllCalled():
                state.how = "all_called"
        return state

    def fork(self, state: State) -> State:
        forked = copied(state)
        forked.owns_seats = False
        return forked

    # What is only noted

    def note(self, state: State, seat: int, command: Any, at_ms: int) -> None:
        if seat in state.playing:
            state.answered.add(seat)

    def presence(self, state: State, seat: int, here: bool) -> None:
        if here:
            state.away.discard(seat)
        else:
            state.away.add(seat)
            if seat in state.playing:
                state.answered.add(seat)

    # What follows from a state

    def timer(self, state: State) -> Timer | None:
        if not state.cards or state.how is not None:
            return None
        all_ready = len(state.answered) >= len(state.playing)
        options = state.options
        seconds = options.pause_seconds
        if not all_ready:
            seconds = max(seconds, options.ready_seconds)
        return Timer(state.called_ms + round(seconds * 1000), Call())

    def outcome(self, state: State) -> Outcome | None:
        if state.how is None:
            return None
        winners = () if state.winner is None else (state.winner,)
        return Outcome(winners, state.how, again_ms=0)

    def took_part(self, state: State) -> Iterable[int]:
        return state.cards

    def legal(self, state: State, seat: int) -> Iterator[Command]:
        if state.how is not None:
            return
        if not state.cards:
            yield Deal()
        elif seat in state.playing:
            if state.called and seat not in state.answered:
                yield Ready()
            if state.has_bingo(seat):
                yield Claim()

    def view(self, state: State, seat: int | None) -> View:
        card = state.cards[seat] if seat in state.playing else None
        ready = len(state.answered) if state.called else 0
        return View(
            playing=bool(state.cards) and state.how is None,
            card=None if card is None else columns(card),
            called=state.called,
            players=len(state.playing),
            ready=ready,
            winner=state.winner,
        )

    def seen(self, event: Any, seat: int | None) -> Event | None:
        if not isinstance(event, CardsDealt):
            return event  # type: ignore[no-any-return]
        own = None if seat is None else event.cards.get(seat)
        cards = {} if seat is None or own is None else {seat: own}
        return CardsDealt(event.at_ms, event.count, cards)

    def insiders(self, event: Any) -> Iterable[int]:
        return event.cards if isinstance(event, CardsDealt) else ()

    def picture(self, view: Any) -> Picture:
        seen = msgspec.convert(view, View)
        called = set(seen.called)
        card = tuple(
            tuple(Cell(str(n or "★"), "called" if n in called or not n else "") for n in row)
            for row in zip(*(seen.card or ()), strict=True)
        )
        buttons: tuple[Cell, ...] = (Cell("READY", "", Ready()), Cell("BINGO", "", Claim()))
        last = f"called {seen.called[-1]}" if seen.called else "the cards are dealt"
        caption = f"{last}; {seen.players} players, {seen.ready} ready"
        if not seen.playing:
            buttons, caption = (Cell("START", "", Deal()),), "No round is on."
        elif not card:
            return Picture((), caption)
        blank = (Cell(),) * (len(card) - len(buttons))
        return Picture((*card, (*buttons, *blank)), caption)


def dealt_card(chance: Chance, seat: int, free_centre: bool) -> Card:
    """The card of a seat: five numbers of each column, drawn by their place among the rest."""
    places = iter(chance.below(f"card:{seat}", *[COLUMN - n for _ in range(5) for n in range(5)]))
    card: list[int] = []
    for first in range(1, NUMBERS + 1, COLUMN):
        left = list(range(first, first + COLUMN))
        card += sorted(left.pop(next(places)) for _ in range(5))
    if free_centre:
        card[CENTRE] = 0
    return tuple(card)


def columns(card: Card) -> tuple[tuple[int, ...], ...]:
    return tuple(card[n : n + 5] for n in range(0, 25, 5))


@cache
def lines(size: int) -> tuple[tuple[int, ...], ...]:
    """The places of each row, column and diagonal of a square board, in this order."""
    rows = [tuple(range(n, n + size)) for n in range(0, size**2, size)]
    columns = zip(*rows, strict=True)
    down = tuple(row[n] for n, row in enumerate(rows))
    up = tuple(row[-1 - n] for n, row in enumerate(rows))
    return (*rows, *columns, down, up)
