"""The sides of Sic Bo in words: `SUM9` is `SUM 9`, `DICE12` is `PAIR 1+2`; and read back."""

from __future__ import annotations

import re

from gamehall.games.sicbo_layout import SIDES, Side
from gamehall.terminal.boards.board import Unclear

EXAMPLES = "big 5000, sum 9 5000, triple 3 5000, any triple 5000, number 1 5000, pair 1 2 5000"
AMOUNT_DIGITS_MAX = 15


def side_name(side: Side) -> str:
    if side == "ANY_LEO":
        return "ANY TRIPLE"
    if side.startswith("SUM"):
        return f"SUM {side[3:]}"
    if side.startswith("LEO"):
        return f"TRIPLE {side[3:]}"
    if side.endswith("SG"):
        return f"NUMBER {side[4]}"
    if side.endswith("DB"):
        return f"DOUBLE {side[4]}"
    return f"PAIR {side[4]}+{side[5]}" if side.startswith("DICE") else side


def _normal(typed: str) -> str:
    return re.sub(r"[\s+_-]", "", typed).upper()


_READ = {_normal(name): side for side in SIDES for name in (side, side_name(side))}
_KINDS = {side_name(side).split()[0] for side in SIDES}


def read_bet(typed: str) -> tuple[Side, int] | None:
    """Side and amount of a typed line; None if it is not about a bet. Raises Unclear."""
    words, _, amount = typed.rpartition(" ")
    side = _READ.get(_normal(words))
    if side is None:
        if _normal(typed) in _READ:
            raise Unclear(f"How many chips? Type it as: {typed} 5000")
        if typed.partition(" ")[0].upper() in _KINDS:
            raise Unclear(f"Which side, and how many chips? Type it as: {EXAMPLES}")
        return None
    amount = amount.replace(",", "")
    if not amount.isdecimal() or len(amount) > AMOUNT_DIGITS_MAX:
        raise Unclear(f"How many chips? Type it as: {words} 5000")
    return side, int(amount)
