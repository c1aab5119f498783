"""Chips at a table: what rules may do with them, and what goes back when a round is called off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gamehall.games.game import Party, Payment, RulesFault
from gamehall.table_log.house import Person

PaidInRound = tuple[int, dict[int, Person], Payment]
"""A payment with its round, and the chairs at that moment."""


class UnsoundMoney(RulesFault):
    """The rules move chips in a way that no ledger can keep."""


def check_payments(
    round: int, pot: int, payments: Iterable[PaidInRound], ended: Iterable[int]
) -> None:
    """Follows the chips of one command; `pot` is what lay in the pot of `round` before it, and
    `ended` are the rounds that it ended.

    Raises:
        UnsoundMoney: a pot is below zero on the way, or chips are left in that of an ended round.
    """
    pots = {round: pot}
    for paid_in, chairs, payment in payments:
        _check_payment(payment, chairs)
        held = pots.get(paid_in, 0)
        if payment.target == "pot":
            held += payment.chips
        elif payment.source == "pot":
            held -= payment.chips
        if held < 0:
            raise UnsoundMoney(f"{payment} leaves the round's pot below zero, at {held} chips.")
        pots[paid_in] = held
    for over in ended:
        left = pots.get(over, 0)
        if left:
            raise UnsoundMoney(f"The round is over, and {left} chips are left in its pot.")


def _check_payment(payment: Payment, chairs: Mapping[int, Person]) -> None:
    if payment.chips <= 0:
        raise UnsoundMoney(f"{payment} moves no chips.")
    if payment.source == payment.target:
        raise UnsoundMoney(f"{payment} goes to where it comes from.")
    for party in (payment.source, payment.target):
        if isinstance(party, int) and party not in chairs:
            raise UnsoundMoney(f"{payment} is of a seat that nobody has taken.")


def count_payments(stakes: dict[int, int], payments: Iterable[Payment]) -> int:
    """Adds to what each seat has in the pot; by how much the pot has grown."""
    grown = 0
    for payment in payments:
        if payment.target == "pot":
            grown += payment.chips
            _count(stakes, payment.source, payment.chips)
        elif payment.source == "pot":
            grown -= payment.chips
            _count(stakes, payment.target, -payment.chips)
    return grown


def _count(stakes: dict[int, int], party: Party, chips: int) -> None:
    if isinstance(party, int):
        stakes[party] = stakes.get(party, 0) + chips


def given_back(stakes: Mapping[int, int], pot: int) -> tuple[Payment, ...]:
    """Every stake, and the pot is empty: what the house has put in or taken out, it settles."""
    refunds = [Payment("pot", seat, chips) for seat, chips in stakes.items() if chips > 0]
    left = pot - sum([refund.chips for refund in refunds])
    if left > 0:
        refunds.append(Payment("pot", "house", left))
    elif left < 0:
        refunds.insert(0, Payment("house", "pot", -left))
    return tuple(refunds)
