"""Sic Bo: three dice, and everyone bets on whether they make much or little.

* A round opens by itself and takes bets for a while. Whoever bets is seated with that bet; betting
  on both sides, and several times, is allowed.
* Betting closes, a moment later the dice are rolled: a sum of 11 to 17 is BIG, 4 to 10 is SMALL,
  and with 3 or 18 every bet loses.
* A winning bet is paid back twofold. The stakes lie in the round's pot until then, and the house
  takes what is over or adds what is short.
* The dice follow from the round's secret alone, which was committed to before the first bet.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Annotated, Any, Literal

import msgspec

from gamehall.errors import IllegalCommand, Refused, TooMany
from gamehall.games.game import (
    Cell,
    Command,
    Context,
    Event,
    Game,
    Options,
    Outcome,
    Payment,
    Picture,
    Seats,
    Start,
    Timer,
)

Side = Literal["BIG", "SMALL"]
Result = Literal["BIG", "SMALL", "NONE"]
Status = Literal["BETTING_OPEN", "BETTING_CLOSE", "FINISH"]

SIDES: tuple[Side, ...] = ("BIG", "SMALL")
CHIPS = (10_000, 20_000, 30_000, 40_000, 50_000, 60_000)
"""What clients offer to bet with; any whole number of chips may be bet."""
BETTORS_MAX = 10_000
BETS_MAX = 1000
"""Bets of one seat in one round."""
HISTORY_MAX = 60
ROUND_BETS_MAX = 100_000
"""Bets of one round: what is paid for all of them is one event."""
_DAY_SECONDS = 24 * 3600


# Refusals


class BetWindowClosed(Refused):
    code = "bet_window_closed"
    message = "This round takes no more bets. Wait for the next one."


class RoundNotFound(Refused):
    code = "round_not_found"
    message = "There is no such round at this table."


class InvalidAmount(Refused):
    code = "invalid_amount"
    message = "A bet is a whole number of chips, at least 1."


# Commands


class Bet(Command, frozen=True):
    side: Side
    amount: int
    round: int | None = None
    """The round that is meant; None is the one now open."""


class CloseBetting(Command, frozen=True):
    """The betting time is over."""


class Reveal(Command, frozen=True):
    """The dice are rolled, and everyone is paid."""


# Events


class Tally(msgspec.Struct, frozen=True, gc=False):
    """Who has bet how much, all in all; one who is on both sides counts once in `players`."""

    big: int = 0
    small: int = 0
    players: int = 0
    players_big: int = 0
    players_small: int = 0


class Stake(msgspec.Struct, frozen=True, gc=False):
    """What one seat has on each side."""

    big: int = 0
    small: int = 0


class BetPlaced(Event, frozen=True):
    seat: int
    bet: int
    """Its number: no two bets of a table share one."""
    side: Side
    amount: int
    stake: Stake
    """The seat's own, with this bet."""
    tally: Tally
    """Everyone's, with this bet."""


class BettingClosed(Event, frozen=True):
    at_ms: int
    tally: Tally


class Rolled(Event, frozen=True):
    dice: tuple[int, int, int]
    sum: int
    result: Result


