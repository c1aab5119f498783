"""Sic Bo: chips on two sides, everyone's bets, one's own, and the dice."""

from __future__ import annotations

from typing import Any

from gamehall.terminal.boards.board import BARE, PICKED, WINNING, Board, Command, Spot, Unclear
from gamehall.terminal.text import chips

SIDES = ("BIG", "SMALL")
SAID = {
    "BETTING_OPEN": "place your bets",
    "BETTING_CLOSE": "no more bets, the dice are about to roll",
    "FINISH": "the next round is about to open",
}
HISTORY = 20
FIRST_LETTER = {"BIG": "B", "SMALL": "S", "NONE": "-"}
AMOUNT_DIGITS_MAX = 15


def sicbo_board(view: dict[str, Any]) -> Board:
    seen = view["view"]
    takes_bets = seen["status"] == "BETTING_OPEN"
    rows = tuple(_side(seen, side, takes_bets) for side in SIDES)
    tally, stake = seen["tally"], seen["stake"]
    everyone = ", ".join(
        f"{side} {chips(tally[side.lower()])} by {tally[f'players_{side.lower()}']}"
        for side in SIDES
    )
    own = ", ".join(f"{side} {chips(stake[side.lower()])}" for side in SIDES)
    below = ["", f"All bets: {everyone}", f"Your bets: {own}", _dice(seen)]
    paid = [bet["paid"] for bet in seen["bets"] if bet["paid"] is not None]
    if paid:
        below.append(f"This round brought you {chips(sum(paid))} chips.")
    if seen["history"]:
        letters = (FIRST_LETTER[past["result"]] for past in seen["history"][-HISTORY:])
        below += ["", f"Rounds before, the last at the right: {' '.join(letters)}"]
    return Board(
        rows,
        above=(f"Round {seen['round']}: {SAID[seen['status']]}. Play money.", ""),
        below=tuple(below),
        hint="big or small and an amount, as: big 5000",
        read=lambda typed: _read(typed, seen["round"]),
        tall=1,
        news=(seen["round"], seen["status"], stake["big"], stake["small"]),
    )


def _side(seen: dict[str, Any], side: str, takes_bets: bool) -> tuple[Spot, ...]:
    tone = side.lower()
    won, staked = seen["result"] == side, seen["stake"][tone] > 0
    head = Spot(side, tone, around=WINNING if won else PICKED if staked else BARE)
    return (
        head,
        *(
            Spot(_short(each), tone, _bet(side, each, seen["round"]) if takes_bets else None)
            for each in seen["chips"]
        ),
    )


def _short(amount: int) -> str:
    return f"{amount // 1000}K" if amount >= 1000 and amount % 1000 == 0 else str(amount)


def _dice(seen: dict[str, Any]) -> str:
    if not seen["dice"]:
        return "Dice: — — —"
    result = "every bet loses" if seen["result"] == "NONE" else seen["result"]
    return f"Dice: {' '.join(map(str, seen['dice']))}, together {seen['sum']}: {result}"


def _bet(side: str, amount: int, round: int) -> Command:
    return {"type": "bet", "side": side, "amount": amount, "round": round}


def _read(typed: str, round: int) -> Command | None:
    side, _, amount = typed.partition(" ")
    amount = amount.strip().replace(",", "")
    if side.upper() not in SIDES:
        return None
    if not amount.isdecimal() or len(amount) > AMOUNT_DIGITS_MAX:
        raise Unclear("How many chips? Type it as: big 5000")
    return _bet(side.upper(), int(amount), round)
