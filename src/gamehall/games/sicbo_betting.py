"""How the bets of a round of Sic Bo add up: one's own, everyone's, and those on each side; and the
table as someone may see it.

BIG and SMALL have fields of their own, which journals have always had. Fields that came later are
left out where they say nothing, so that old journals are still what the rules write.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from gamehall.games.sicbo_layout import Dice, Result, Side

Status = Literal["BETTING_OPEN", "BETTING_CLOSE", "FINISH"]


class Stake(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What one seat has on each side."""

    big: int
    small: int
    sides: dict[Side, int] = {}
    """On those beside BIG and SMALL; without those on which there is nothing."""

    def on(self, side: Side) -> int:
        if side == "BIG":
            return self.big
        return self.small if side == "SMALL" else self.sides.get(side, 0)

    def with_bet(self, side: Side, amount: int) -> Stake:
        if side == "BIG":
            return Stake(self.big + amount, self.small, self.sides)
        if side == "SMALL":
            return Stake(self.big, self.small + amount, self.sides)
        return Stake(self.big, self.small, {**self.sides, side: self.on(side) + amount})

    def without_bet(self, side: Side, amount: int) -> Stake:
        stake = self.with_bet(side, -amount)
        sides = {each: chips for each, chips in stake.sides.items() if chips}
        return Stake(stake.big, stake.small, sides)


class Tally(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Who has bet how much, all in all; one who is on several sides counts once in `players`."""

    big: int
    small: int
    players: int
    players_big: int
    players_small: int
    others: int = 0
    """Chips on all other sides together."""

    @property
    def total(self) -> int:
        return self.big + self.small + self.others

    def with_bet(self, side: Side, amount: int, own: Stake) -> Tally:
        """`own` is what the bettor had before the bet, also in `without_bet`."""
        return self._changed(side, amount, own, 1)

    def without_bet(self, side: Side, amount: int, own: Stake) -> Tally:
        return self._changed(side, -amount, own, -1)

    def _changed(self, side: Side, chips: int, own: Stake, player: int) -> Tally:
        big, small = side == "BIG", side == "SMALL"
        first_on_side = own.on(side) == 0
        return Tally(
            self.big + chips * big,
            self.small + chips * small,
            self.players + player * (own == NO_STAKE),
            self.players_big + player * (big and first_on_side),
            self.players_small + player * (small and first_on_side),
            self.others + chips * (not big and not small),
        )


class OnSide(msgspec.Struct, frozen=True, gc=False):
    """What everyone has on one side."""

    total: int
    players: int


NO_STAKE = Stake(0, 0)
NO_TALLY = Tally(0, 0, 0, 0, 0)
NOTHING = OnSide(0, 0)


def with_bet(sides: dict[Side, OnSide], side: Side, amount: int, own: Stake) -> dict[Side, OnSide]:
    """The sides beside BIG and SMALL, with a bet more; `own` is what the bettor had before."""
    if side in ("BIG", "SMALL"):
        return sides
    on = sides.get(side, NOTHING)
    return {**sides, side: OnSide(on.total + amount, on.players + (own.on(side) == 0))}


# What is kept of bets and rounds, and shown


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
    dice: Dice
    sum: int
    result: Result


class View(msgspec.Struct, frozen=True):
    round: int
    status: Status
    open_ms: int
    close_ms: int
    tally: Tally
    sides: dict[Side, OnSide]
    """What everyone has on those beside BIG and SMALL, where there is something."""
    dice: tuple[int, ...]
    """Empty until they are rolled."""
    sum: int
    result: Result | None
    bet_max: int
    chips: tuple[int, ...]
    """What one may comfortably bet."""
    odds: dict[Side, tuple[int, ...]]
    """To one, for every side; of a single number when one, two or three dice show it."""
    stake: Stake
    """One's own, as are `bets`."""
    bets: tuple[PlacedBet, ...]
    history: tuple[PastRound, ...]
    """The last rounds before this one, oldest first."""


class Carry(msgspec.Struct, frozen=True):
    bets: int
    """How many bets the table has ever taken."""
    history: tuple[PastRound, ...]
