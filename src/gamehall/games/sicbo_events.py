"""What is asked of a table of Sic Bo, what happens there, and why something is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec.structs import astuple

from gamehall.errors import Refused
from gamehall.games.game import Command, Event
from gamehall.games.sicbo_betting import OnSide, Stake, Tally
from gamehall.games.sicbo_layout import Dice, Result, Side

DICE_NOT_CHOSEN = "Nobody chooses the dice: they follow from a secret that the round began with."
BETS_MAX = 1000
"""Bets of one seat in one round."""


# Refusals


class BetWindowClosed(Refused):
    message = "This round takes no more bets. Wait for the next one."


class RoundNotFound(Refused):
    message = "There is no such round at this table."


class InvalidAmount(Refused):
    message = "A bet is a whole number of chips, at least 1."


class NoBets(Refused):
    message = "You have not bet at this table before. Place a bet first."


# Commands


class Bet(Command, frozen=True):
    side: Side
    amount: int
    round: int | None = None
    """The round that is meant; None is the one now open."""


class OneBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    side: Side
    amount: int


class PlaceBets(Command, frozen=True):
    """Several bets, all or none of them."""

    bets: Annotated[tuple[OneBet, ...], msgspec.Meta(min_length=1, max_length=BETS_MAX)]
    round: int | None = None


class CloseBetting(Command, frozen=True):
    """The betting time is over."""


class Reveal(Command, frozen=True):
    """The dice are rolled, and everyone is paid."""


# Events


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


class BetsPlaced(Event, frozen=True):
    """Several bets at once, numbered from `bet` on."""

    seat: int
    bet: int
    bets: tuple[OneBet, ...]
    stake: Stake
    """The seat's own, with all of them."""
    tally: Tally
    """Everyone's, with all of them."""

    def each(self) -> tuple[BetPlaced, ...]:
        """As if they had been placed one after the other."""
        placed: list[BetPlaced] = []
        own, tally = self.stake, self.tally
        for number, (side, amount) in reversed(list(enumerate(map(astuple, self.bets), self.bet))):
            placed.append(BetPlaced(self.seat, number, side, amount, own, tally))
            own = own.without_bet(side, amount)
            tally = tally.without_bet(side, amount, own)
        return tuple(reversed(placed))


def placed_by(events: Iterable[Event]) -> Iterator[BetPlaced]:
    """Every bet among the events."""
    for event in events:
        if isinstance(event, BetPlaced):
            yield event
        elif isinstance(event, BetsPlaced):
            yield from event.each()


class BettingClosed(Event, frozen=True):
    at_ms: int
    tally: Tally
    sides: dict[Side, OnSide] = msgspec.field(default_factory=dict)
    """Those beside BIG and SMALL on which there is something."""


class Rolled(Event, frozen=True):
    dice: Dice
    sum: int
    result: Result


class Paid(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a bet has brought: nothing, or its stake and the odds."""

    bet: int
    chips: int


class Settled(Event, frozen=True):
    """Every bet is paid. Each seat sees its own alone."""

    payouts: dict[int, tuple[Paid, ...]]
