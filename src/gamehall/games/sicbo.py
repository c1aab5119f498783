"""Sic Bo: three dice, and everyone bets on what they will show.

* A round opens by itself and takes bets for a while. Whoever bets is seated with that bet; betting
  on several sides, and several times, is allowed. `sicbo_layout.py` has the sides and their odds.
* Betting closes, and a moment later the dice are rolled.
* A winning stake comes back with its odds. The stakes lie in the round's pot until then, and the
  house takes what is over or adds what is short.
* The dice follow from the round's secret alone, which was committed to before the first bet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec

from gamehall.errors import IllegalCommand, TooMany
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
    copied,
)
from gamehall.games.sicbo_betting import (
    NO_STAKE,
    NO_TALLY,
    NOTHING,
    Bettor,
    Carry,
    OnSide,
    PastRound,
    PlacedBet,
    Stake,
    Status,
    Tally,
    View,
    with_bet,
)
from gamehall.games.sicbo_events import (
    BETS_MAX,
    Bet,
    BetPlaced,
    BetsPlaced,
    BettingClosed,
    BetWindowClosed,
    CloseBetting,
    InvalidAmount,
    OneBet,
    Paid,
    PlaceBets,
    Reveal,
    Rolled,
    RoundNotFound,
    Settled,
    placed_by,
)
from gamehall.games.sicbo_layout import HALVES, ODDS, ROWS, SIDES, Side, result_of, winners

CHIPS = (10_000, 20_000, 30_000, 40_000, 50_000, 60_000)
"""What clients offer to bet with; any whole number of chips may be bet."""
BETTORS_MAX = 10_000
HISTORY_MAX = 60
ROUND_BETS_MAX = 100_000
"""Bets of one round: what is paid for all of them is one event."""
NOT_BET = Bettor(NO_STAKE, ())
_DAY_SECONDS = 24 * 3600


class SicBoOptions(Options, frozen=True):
    betting_seconds: Annotated[float, msgspec.Meta(gt=0, le=_DAY_SECONDS)] = 30
    reveal_seconds: Annotated[float, msgspec.Meta(ge=0, le=_DAY_SECONDS)] = 3
    pause_seconds: Annotated[float, msgspec.Meta(ge=0, le=_DAY_SECONDS)] = 5
    bet_max: Annotated[int, msgspec.Meta(ge=1, le=10**12)] = 1_000_000


# State


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
    tally: Tally = NO_TALLY
    sides: dict[Side, OnSide] = {}
    """Those beside BIG and SMALL on which there is something; never changed in place."""
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
    commands = (Bet, PlaceBets)
    timers = (CloseBetting, Reveal)
    events = (BetPlaced, BetsPlaced, BettingClosed, Rolled, Settled)
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
                own, tally = self._bet(state, seat, (command,), command.round, context.at_ms)
                number = state.bets + 1
                return (BetPlaced(seat, number, command.side, command.amount, own, tally),)
            if isinstance(command, PlaceBets):
                own, tally = self._bet(state, seat, command.bets, command.round, context.at_ms)
                return (BetsPlaced(seat, state.bets + 1, command.bets, own, tally),)
        elif isinstance(command, CloseBetting) and state.status == "BETTING_OPEN":
            return (BettingClosed(context.at_ms, state.tally, state.sides),)
        elif isinstance(command, Reveal) and state.status == "BETTING_CLOSE":
            return self._reveal(state, context)
        raise IllegalCommand

    def _bet(
        self,
        state: State,
        seat: int,
        wanted: Sequence[Bet | OneBet],
        round: int | None,
        at_ms: int,
    ) -> tuple[Stake, Tally]:
        """What the seat has bet, and everyone, with these bets. Raises Refused."""
        self._check_open(state, round, at_ms)
        before = state.bettors.get(seat, NOT_BET)
        if len(before.bets) + len(wanted) > BETS_MAX:
            raise TooMany(f"You can place at most {BETS_MAX} bets in a round.")
        if state.bets - state.bets_before + len(wanted) > ROUND_BETS_MAX:
            raise TooMany("This round has all the bets that it takes. Wait for the next one.")
        own, tally = before.stake, state.tally
        for bet in wanted:
            self._check_amount(state, bet.amount)
            tally = tally.with_bet(bet.side, bet.amount, own)
            own = own.with_bet(bet.side, bet.amount)
        return own, tally

    def _check_open(self, state: State, round: int | None, at_ms: int) -> None:
        if round is not None and not 1 <= round <= state.round:
            raise RoundNotFound
        # By the clock too: after a stop, bets may come in before the timer that was due.
        closed = state.status != "BETTING_OPEN" or at_ms >= state.close_ms
        if closed or round not in (None, state.round):
            raise BetWindowClosed

    def _check_amount(self, state: State, amount: int) -> None:
        if amount < 1:
            raise InvalidAmount
        bet_max = state.options.bet_max
        if amount > bet_max:
            raise InvalidAmount(f"At this table a bet is at most {bet_max} chips.")

    def _reveal(self, state: State, context: Context) -> tuple[Event, ...]:
        first, second, third = (n + 1 for n in context.chance.below("dice", 6, 6, 6))
        dice = (first, second, third)
        rolled = Rolled(dice, sum(dice), result_of(dice))
        if not state.bettors:
            return (rolled,)
        times = winners(dice)
        payouts = {
            seat: tuple([Paid(bet.bet, times.get(bet.side, 0) * bet.amount) for bet in bettor.bets])
            for seat, bettor in state.bettors.items()
        }
        return (rolled, Settled(payouts))

    # Recording

    def apply(self, state: State, event: Any) -> State:
        match event:
            case BetPlaced() | BetsPlaced():
                for placed in placed_by((event,)):
                    _record_bet(state, placed)
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
        forked = copied(state)
        forked.owns_bettors = False
        return forked

    def money(self, state: State, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, BetPlaced):
            return (Payment(event.seat, "pot", event.amount),)
        if isinstance(event, BetsPlaced):
            return (Payment(event.seat, "pot", sum([bet.amount for bet in event.bets])),)
        if not isinstance(event, Settled):
            return ()
        won = {seat: sum([paid.chips for paid in each]) for seat, each in event.payouts.items()}
        payments = [Payment("pot", seat, chips) for seat, chips in won.items() if chips]
        over = state.tally.total - sum(won.values())
        if over > 0:
            payments.append(Payment("pot", "house", over))
        elif over < 0:
            payments.insert(0, Payment("house", "pot", -over))
        return tuple(payments)

    # What follows from a state

    def legal(self, state: State, seat: int) -> Iterator[Command]:
        full = len(state.bettors.get(seat, NOT_BET).bets) >= BETS_MAX
        if state.status == "BETTING_OPEN" and not full:
            for side in SIDES:
                for amount in _offered(side, _chips(state.options)):
                    yield Bet(side, amount, state.round)

    def view(self, state: State, seat: int | None) -> View:
        bettor = NOT_BET if seat is None else state.bettors.get(seat, NOT_BET)
        rolled = state.rolled
        return View(
            state.round,
            state.status,
            state.open_ms,
            state.close_ms,
            state.tally,
            state.sides,
            () if rolled is None else rolled.dice,
            0 if rolled is None else rolled.sum,
            None if rolled is None else rolled.result,
            state.options.bet_max,
            _chips(state.options),
            ODDS,
            bettor.stake,
            bettor.bets,
            state.history,
        )

    def seen(self, event: Any, seat: int | None) -> Event | None:
        # Thousands bet: nobody could follow every bet, and views have the totals.
        if isinstance(event, BetPlaced | BetsPlaced):
            return event if seat == event.seat else None
        if isinstance(event, Settled):
            own = None if seat is None else event.payouts.get(seat)
            return None if seat is None or own is None else Settled({seat: own})
        return event  # type: ignore[no-any-return]

    def glance(self, state: State) -> dict[str, Any]:
        return {"tally": state.tally, "sides": state.sides}

    def insiders(self, event: Any) -> tuple[int, ...]:
        if isinstance(event, BetPlaced | BetsPlaced):
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
        halves = [[_heading(seen, side), *_cells(seen, side)] for side in HALVES]
        others = [[cell for side in row for cell in _cells(seen, side)] for row in ROWS[1:]]
        width = max(map(len, halves + others))
        rows = tuple((*row, *[Cell()] * (width - len(row))) for row in halves + others)
        dice = " ".join(map(str, seen.dice))
        said = f"{dice} = {seen.sum}: {seen.result}" if seen.dice else seen.status
        return Picture(rows, f"Round {seen.round}: {said}. Play money.")


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _chips(options: SicBoOptions) -> tuple[int, ...]:
    return tuple(c for c in CHIPS if c <= options.bet_max) or (options.bet_max,)


def _offered(side: Side, chips: tuple[int, ...]) -> tuple[int, ...]:
    """The amounts that are listed: all of them on all sides would be hundreds, in every view."""
    return chips if side in HALVES else chips[:1]


def _heading(seen: View, side: Side) -> Cell:
    if side in ("BIG", "SMALL"):
        total = seen.tally.big if side == "BIG" else seen.tally.small
    else:
        total = seen.sides.get(side, NOTHING).total
    return Cell(f"{side} {total}", side)


def _cells(seen: View, side: Side) -> Iterator[Cell]:
    takes_bets = seen.status == "BETTING_OPEN"
    odds = "/".join(map(str, seen.odds[side]))
    for chips in _offered(side, seen.chips):
        label = str(chips) if side in HALVES else f"{side} {odds}:1"
        yield Cell(label, side, Bet(side, chips, seen.round) if takes_bets else None)


def _record_bet(state: State, bet: BetPlaced) -> None:
    bettors = state.own_bettors()
    known = bettors.get(bet.seat, NOT_BET)
    placed = PlacedBet(bet.bet, bet.side, bet.amount)
    state.sides = with_bet(state.sides, bet.side, bet.amount, known.stake)
    bettors[bet.seat] = Bettor(bet.stake, (*known.bets, placed))
    state.tally = bet.tally
    state.bets = bet.bet


def _paid(bettor: Bettor, payouts: tuple[Paid, ...]) -> Bettor:
    chips = {paid.bet: paid.chips for paid in payouts}
    bets = [PlacedBet(b.bet, b.side, b.amount, chips.get(b.bet)) for b in bettor.bets]
    return Bettor(bettor.stake, tuple(bets))
