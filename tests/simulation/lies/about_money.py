"""Lies about chips, in the ledger and in what people were told of it."""

from __future__ import annotations

from msgspec.structs import replace

from gamehall.simulation.checker.money import Transfer
from tests.simulation.lies.forgery import Forgery, lie


def paid(forged: Forgery, source: str, target: str) -> tuple[int, list[Transfer]]:
    """The place of the first transfer from such an account to such another, and all of them."""
    transfers = list(forged.evidence.ledger.transfers)
    for place, each in enumerate(transfers):
        if each.source.startswith(source) and each.target.startswith(target):
            return place, transfers
    raise AssertionError("there is none")


@lie("moved by a row that is not there")
def a_transfer_has_no_row(forged: Forgery) -> None:
    place, transfers = paid(forged, "pot:", "player:")
    forged.pay([*transfers, replace(transfers[place], id=99, seq=99, source="house")])


@lie("is over, with .* chips in it")
def a_pot_is_not_empty(forged: Forgery) -> None:
    place, transfers = paid(forged, "player:", "pot:")
    forged.pay([*transfers, replace(transfers[place], id=99, seq=99)])


@lie("row .* moves .*, and .* moved")
def a_bet_was_not_taken(forged: Forgery) -> None:
    place, transfers = paid(forged, "player:", "pot:")
    forged.pay([*transfers[:place], *transfers[place + 1 :]])


@lie("row .* moves .*, and .* moved")
def a_payout_is_missing(forged: Forgery) -> None:
    place, transfers = paid(forged, "pot:", "player:")
    forged.pay([*transfers[:place], *transfers[place + 1 :]])


@lie("row .* moves .*, and .* moved")
def a_payout_was_made_twice(forged: Forgery) -> None:
    place, transfers = paid(forged, "pot:", "player:")
    forged.pay([*transfers, replace(transfers[place], id=99, n=9)])


@lie("row .* moves .*, and .* moved")
def a_payout_is_a_chip_short(forged: Forgery) -> None:
    place, transfers = paid(forged, "pot:", "player:")
    transfers[place] = replace(transfers[place], chips=transfers[place].chips - 1)
    forged.pay(transfers)


@lie("row .* moves .*, and .* moved")
def someone_else_was_paid(forged: Forgery) -> None:
    place, transfers = paid(forged, "pot:", "player:")
    transfers[place] = replace(transfers[place], target="player:2")
    forged.pay(transfers)


@lie("has .* chips, and .* by the transfers")
def a_balance_is_off_by_one(forged: Forgery) -> None:
    ledger = forged.evidence.ledger
    balances = {player: chips + (player == 2) for player, chips in ledger.balances.items()}
    forged.evidence.ledger = replace(ledger, balances=balances)


@lie("have no balance")
def a_balance_is_missing(forged: Forgery) -> None:
    ledger = forged.evidence.ledger
    balances = {player: chips for player, chips in ledger.balances.items() if player != 2}
    forged.evidence.ledger = replace(ledger, balances=balances)


@lie("owes")
def someone_bets_more_than_it_has(forged: Forgery) -> None:
    place, transfers = paid(forged, "mint", f"player:{forged.of('anna').player}")
    transfers[place] = replace(transfers[place], chips=1)
    forged.pay([each for each in transfers if each.source[:3] != "pot"])


@lie("the hall itself moved chips")
def chips_were_minted_in_anothers_name(forged: Forgery) -> None:
    place, transfers = paid(forged, "mint", "player:2")
    forged.pay([*transfers, replace(transfers[place], id=99, seq=1)])


@lie("not in the ledger")
def a_statement_has_another_amount(forged: Forgery) -> None:
    (place,) = forged.places("anna", "heard", "statement")
    first, *others = forged.told("anna", place)["items"]
    forged.retell("anna", place, items=[{**first, "chips": first["chips"] + 1}, *others])


@lie("not in the ledger")
def a_statement_lacks_a_transfer(forged: Forgery) -> None:
    (place,) = forged.places("anna", "heard", "statement")
    first, _, *others = forged.told("anna", place)["items"]
    forged.retell("anna", place, items=[first, *others])


@lie("not in the ledger")
def a_balance_is_told_that_never_was(forged: Forgery) -> None:
    (place,) = forged.places("anna", "heard", "balance")
    forged.retell("anna", place, balance=forged.told("anna", place)["balance"] + 1)


@lie("was told of chips that it was not given")
def a_refill_is_lost(forged: Forgery) -> None:
    place, transfers = paid(forged, "mint", f"player:{forged.of('anna').player}")
    gift = transfers[place]
    again = [each for each in transfers if (each.target, each.n) == (gift.target, 1)]
    forged.pay([each for each in transfers if each not in again or each.source != "mint"])


@lie("was given chips, and has not asked")
def chips_are_given_that_nobody_asked_for(forged: Forgery) -> None:
    place, transfers = paid(forged, "mint", f"player:{forged.of('dora').player}")
    forged.pay([*transfers, replace(transfers[place], id=99, n=1)])
