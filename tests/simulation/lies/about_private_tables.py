"""Lies about private tables: who has heard of one."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.checker.transcripts import Line, Transcript
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


@lie("is public", honest_cup)
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


def _is_heard_at(forged: Forgery, door: str, message: Any) -> None:
    visitor = Transcript("someone")
    visitor.lines = [Line(0, 0, "opened"), Line(0, 0, "heard", json.dumps(message))]
    forged.evidence.visitors = {**forged.evidence.visitors, door: [visitor]}


@lie("someone heard of a private table", honest_cup)
def the_four_door_tells_of_it(forged: Forgery) -> None:
    data = {"game_id": forged.tables["private"], "your_number": 1}
    _is_heard_at(forged, "four", {"type": "GAME_START", "data": data})


@lie("someone heard of a private table", honest_cup)
def the_practice_door_tells_of_it(forged: Forgery) -> None:
    _is_heard_at(forged, "practice", {"code": 1, "info": {"room": forged.tables["private"]}})


@lie("someone heard of a private table", honest_cup)
def the_watch_door_lists_it(forged: Forgery) -> None:
    rooms = {str(forged.tables["private"]): {"players": ["7", "8"], "next_move": "7"}}
    _is_heard_at(forged, "watch", {"msg": "get", "game_state": rooms, "game_history": []})


@lie("someone heard of a private table", honest_cup)
def the_watch_door_has_it_in_its_history(forged: Forgery) -> None:
    item = {"time": 1, "data": {"room_id": str(forged.tables["private"])}}
    _is_heard_at(forged, "watch", {"msg": "get", "game_state": {}, "game_history": [item]})


@lie("someone heard the key", honest_cup)
def the_caller_door_tells_its_key(forged: Forgery) -> None:
    key = forged.told("bert", forged.places("bert", "heard", "open_table")[-1])["key"]
    _is_heard_at(forged, "caller", f"MSG|{key}")
