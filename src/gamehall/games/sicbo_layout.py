"""The layout of Sic Bo: the sides that one may bet on, their odds, and which sides three dice win.

* BIG and SMALL are by the sum, 11 to 17 and 4 to 10, triples too. ODD and EVEN lose on any triple.
* LEO1 … LEO6 are that triple, ANY_LEO is any of them.
* SUM4 … SUM17 are that sum.
* DICE1SG … DICE6SG are that number, on one, two or three dice, and pay by how many show it.
* DICE1DB … DICE6DB are at least two of that number.
* DICE12, DICE13, … DICE56 are both numbers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Literal, get_args

Dice = tuple[int, int, int]
Side = Literal[
    "BIG", "SMALL", "ODD", "EVEN",
    "LEO1", "LEO2", "LEO3", "LEO4", "LEO5", "LEO6", "ANY_LEO",
    "SUM4", "SUM5", "SUM6", "SUM7", "SUM8", "SUM9", "SUM10",
    "SUM11", "SUM12", "SUM13", "SUM14", "SUM15", "SUM16", "SUM17",
    "DICE1SG", "DICE2SG", "DICE3SG", "DICE4SG", "DICE5SG", "DICE6SG",
    "DICE1DB", "DICE2DB", "DICE3DB", "DICE4DB", "DICE5DB", "DICE6DB",
    "DICE12", "DICE13", "DICE14", "DICE15", "DICE16",
    "DICE23", "DICE24", "DICE25", "DICE26",
    "DICE34", "DICE35", "DICE36",
    "DICE45", "DICE46",
    "DICE56",
]  # fmt: skip
Result = Literal["BIG", "SMALL", "NONE"]

SIDES: tuple[Side, ...] = get_args(Side)
HALVES: tuple[Side, ...] = ("BIG", "SMALL", "ODD", "EVEN")
TRIPLES = tuple(side for side in SIDES if side.startswith("LEO"))
SUMS = tuple(side for side in SIDES if side.startswith("SUM"))
SINGLES = tuple(side for side in SIDES if side.endswith("SG"))
DOUBLES = tuple(side for side in SIDES if side.endswith("DB"))
PAIRS = tuple(side for side in SIDES if side.removeprefix("DICE").isdigit())
_SUM_ODDS = (60, 30, 17, 12, 8, 6, 6, 6, 6, 8, 12, 17, 30, 60)

ODDS: dict[Side, tuple[int, ...]] = {
    **dict.fromkeys(HALVES, (1,)),
    **dict.fromkeys(TRIPLES, (180,)),
    "ANY_LEO": (30,),
    **{side: (odds,) for side, odds in zip(SUMS, _SUM_ODDS, strict=True)},
    **dict.fromkeys(SINGLES, (1, 2, 3)),
    **dict.fromkeys(DOUBLES, (10,)),
    **dict.fromkeys(PAIRS, (5,)),
}
"""To one. Of a single number: when one, two or three dice show it."""
ROWS: tuple[tuple[Side, ...], ...] = (
    HALVES,
    (*TRIPLES, "ANY_LEO"),
    *(SUMS[:7], SUMS[7:]),
    SINGLES,
    DOUBLES,
    *(PAIRS[:5], PAIRS[5:10], PAIRS[10:]),
)
"""All sides as they lie on a table: at most seven in a row, those of a kind together."""


def result_of(dice: Dice) -> Result:
    """A sum of 3 or 18 is neither BIG nor SMALL."""
    total = sum(dice)
    return "NONE" if total in (3, 18) else "BIG" if total > 10 else "SMALL"


def winners(dice: Dice) -> dict[Side, int]:
    """The sides that win, each with how many times its stake comes back: its odds, and itself."""
    return {side: times for side in SIDES if (times := _times(side, dice))}


def house_edge(side: Side) -> Fraction:
    """The part of a stake that the house keeps on average, of the 216 throws that there are."""
    spots = range(1, 7)
    throws = list(product(spots, spots, spots))
    comes_back = sum(_times(side, dice) for dice in throws)
    return 1 - Fraction(comes_back, len(throws))


def _times(side: Side, dice: Dice) -> int:
    hits = _hits(side, dice)
    return 1 + ODDS[side][hits - 1] if hits else 0


def _hits(side: Side, dice: Dice) -> int:
    """0: it loses. Else which of its odds it wins, counted from 1."""
    total = sum(dice)
    triple = dice[0] == dice[1] == dice[2]
    match side:
        case "BIG" | "SMALL":
            return side == result_of(dice)
        case "ODD" | "EVEN":
            return not triple and (total % 2 == 1) == (side == "ODD")
        case "ANY_LEO":
            return triple
    if side.startswith("SUM"):
        return total == int(side[3:])
    if side.startswith("LEO"):
        return triple and dice[0] == int(side[3:])
    shown = dice.count(int(side[4]))
    if side.endswith("SG"):
        return shown
    if side.endswith("DB"):
        return shown >= 2
    return shown > 0 and int(side[5]) in dice
