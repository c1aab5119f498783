"""Lies about whom the lobby brought together, who said what, and what is kept in memory."""

from __future__ import annotations

from gamehall.simulation.checker.memory import Kept
from tests.simulation.lies.forgery import Forgery, lie


@lie("plays at .*, and at .* too")
def someone_is_brought_to_two_tables_at_once(forged: Forgery) -> None:
    running = forged.tables["running"]
    forged.evidence.order = sorted(forged.evidence.order, key=lambda place: place[0] != running)


@lie("plays at .*, and at .* too")
def someone_who_waits_at_a_table_of_its_own_is_brought_to_another(forged: Forgery) -> None:
    waiting = forged.tables["waiting"]
    forged.evidence.order = sorted(forged.evidence.order, key=lambda place: place[0] != waiting)


@lie("paired more often than it asked")
def a_wish_is_granted_twice(forged: Forgery) -> None:
    forged.rewrite("finished", origin="pair:1")


@lie("paired more often than it asked")
def people_are_paired_who_asked_for_different_games(forged: Forgery) -> None:
    forged.retell("dora", forged.places("dora", "sent", "seek")[0], game="four-stone")


@lie("seated after it gave that up")
def a_wish_is_granted_after_it_was_cancelled(forged: Forgery) -> None:
    place = forged.places("bert", "heard", "seek")[-1]
    cancel = {"action": "cancel_seek", "requestId": "bert-0", "payload": {}}
    forged.say("bert", place + 1, "heard", cancel)
    forged.say("bert", place + 1, "sent", cancel)


@lie("what nobody said")
def something_is_heard_that_nobody_said(forged: Forgery) -> None:
    (place,) = forged.places("anna", "heard", "said")
    forged.retell("anna", place, text="badly played")


@lie("heard of a fault")
def the_hall_is_at_fault(forged: Forgery) -> None:
    told = {"table": forged.tables["running"], "view": "Something went wrong here."}
    forged.say("dora", -1, "heard", {"action": "glance", "payload": told})


def needed_by_nobody(forged: Forgery, name: str) -> Kept:
    table = forged.tables[name]
    (head,) = (each.head for each in forged.evidence.records if each.table == table)
    return Kept("node-1", table, head, True, frozenset())


@lie("which is closed")
def a_closed_table_is_kept_in_memory(forged: Forgery) -> None:
    kept = needed_by_nobody(forged, "finished")
    forged.evidence.kept = [*forged.evidence.kept, kept]


@lie("does not know row")
def a_node_never_hears_that_a_table_is_closed(forged: Forgery) -> None:
    kept = needed_by_nobody(forged, "finished")
    behind = kept._replace(head=kept.head - 1, owned=False, behind_seconds=5.0)
    forged.evidence.kept = [*forged.evidence.kept, behind]


@lie("which nobody needs there")
def a_node_has_a_table_in_memory_whose_people_are_elsewhere(forged: Forgery) -> None:
    (here,) = (each for each in forged.evidence.kept if each.table == forged.tables["waiting"])
    forged.evidence.kept = [here._replace(node="node-3", owned=False, people=frozenset())]


@lie("which nobody needs there")
def an_owner_has_a_table_in_memory_that_all_have_left(forged: Forgery) -> None:
    forged.unsay("bert", *forged.places("bert", "heard", "watch", "bingo"))
    forged.unsay("bert", *forged.places("bert", "sent", "watch", "bingo"))
    kept = needed_by_nobody(forged, "bingo")
    forged.evidence.kept = [kept]
