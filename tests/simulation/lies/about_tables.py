"""Lies in what people were told of tables: notices, views and secrets."""

from __future__ import annotations

from functools import partial
from typing import Any

from gamehall.simulation.checker.transcripts import Json
from tests.simulation.honest import honest
from tests.simulation.lies.forgery import LIES, Forgery, lie, notice_with


def first(forged: Forgery, name: str, action: str, table: str) -> int:
    return forged.places(name, "heard", action, table)[0]


def last(forged: Forgery, name: str, action: str, table: str) -> int:
    return forged.places(name, "heard", action, table)[-1]


# Notices


@lie("not in the journal")
def an_event_is_told_that_is_not_in_the_journal(forged: Forgery) -> None:
    place = first(forged, "carl", "table_events", "finished")
    dropped, *others = forged.told("carl", place)["events"]
    forged.retell("carl", place, events=[{**dropped, "column": 6}, *others])


@lie("not in the journal")
def an_event_of_a_row_is_not_told(forged: Forgery) -> None:
    place = last(forged, "carl", "table_events", "finished")
    forged.retell("carl", place, events=forged.told("carl", place)["events"][1:])


@lie("told nothing")
def a_notice_is_empty(forged: Forgery) -> None:
    forged.retell("carl", first(forged, "carl", "table_events", "finished"), events=[])


@lie("was told twice")
def a_notice_is_told_twice(forged: Forgery) -> None:
    place = first(forged, "carl", "table_events", "finished")
    forged.say("carl", place, "heard", forged.of("carl").lines[place].message)


@lie("has a gap")
def notices_come_out_of_order(forged: Forgery) -> None:
    one, two, *_ = forged.places("carl", "heard", "table_events", "finished")
    lines = forged.of("carl").lines
    lines[one], lines[two] = lines[two], lines[one]


@lie("has a gap")
def a_notice_is_missing(forged: Forgery) -> None:
    forged.unsay("carl", forged.places("carl", "heard", "table_events", "finished")[1])


@lie("not in the journal")
def a_notice_has_the_number_of_the_next_row(forged: Forgery) -> None:
    place = first(forged, "carl", "table_events", "finished")
    forged.retell("carl", place, seq=forged.told("carl", place)["seq"] + 1)


@lie("not in the journal")
def a_notice_has_the_number_of_no_row(forged: Forgery) -> None:
    forged.retell("carl", first(forged, "carl", "table_events", "finished"), seq=99)


@lie("not in the journal")
def a_notice_is_of_another_table(forged: Forgery) -> None:
    place = first(forged, "carl", "table_events", "finished")
    forged.retell("carl", place, table=forged.tables["duel"])


@lie("no table of the hall")
def a_notice_is_of_no_table(forged: Forgery) -> None:
    forged.retell("carl", first(forged, "carl", "table_events", "finished"), table=4711)


def end(name: str, field: str, value: Any, forged: Forgery) -> None:
    forged.retell(name, first(forged, name, "table_over", "finished"), **{field: value})


@lie("not in the journal's words")
def an_end_is_told_with_another_row(forged: Forgery) -> None:
    end("carl", "seq", 3, forged)


for _field, _value in {"secret": "00", "hash": "00", "round": 2, "after": 3, "outcome": {}}.items():
    LIES[f"an_end_is_told_with_another_{_field}"] = (
        partial(end, "carl", _field, _value),
        "not in the journal",
        honest,
    )


@lie("not in the journal")
def someone_is_told_of_a_seat_that_it_does_not_have(forged: Forgery) -> None:
    forged.retell("bert", first(forged, "bert", "seated", "finished"), seat=77)


@lie("not in the journal")
def someone_is_told_to_have_left_who_did_not(forged: Forgery) -> None:
    forged.retell("carl", first(forged, "carl", "player_left", "finished"), seat=77)


# What is hidden


def card_of(forged: Forgery, name: str) -> list[Json]:
    events: list[Json] = forged.told(name, notice_with(forged, name, "bingo", "cards_dealt"))[
        "events"
    ]
    return events


