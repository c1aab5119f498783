"""Lies about what was asked for, done and answered."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from msgspec.structs import replace

from gamehall.simulation.checker.records import Request, Written
from tests.simulation.lies.forgery import Forgery, compact, lie


def last_act(forged: Forgery) -> tuple[str, int]:
    """Who moved last in the running game, and where its transcript has the answer."""
    request = forged.record("running").written[-1].request
    assert request is not None
    (name,) = (each.name for each in forged.evidence.people if each.player == request.player)
    return name, forged.places(name, "heard", "act", "running")[-1]


def request_at(forged: Forgery, name: str, place: int) -> str:
    id: str = forged.of(name).lines[place].message["requestId"]
    return id


def change_request(forged: Forgery, **fields: Any) -> None:
    *rows, last = forged.record("running").written
    assert last.request is not None
    request = replace(last.request, **fields)
    forged.rewrite("running", written=(*rows, replace(last, request=request)))


@lie("is lost")
def an_acknowledged_request_is_not_in_the_journal(forged: Forgery) -> None:
    rows = list(forged.record("running").written)
    forged.hush("running", len(rows))
    forged.write("running", rows[:-1])


@lie("is lost")
def a_request_is_acknowledged_as_another_row(forged: Forgery) -> None:
    name, place = last_act(forged)
    forged.retell(name, place, seq=forged.told(name, place)["seq"] - 1)


@lie("is lost: there is no such table")
def a_table_that_was_opened_is_not_there(forged: Forgery) -> None:
    (place,) = forged.places("carl", "heard", "open_table")
    forged.retell("carl", place, table=4711)


@lie("is lost")
def a_seat_that_was_given_is_not_there(forged: Forgery) -> None:
    (place,) = forged.places("carl", "heard", "sit")
    forged.retell("carl", place, table=forged.tables["running"])


@lie("is there twice")
def a_request_was_done_twice(forged: Forgery) -> None:
    rows = list(forged.record("running").written)
    row = forged.row("running", -1)
    row["seq"] += 1
    forged.write("running", [*rows, Written(row["seq"], compact(row), rows[-1].request)])


@lie("nobody asked for")
def something_was_done_that_nobody_asked_for(forged: Forgery) -> None:
    change_request(forged, id="other")


@lie("is not what was sent")
def something_else_was_done_than_was_sent(forged: Forgery) -> None:
    change_request(forged, digest=b"0" * 16)


@lie(r"answered .*, is \{'type'")
def a_row_has_another_command_than_was_sent(forged: Forgery) -> None:
    row = forged.row("running", -1)
    row["command"]["column"] = 6
    forged.write_row("running", -1, row)


@lie(r"answered .*, is \{'type'")
def a_draw_is_answered_otherwise_than_was_sent(forged: Forgery) -> None:
    place = forged.row_with("running", "draw_answered")
    row = forged.row("running", place)
    row["command"]["accept"] = True
    forged.write_row("running", place, row)


@lie("was refused, and is there")
def a_request_was_refused_and_yet_done(forged: Forgery) -> None:
    name, place = last_act(forged)
    answer = forged.of(name).lines[place].message
    answer.update(action="error", payload={"code": "not_your_turn", "message": "No."})
    forged.reword(name, place, answer)


@lie("answered twice")
def a_request_was_answered_twice(forged: Forgery) -> None:
    name, place = last_act(forged)
    forged.say(name, place, "heard", forged.of(name).lines[place].message)


@lie("has answers")
def a_request_that_was_sent_again_got_another_answer(forged: Forgery) -> None:
    name, place = last_act(forged)
    lines = forged.of(name).lines
    id = request_at(forged, name, place)
    (sent,) = (each for each in lines if each.what == "sent" and each.message["requestId"] == id)
    other = lines[place].message
    other["payload"]["seq"] += 1
    forged.say(name, place + 1, "heard", other)
    forged.say(name, place + 1, "sent", sent.message)


@lie("was never answered")
def a_person_was_never_answered(forged: Forgery) -> None:
    forged.unsay("dora", forged.places("dora", "heard", "seek")[-1])


@lie("is another's row")
def a_row_is_anothers(forged: Forgery) -> None:
    row = forged.row("running", -1)
    forged.write_row("running", -1, {**row, "seat": 1 - row["seat"]})


@lie("has a row")
def what_is_only_noted_has_a_row(forged: Forgery) -> None:
    rows = list(forged.record("bingo").written)
    sent = [forged.of("carl").lines[n].message for n in forged.places("carl", "sent", "act")]
    noted = next(each for each in sent if each["payload"]["command"]["type"] == "ready")
    raw = b"act\0" + json.dumps(noted["payload"]).encode()
    digest = hashlib.sha256(raw).digest()[:16]
    called = forged.row_with("bingo", "called")
    request = Request(forged.of("carl").player, noted["requestId"], digest)
    rows[called] = replace(rows[called], request=request)
    forged.rewrite("bingo", written=tuple(rows))


@lie("before the answer")
def a_notice_comes_before_the_answer(forged: Forgery) -> None:
    answer = forged.places("bert", "heard", "act", "finished")[0]
    notices = forged.places("bert", "heard", "table_events", "finished")
    lines = forged.of("bert").lines
    lines.insert(next(n for n in notices if n > answer), lines.pop(answer))
