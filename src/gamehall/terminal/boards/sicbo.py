"""Sic Bo: the sides with their odds, everyone's bets, one's own, and the dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gamehall.games.sicbo_layout import (
    DOUBLES,
    HALVES,
    PAIRS,
    SIDES,
    SINGLES,
    TRIPLES,
    Side,
    winners,
)
from gamehall.terminal.boards.board import BARE, PICKED, WINNING, Board, Command, Spot, Unclear

Seen = dict[str, Any]
"""The view of the table."""
SAID = {
    "BETTING_OPEN": "place your bets",
    "BETTING_CLOSE": "no more bets, the dice are about to roll",
    "FINISH": "the next round is about to open",
}
SUMS = tuple(side for side in SIDES if side.startswith("SUM"))
HISTORY = 20
FIRST_LETTER = {"BIG": "B", "SMALL": "S", "NONE": "-"}
LISTED_MAX = 6
"""Sides of which everyone's bets are told, those with the most chips; there may be 52."""
EXAMPLES = "big 5000, sum 9 5000, triple 3 5000, any triple 5000, number 1 5000, pair 1 2 5000"
AMOUNT_DIGITS_MAX = 15


def sicbo_board(view: dict[str, Any]) -> Board:
    seen = view["view"]
    below = ["", _dice(seen)]
    paid = [bet["paid"] for bet in seen["bets"] if bet["paid"] is not None]
    if paid:
        below.append(f"This round brought you {sum(paid):,} chips.")
    below += [_own(seen), _everyone(seen)]
    if seen["history"]:
        letters = (FIRST_LETTER[past["result"]] for past in seen["history"][-HISTORY:])
        below.append(f"Rounds before: {' '.join(letters)}")
    return Board(
        _rows(seen),
        above=(f"Round {seen['round']}: {SAID[seen['status']]}. Play money.",),
        below=tuple(below),
        hint="a side and an amount, as: big 5000, sum 9 5000; or rebet",
        read=lambda typed: _read(typed, seen["round"]),
        news=(seen["round"], seen["status"], _stakes(seen)),
    )


# The layout


def _rows(seen: Seen) -> tuple[tuple[Spot, ...], ...]:
    won = winners(tuple(seen["dice"])) if seen["dice"] else {}
    staked = _stakes(seen)

    def around(side: Side) -> str:
        return WINNING if side in won else PICKED if side in staked else BARE

    def place(side: Side, text: str) -> Spot:
        """Bets the smallest chip."""
        tone = "winning" if side in won else "picked" if side in staked else ""
        return Spot(text, tone, _offer(seen, side, seen["chips"][0]), around(side))

    def half(side: Side) -> tuple[Spot, ...]:
        tone = side.lower()
        head = Spot(f"{side} {_odds(seen, side)}", tone, around=around(side))
        offers = (Spot(_short(each), tone, _offer(seen, side, each)) for each in seen["chips"])
        return (head, *offers)

    def of_number(sides: Sequence[Side]) -> list[Spot]:
        return [place(side, str(number)) for number, side in enumerate(sides, 1)]

    def sums(sides: Sequence[Side]) -> tuple[tuple[Spot, ...], ...]:
        pays = [_label(str(seen["odds"][side][0])) for side in sides]
        places = [place(side, side.removeprefix("SUM")) for side in sides]
        return ((_label("SUM"), *places), (_label("pays, to 1"), *pays))

    pairs = [place(side, f"{side[4]}+{side[5]}") for side in PAIRS]
    any_triple = place("ANY_LEO", f"any {_odds(seen, 'ANY_LEO')}")
    return (
        *map(half, HALVES),
        *sums(SUMS[:7]),
        *sums(SUMS[7:]),
        (_label(f"TRIPLE {_odds(seen, 'LEO1')}"), *of_number(TRIPLES), any_triple),
        (_label(f"DOUBLE {_odds(seen, 'DICE1DB')}"), *of_number(DOUBLES)),
        (_label(f"NUMBER {_odds(seen, 'DICE1SG')}"), *of_number(SINGLES)),
        (_label(f"PAIR {_odds(seen, 'DICE12')}"), *pairs[:8]),
        (_label(""), *pairs[8:], Spot()),
    )


def _label(text: str) -> Spot:
    return Spot(text, "label")


def _odds(seen: Seen, side: Side) -> str:
    return f"{'/'.join(map(str, seen['odds'][side]))}:1"


def _short(amount: int) -> str:
    return f"{amount // 1000}K" if amount >= 1000 and amount % 1000 == 0 else str(amount)


def _offer(seen: Seen, side: Side, amount: int) -> Command | None:
    return _bet(side, amount, seen["round"]) if seen["status"] == "BETTING_OPEN" else None


def _bet(side: Side, amount: int, round: int) -> Command:
    return {"type": "bet", "side": side, "amount": amount, "round": round}


# The sides in words, and read back


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


def _read(typed: str, round: int) -> Command | None:
    """The bet that a typed line means; None if it is not about one. Raises Unclear."""
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
    return _bet(side, int(amount), round)


# What is said below it


def _stakes(seen: Seen) -> dict[Side, int]:
    """One's own, on the sides where there is something."""
    stake = seen["stake"]
    all = {"BIG": stake["big"], "SMALL": stake["small"], **stake.get("sides", {})}
    return {side: all[side] for side in SIDES if all.get(side)}


def _own(seen: Seen) -> str:
    own = [f"{side_name(side)} {amount:,}" for side, amount in _stakes(seen).items()]
    return f"Your bets: {', '.join(own) or 'none'}"


def _everyone(seen: Seen) -> str:
    tally = seen["tally"]
    on = {side: (each["total"], each["players"]) for side, each in seen["sides"].items()}
    on["BIG"] = tally["big"], tally["players_big"]
    on["SMALL"] = tally["small"], tally["players_small"]
    bet_on = [(side, *on[side]) for side in SIDES if side in on and on[side][0]]
    bet_on.sort(key=lambda each: -each[1])
    said = [f"{side_name(side)} {total:,} by {players}" for side, total, players in bet_on]
    left = f" and {len(said) - LISTED_MAX} sides more" if len(said) > LISTED_MAX else ""
    return f"All bets: {', '.join(said[:LISTED_MAX]) or 'none'}{left}"


def _dice(seen: Seen) -> str:
    if not seen["dice"]:
        return "Dice: — — —"
    result = "neither BIG nor SMALL" if seen["result"] == "NONE" else seen["result"]
    return f"Dice: {' '.join(map(str, seen['dice']))}, together {seen['sum']}: {result}"