@lie("not in the journal")
def a_player_sees_the_card_of_another(forged: Forgery) -> None:
    place = notice_with(forged, "dora", "bingo", "cards_dealt")
    forged.retell("dora", place, events=card_of(forged, "carl"))


@lie("not in the journal")
def a_spectator_sees_the_card_of_a_player(forged: Forgery) -> None:
    place = notice_with(forged, "bert", "bingo", "cards_dealt")
    forged.retell("bert", place, events=card_of(forged, "carl"))


@lie("heard what is hidden")
def a_card_slips_into_another_message(forged: Forgery) -> None:
    place = notice_with(forged, "bert", "bingo", "called")
    card = card_of(forged, "carl")[0]["cards"]
    told = {"table": forged.tables["bingo"], "view": card}
    forged.say("bert", place, "heard", {"action": "glance", "payload": told})


@lie("heard what is hidden")
def a_secret_is_told_early(forged: Forgery) -> None:
    place = notice_with(forged, "dora", "sicbo", "betting_closed")
    over = next(n for n in forged.places("dora", "heard", "table_over", "sicbo") if n > place)
    told = {"table": forged.tables["sicbo"], "view": forged.told("dora", over)["secret"]}
    forged.say("dora", place, "heard", {"action": "glance", "payload": told})


# Views


@lie("saw")
def a_view_is_newer_than_its_number(forged: Forgery) -> None:
    place = first(forged, "anna", "table_view", "duel")
    forged.retell("anna", place, seq=forged.told("anna", place)["seq"] - 1)


@lie("saw")
def a_view_is_older_than_its_number(forged: Forgery) -> None:
    place = first(forged, "anna", "table_view", "running")
    forged.retell("anna", place, seq=forged.told("anna", place)["seq"] + 1)


@lie("saw view")
def a_view_has_the_turn_of_a_later_row(forged: Forgery) -> None:
    one, *_, two = forged.places("dora", "heard", "table_view", "duel")
    view = {
        **forged.told("dora", one)["view"],
        "turn": 1 - forged.told("dora", two)["view"]["turn"],
    }
    forged.retell("dora", one, view=view)


@lie("not in the journal")
def a_view_is_of_no_row(forged: Forgery) -> None:
    forged.retell("anna", first(forged, "anna", "table_view", "finished"), seq=99)


@lie("went back")
def a_view_goes_back(forged: Forgery) -> None:
    early = forged.of("anna").lines[first(forged, "anna", "table_view", "finished")]
    place = last(forged, "anna", "player_left", "finished")
    forged.say("anna", place + 1, "heard", early.message)


@lie("went back")
def who_resumes_is_shown_less_than_it_had_seen(forged: Forgery) -> None:
    """On a new connection nothing was told yet, but its player has seen more."""
    early = forged.of("bert").lines[first(forged, "bert", "table_view", "running")].message
    lines = forged.of("bert").lines
    resumed = next(n for n in forged.places("bert", "heard", "resume") if lines[n].connection == 1)
    forged.retell("bert", resumed, missed=None)
    forged.say("bert", resumed + 1, "heard", early)


def show(table: str, field: str, value: Any, forged: Forgery) -> None:
    name = "anna" if table in ("running", "sicbo", "finished") else "dora"
    forged.retell(name, last(forged, name, "table_view", table), **{field: value})


for _field, _value in {
    "status": "void", "round": 77, "commitment": "00", "count": 77, "seat": 77, "rematch": [77],
    "legal": [{"type": "none"}], "players": [{"seat": 77, "id": 77, "name": "x"}], "outcome": {},
    "options": {}, "view": {"of": "another"},
}.items():  # fmt: skip
    for _table in ("finished", "duel", "bingo", "sicbo", "running"):
        LIES[f"a_view_of_the_{_table}_table_has_another_{_field}"] = (
            partial(show, _table, _field, _value),
            f"saw {_field}",
            honest,
        )
