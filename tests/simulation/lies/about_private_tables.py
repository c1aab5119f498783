"""Lies about private tables: who has heard of one."""

from __future__ import annotations

from tests.simulation.honest_cup import honest_cup
from tests.simulation.lies.forgery import Forgery, lie


@lie("heard of a private table without its key", honest_cup)
def someone_is_let_in_without_the_key(forged: Forgery) -> None:
    place = forged.places("anna", "sent", "watch", "private")[0]
    message = forged.of("anna").lines[place].message
    del message["payload"]["key"]
    forged.reword("anna", place, message)


@lie("heard of a private table without its key", honest_cup)
def someone_is_let_in_with_a_wrong_key(forged: Forgery) -> None:
    forged.retell("anna", forged.places("anna", "sent", "watch", "private")[0], key="wrong")


@lie("heard of a private table without its key", honest_cup)
def someone_who_was_refused_hears_of_it_all_the_same(forged: Forgery) -> None:
    told = {"table": forged.tables["private"], "count": 1}
    forged.say("dora", -1, "heard", {"action": "watching", "payload": told})


@lie("heard the key", honest_cup)
def someone_is_told_the_key(forged: Forgery) -> None:
    key = forged.told("bert", forged.places("bert", "heard", "open_table")[-1])["key"]
    forged.say("dora", -1, "heard", {"action": "going_away", "payload": {"seconds": 1, "key": key}})


@lie("have keys, and are public", honest_cup)
def a_public_table_has_a_key(forged: Forgery) -> None:
    row = forged.row("private", 0)
    row["command"]["private"] = row["events"][0]["private"] = False
    forged.write_row("private", 0, row)


@lie("private tables in a list", honest_cup)
def it_is_listed(forged: Forgery) -> None:
    place = forged.places("anna", "heard", "list_tables")[0]
    forged.retell("anna", place, tables=[{"id": forged.tables["private"]}])


@lie("private tables in a list", honest_cup)
def it_is_listed_for_one_who_plays_there(forged: Forgery) -> None:
    place = forged.places("bert", "heard", "history")[0]
    forged.retell("bert", place, rounds=[{"table": forged.tables["private"]}])


@lie("private tables in a list", honest_cup)
def the_lobby_tells_of_it(forged: Forgery) -> None:
    told = {"tables": [{"id": forged.tables["private"]}], "players": []}
    forged.say("dora", -1, "heard", {"action": "lobby", "payload": told})
