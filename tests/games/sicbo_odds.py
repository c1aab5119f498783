"""Sic Bo's odds and payouts, worked out apart from the hall's code: from the dialect's document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

SUM_ODDS = {4: 60, 5: 30, 6: 17, 7: 12, 8: 8, 9: 6, 10: 6}
SUM_EDGES = {4: 33, 5: 30, 6: 36, 7: 21, 8: 27, 9: 41, 10: 27}
"""In 216ths: a sum of 4 is thrown in 3 ways and brings 61 each time, so 216 - 183 are kept."""


def _table() -> dict[str, tuple[Fraction, list[int]]]:
    """The house's part, and the odds for one, two and three hits."""
    table = {"BIG": (2, [1]), "SMALL": (2, [1]), "ODD": (6, [1]), "EVEN": (6, [1])}
    table["ANY_LEO"] = (30, [30])  # 6 ways, 31 each: 186.
    for n in range(1, 7):
        table[f"LEO{n}"] = (35, [180])  # One way, 181.
        table[f"DICE{n}SG"] = (17, [1, 2, 3])  # 75 · 2 + 15 · 3 + 1 · 4 = 199.
        table[f"DICE{n}DB"] = (40, [10])  # 16 ways, 11 each: 176.
    for total in range(4, 18):
        low = min(total, 21 - total)
        table[f"SUM{total}"] = (SUM_EDGES[low], [SUM_ODDS[low]])
    for one, other in combinations(range(1, 7), 2):
        table[f"DICE{one}{other}"] = (36, [5])  # 30 ways, 6 each: 180.
    return {side: (Fraction(kept, 216), odds) for side, (kept, odds) in table.items()}


_TABLE = _table()
EDGES = {side: edge for side, (edge, _) in _TABLE.items()}
SIDES = tuple(_TABLE)


def returned(side: str, stake: int, dice: Sequence[int]) -> int:
    """What a stake brings: nothing, or itself with its odds."""
    hits = _hits(side, dice)
    return stake + stake * _TABLE[side][1][hits - 1] if hits else 0


def _hits(side: str, dice: Sequence[int]) -> int:
    shows, total = Counter(dice), sum(dice)
    triple = len(shows) == 1
    wins = {
        "BIG": 10 < total < 18,
        "SMALL": 3 < total < 11,
        "ODD": total % 2 == 1 and not triple,
        "EVEN": total % 2 == 0 and not triple,
        "ANY_LEO": triple,
        f"SUM{total}": True,
    }
    if triple:
        wins[f"LEO{dice[0]}"] = True
    for number, times in shows.items():
        if side == f"DICE{number}SG":
            return times
        wins[f"DICE{number}DB"] = times > 1
    for one, other in combinations(sorted(shows), 2):
        wins[f"DICE{one}{other}"] = True
    return int(wins.get(side, False))
