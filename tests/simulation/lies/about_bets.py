"""Lies at the `rfc` door."""

from __future__ import annotations

from tests.simulation.lies.forgery import Forgery, lie

IN_NONE = "gina was told what is not in the journal"
ANOTHER = "gina was told .*, and there is"


@lie(IN_NONE)
def the_dice_of_the_next_round_are_shown(forged: Forgery) -> None:
    first, second, *_ = forged.places("gina", "heard", "reveal_result")
    later = forged.told("gina", second)
    shown = {field: later[field] for field in ("dice", "sum", "result")}
    forged.retell("gina", first, **shown)


@lie(IN_NONE)
def the_secret_of_the_next_round_is_shown(forged: Forgery) -> None:
    first, second, *_ = forged.places("gina", "heard", "reveal_result")
    forged.retell("gina", first, secret=forged.told("gina", second)["secret"])


@lie(IN_NONE)
def a_round_has_another_commitment(forged: Forgery) -> None:
    forged.retell("gina", forged.places("gina", "heard", "round_state")[0], commitment="00")


@lie(IN_NONE)
def a_round_has_the_id_of_none(forged: Forgery) -> None:
    forged.retell("gina", forged.places("gina", "heard", "round_state")[0], roundId="R99")


@lie(IN_NONE)
def a_round_that_runs_is_told_to_be_over(forged: Forgery) -> None:
    forged.retell("gina", forged.places("gina", "heard", "round_state")[-1], status="FINISH")


@lie(IN_NONE)
def rounds_go_back(forged: Forgery) -> None:
    first, *_, last = forged.places("gina", "heard", "round_state")
    forged.say("gina", last, "heard", forged.of("gina").lines[first].message)


@lie(ANOTHER)
def a_bet_was_accepted_that_is_not_in_the_journal(forged: Forgery) -> None:
    forged.retell("gina", forged.places("gina", "heard", "bet_accepted")[0], betId="B99")


@lie(ANOTHER)
def a_bet_was_accepted_with_another_amount(forged: Forgery) -> None:
    forged.retell("gina", forged.places("gina", "heard", "bet_accepted")[0], amount=7)


@lie(IN_NONE)
def another_payout_was_told_than_was_made(forged: Forgery) -> None:
    forged.retell("gina", forged.places("gina", "heard", "payout")[0], payout=7)