class Paid(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a bet has brought: nothing, or twice its amount."""

    bet: int
    chips: int


class Settled(Event, frozen=True):
    """Every bet is paid. Each seat sees its own alone."""

    payouts: dict[int, tuple[Paid, ...]]


class SicBoOptions(Options, frozen=True):
    betting_seconds: Annotated[float, msgspec.Meta(gt=0, le=_DAY_SECONDS)] = 30
    reveal_seconds: Annotated[float, msgspec.Meta(ge=0, le=_DAY_SECONDS)] = 3
    pause_seconds: Annotated[float, msgspec.Meta(ge=0, le=_DAY_SECONDS)] = 5
    bet_max: Annotated[int, msgspec.Meta(ge=1, le=10**12)] = 1_000_000


# State and views


class PlacedBet(msgspec.Struct, frozen=True, gc=False):
    bet: int
    side: Side
    amount: int
    paid: int | None = None
    """What it brought, once that is known."""


class Bettor(msgspec.Struct, frozen=True, gc=False):
    stake: Stake
    bets: tuple[PlacedBet, ...]


class PastRound(msgspec.Struct, frozen=True, gc=False):
    round: int
    open_ms: int
    close_ms: int
    tally: Tally
    dice: tuple[int, int, int]
    sum: int
    result: Result


class View(msgspec.Struct, frozen=True):
    round: int
    status: Status
    open_ms: int
    close_ms: int
    tally: Tally
    dice: tuple[int, ...]
    """Empty until they are rolled."""
    sum: int
    result: Result | None
    bet_max: int
    chips: tuple[int, ...]
    """What one may comfortably bet."""
    stake: Stake
    """One's own, as are `bets`."""
    bets: tuple[PlacedBet, ...]
    history: tuple[PastRound, ...]
    """The last rounds before this one, oldest first."""


class Carry(msgspec.Struct, frozen=True):
    bets: int
    """How many bets the table has ever taken."""
    history: tuple[PastRound, ...]


class State(msgspec.Struct):
    options: SicBoOptions
    round: int
    open_ms: int
    close_ms: int
    bets: int
    bets_before: int
    history: tuple[PastRound, ...]
    status: Status = "BETTING_OPEN"
    reveal_ms: int = 0
    tally: Tally = Tally()
    bettors: dict[int, Bettor] = {}
    owns_bettors: bool = True
    rolled: Rolled | None = None

    def own_bettors(self) -> dict[int, Bettor]:
        """Before one changes: forks share them until one of them changes."""
        if not self.owns_bettors:
            self.bettors = dict(self.bettors)
            self.owns_bettors = True
        return self.bettors


class SicBo(Game[State]):
    name = "sicbo"
    title = "Sic Bo"
    commands = (Bet,)
    timers = (CloseBetting, Reveal)
    events = (BetPlaced, BettingClosed, Rolled, Settled)
    options = SicBoOptions

    def seats(self, options: SicBoOptions) -> Seats:
        return Seats(0, BETTORS_MAX, kept=False)

    def start(self, start: Start) -> State:
        options: SicBoOptions = start.options
        carry = Carry(0, ()) if start.carry is None else msgspec.convert(start.carry, Carry)
        close_ms = start.at_ms + _ms(options.betting_seconds)
        return State(
            options,
            start.round,
            start.at_ms,
            close_ms,
            carry.bets,
            carry.bets,
            carry.history,
        )

    # Deciding

    def decide(
        self, state: State, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if seat is not None:
            if isinstance(command, Bet):
                return self._bet(state, seat, command, context.at_ms)
        elif isinstance(command, CloseBetting) and state.status == "BETTING_OPEN":
            return (BettingClosed(context.at_ms, state.tally),)
        elif isinstance(command, Reveal) and state.status == "BETTING_CLOSE":
            return self._reveal(state, context)
        raise IllegalCommand

    def _bet(self, state: State, seat: int, bet: Bet, at_ms: int) -> tuple[Event, ...]:
        if bet.round is not None and not 1 <= bet.round <= state.round:
            raise RoundNotFound
        # By the clock too: after a stop, bets may come in before the timer that was due.
        closed = state.status != "BETTING_OPEN" or at_ms >= state.close_ms
        if closed or bet.round not in (None, state.round):
            raise BetWindowClosed
        if bet.amount < 1:
            raise InvalidAmount
        bet_max = state.options.bet_max
        if bet.amount > bet_max:
            raise InvalidAmount(f"At this table a bet is at most {bet_max} chips.")
        before = state.bettors.get(seat)
        if before is not None and len(before.bets) >= BETS_MAX:
            raise TooMany(f"You have placed {BETS_MAX} bets in this round, which is all it takes.")
        if state.bets - state.bets_before >= ROUND_BETS_MAX:
            raise TooMany("This round has all the bets that it takes. Wait for the next one.")
        own = Stake() if before is None else before.stake
        big, small = (bet.amount, 0) if bet.side == "BIG" else (0, bet.amount)
        stake = Stake(own.big + big, own.small + small)
        all = state.tally
        tally = Tally(
            all.big + big,
            all.small + small,
            all.players + (before is None),
            all.players_big + (own.big == 0 < big),
            all.players_small + (own.small == 0 < small),
        )
        return (BetPlaced(seat, state.bets + 1, bet.side, bet.amount, stake, tally),)

    def _reveal(self, state: State, context: Context) -> tuple[Event, ...]:
        first, second, third = (n + 1 for n in context.chance.below("dice", 6, 6, 6))
        total = first + second + third
        result: Result = "NONE" if total in (3, 18) else "BIG" if total > 10 else "SMALL"
        rolled = Rolled((first, second, third), total, result)
        if not state.bettors:
            return (rolled,)
        payouts = {
            seat: tuple(
                [Paid(bet.bet, 2 * bet.amount if bet.side == result else 0) for bet in bettor.bets]
            )
            for seat, bettor in state.bettors.items()
        }
        return (rolled, Settled(payouts))

    # Recording

    def apply(self, state: State, event: Any) -> State:
        match event:
            case BetPlaced():
                bettors = state.own_bettors()
                known = bettors.get(event.seat)
                bets = () if known is None else known.bets
                placed = PlacedBet(event.bet, event.side, event.amount)
                bettors[event.seat] = Bettor(event.stake, (*bets, placed))
                state.tally = event.tally
                state.bets = event.bet
            case BettingClosed():
                state.status = "BETTING_CLOSE"
                state.reveal_ms = event.at_ms + _ms(state.options.reveal_seconds)
            case Rolled():
                state.status = "FINISH"
                state.rolled = event
            case Settled():
                bettors = state.own_bettors()
                for seat, payouts in event.payouts.items():
                    bettors[seat] = _paid(bettors[seat], payouts)
        return state

    def fork(self, state: State) -> State:
        forked = copy(state)
        forked.owns_bettors = False
        return forked

    def money(self, state: State, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, BetPlaced):
            return (Payment(event.seat, "pot", event.amount),)
        if not isinstance(event, Settled):
            return ()
        won = {seat: sum([paid.chips for paid in each]) for seat, each in event.payouts.items()}
        payments = [Payment("pot", seat, chips) for seat, chips in won.items() if chips]
        over = state.tally.big + state.tally.small - sum(won.values())
        if over > 0:
            payments.append(Payment("pot", "house", over))
        elif over < 0:
            payments.insert(0, Payment("house", "pot", -over))
        return tuple(payments)

    # What follows from a state

    def legal(self, state: State, seat: int) -> Iterator[Command]:
        bettor = state.bettors.get(seat)
        full = bettor is not None and len(bettor.bets) >= BETS_MAX
        if state.status == "BETTING_OPEN" and not full:
            for side in SIDES:
                for chips in _chips(state.options):
                    yield Bet(side, chips, state.round)

    def view(self, state: State, seat: int | None) -> View:
        bettor = None if seat is None else state.bettors.get(seat)
        rolled = state.rolled
        return View(
            state.round,
            state.status,
            state.open_ms,
            state.close_ms,
            state.tally,
            () if rolled is None else rolled.dice,
            0 if rolled is None else rolled.sum,
            None if rolled is None else rolled.result,
            state.options.bet_max,
            _chips(state.options),
            Stake() if bettor is None else bettor.stake,
            () if bettor is None else bettor.bets,
            state.history,
        )

    def seen(self, event: Any, seat: int | None) -> Event | None:
        # Thousands bet: nobody could follow every bet, and views have the totals.
        if isinstance(event, BetPlaced):
            return event if seat == event.seat else None
        if isinstance(event, Settled):
            own = None if seat is None else event.payouts.get(seat)
            return None if seat is None or own is None else Settled({seat: own})
        return event  # type: ignore[no-any-return]

    def glance(self, state: State) -> dict[str, Any]:
        return {"tally": state.tally}

    def insiders(self, event: Any) -> tuple[int, ...]:
        if isinstance(event, BetPlaced):
            return (event.seat,)
        return tuple(event.payouts) if isinstance(event, Settled) else ()

    def timer(self, state: State) -> Timer | None:
        if state.status == "BETTING_OPEN":
            return Timer(state.close_ms, CloseBetting())
        return Timer(state.reveal_ms, Reveal()) if state.status == "BETTING_CLOSE" else None

    def outcome(self, state: State) -> Outcome | None:
        if state.rolled is None:
            return None
        # Never at once: whoever is told the end still finds its round there.
        pause_ms = max(1, _ms(state.options.pause_seconds))
        return Outcome((), state.rolled.result.lower(), again_ms=pause_ms)

    def leave(self, state: State, seat: int) -> tuple[Event, ...]:
        return ()  # The bets stand.

    def join(self, state: State, seat: int, context: Context) -> tuple[Event, ...]:
        return ()

    def carry(self, state: State) -> Carry:
        rolled = state.rolled
        if rolled is None:
            return Carry(state.bets, state.history)  # The round was called off.
        past = PastRound(
            state.round,
            state.open_ms,
            state.close_ms,
            state.tally,
            rolled.dice,
            rolled.sum,
            rolled.result,
        )
        return Carry(state.bets, (*state.history, past)[-HISTORY_MAX:])

    def picture(self, view: Any) -> Picture:
        seen = msgspec.convert(view, View)
        takes_bets = seen.status == "BETTING_OPEN"
        rows = tuple(
            (
                Cell(f"{side} {seen.tally.big if side == 'BIG' else seen.tally.small}", side),
                *(
                    Cell(str(chips), side, Bet(side, chips, seen.round) if takes_bets else None)
                    for chips in seen.chips
                ),
            )
            for side in SIDES
        )
        dice = " ".join(map(str, seen.dice))
        said = f"{dice} = {seen.sum}: {seen.result}" if seen.dice else seen.status
        return Picture(rows, f"Round {seen.round}: {said}. Play money.")


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _chips(options: SicBoOptions) -> tuple[int, ...]:
    return tuple(c for c in CHIPS if c <= options.bet_max) or (options.bet_max,)


def _paid(bettor: Bettor, payouts: tuple[Paid, ...]) -> Bettor:
    chips = {paid.bet: paid.chips for paid in payouts}
    bets = [PlacedBet(b.bet, b.side, b.amount, chips.get(b.bet)) for b in bettor.bets]
    return Bettor(bettor.stake, tuple(bets))
