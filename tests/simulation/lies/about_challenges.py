"""Lies about challenges: who wanted them, and what became of them."""

from __future__ import annotations

from tests.simulation.lies.forgery import Forgery, lie


def challenge(forged: Forgery) -> int:
    """That of anna to bert, by which they came to the game that was finished."""
    (place,) = forged.places("bert", "heard", "accept")
    found: int = forged.told("bert", place)["challenge"]
    return found


def acknowledge(forged: Forgery, name: str, action: str) -> None:
    payload = {"challenge": challenge(forged)}
    message = {"action": action, "requestId": f"{name}-0", "payload": payload}
    for what in ("sent", "heard"):
        forged.say(name, -1, what, message)


@lie("has several ends: .*'accepted', 'refused'")
def a_challenge_was_refused_and_is_played(forged: Forgery) -> None:
    acknowledge(forged, "bert", "refuse")


@lie("has several ends: .*'accepted', 'withdrawn'")
def a_challenge_was_withdrawn_and_is_played(forged: Forgery) -> None:
    acknowledge(forged, "anna", "withdraw")


@lie("has several ends: .*'accepted', 'expired'")
def a_challenge_has_expired_and_is_played(forged: Forgery) -> None:
    told = {"challenge": challenge(forged)}
    forged.say("anna", -1, "heard", {"action": "challenge_expired", "payload": told})


@lie("has several ends: .*'accepted', 'refused'")
def someone_hears_of_a_refusal_of_what_is_played(forged: Forgery) -> None:
    player = forged.of("bert").player
    told = {"challenge": challenge(forged), "player": player, "reason": "refused"}
    forged.say("anna", -1, "heard", {"action": "challenge_refused", "payload": told})


@lie("was answered with table .*, of another")
def an_acceptance_brings_to_another_table(forged: Forgery) -> None:
    (place,) = forged.places("bert", "heard", "accept")
    forged.retell("bert", place, table=forged.tables["running"])


def unask(forged: Forgery, name: str, action: str) -> None:
    for what in ("heard", "sent"):
        forged.unsay(name, *forged.places(name, what, action))


@lie("which nobody has sent")
def a_game_is_there_for_a_challenge_that_nobody_sent(forged: Forgery) -> None:
    unask(forged, "anna", "challenge")


@lie("which nobody has accepted")
def a_game_is_there_for_a_challenge_that_nobody_accepted(forged: Forgery) -> None:
    unask(forged, "bert", "accept")


@lie("challenge .*: tables")
def a_challenge_opens_two_tables(forged: Forgery) -> None:
    players = [forged.of(name).player for name in ("anna", "bert")]
    again = f"challenge:{challenge(forged)}:{players[1]}:{players[0]}"
    forged.rewrite("waiting", origin=again)


@lie("brought .* together")
def a_challenge_brings_others_together(forged: Forgery) -> None:
    others = [forged.of(name).player for name in ("carl", "dora")]
    forged.rewrite("finished", origin=f"challenge:{challenge(forged)}:{others[0]}:{others[1]}")
