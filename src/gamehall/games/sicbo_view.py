"""A table of Sic Bo as someone may see it, and what is kept of its bets and rounds."""

from __future__ import annotations

from typing import Literal

import msgspec

from gamehall.games.sicbo_betting import OnSide, Stake, Tally
from gamehall.games.sicbo_layout import Dice, Result, Side

Status = Literal["BETTING_OPEN", "BETTING_CLOSE", "FINISH"]


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
