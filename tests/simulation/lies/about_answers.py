"""Lies in lists of tables, in the history and in journals, as people were given them."""

from __future__ import annotations

from functools import partial
from typing import Any

from gamehall.simulation.checker.transcripts import Json
from gamehall.table_log.journal import chained
from tests.simulation.honest import honest
from tests.simulation.lies.forgery import LIES, Forgery, lie


def shown(forged: Forgery, action: str, items: str) -> tuple[int, list[Json]]:
    """Where anna was given such a list, and what was in it."""
    place = forged.places("anna", "heard", action)[0]
    return place, forged.told("anna", place)[items]


def alter(action: str, items: str, index: int, field: str, value: Any, forged: Forgery) -> None:
    place, found = shown(forged, action, items)
    found[index] = {**found[index], field: value}
    forged.retell("anna", place, **{items: found})


def leave_out(action: str, items: str, index: int, forged: Forgery) -> None:
    place, found = shown(forged, action, items)
    del found[index]
    forged.retell("anna", place, **{items: found})


def turn_round(action: str, items: str, forged: Forgery) -> None:
    place, found = shown(forged, action, items)
    forged.retell("anna", place, **{items: found[::-1]})


# Lists of tables

for _field, _value in {
    "game": "bingo", "status": "over", "round": 77, "round_seq": 2, "hash": "00", "names": ["x"],
    "count": 77, "rated": True, "changed_at_ms": 1, "opened_at_ms": 1, "options": {}, "most": 77,
    "head": 99,
}.items():  # fmt: skip
    LIES[f"a_table_in_a_list_has_another_{_field}"] = (
        partial(alter, "list_tables", "tables", 2, _field, _value),
        "in a list|saw when no row was|saw .*, not",
        honest,
    )


@lie("as it was not, with 9 known")
def a_table_is_listed_as_it_was_before(forged: Forgery) -> None:
    alter("list_tables", "tables", 2, "head", 8, forged)


@lie("that is not there")
def a_table_is_listed_that_is_not_there(forged: Forgery) -> None:
    alter("list_tables", "tables", 3, "id", 77, forged)


LIES["a_table_is_not_listed"] = (
    partial(leave_out, "list_tables", "tables", 2),
    "knows table 5, and saw no such one",
    honest,
)
LIES["tables_are_listed_in_disorder"] = (
    partial(turn_round, "list_tables", "tables"),
    "out of order",
    honest,
)


# History

for _field, _value in {
    "table": 77, "game": "bingo", "round": 2, "first_seq": 2, "last_seq": 2, "hash": "00",
    "ended_at_ms": 1, "reason": "draw", "rated": True, "results": [],
}.items():  # fmt: skip
    LIES[f"a_round_in_the_history_has_another_{_field}"] = (
        partial(alter, "history", "rounds", 2, _field, _value),
        "in the history|in disorder",
        honest,
    )
LIES["a_round_is_not_in_the_history"] = (
    partial(leave_out, "history", "rounds", 2),
    "knows the end of round .*, and saw no such one",
    honest,
)
LIES["the_history_is_in_disorder"] = (
    partial(turn_round, "history", "rounds"),
    "in disorder",
    honest,
)


# Journals

for _field, _value in {"seat": 77, "at_ms": 1, "events": [], "filtered": False}.items():
    LIES[f"a_row_is_read_with_another_{_field}"] = (
        partial(alter, "journal", "rows", 4, _field, _value),
        "read in the journal",
        honest,
    )
LIES["a_row_cannot_be_read"] = (
    partial(leave_out, "journal", "rows", 4),
    "read in the journal",
    honest,
)
LIES["rows_are_read_in_disorder"] = (
    partial(turn_round, "journal", "rows"),
    "read in the journal",
    honest,
)
for _field, _value in {"hash": "00", "table": 4, "next": 3}.items():

    def journal(fields: Json, forged: Forgery) -> None:
        forged.retell("anna", forged.places("anna", "heard", "journal")[0], **fields)

    LIES[f"a_journal_is_read_with_another_{_field}"] = (
        partial(journal, {_field: _value}),
        "read in the journal",
        honest,
    )


@lie("no more than 8 rows")
def a_journal_is_read_as_it_was_before(forged: Forgery) -> None:
    place, rows = shown(forged, "journal", "rows")
    forged.retell("anna", place, rows=rows[:-1], head=8, hash=hash_at(forged, 8))


def hash_at(forged: Forgery, head: int) -> str:
    """The chain's at the running table, after that row."""
    hash = ""
    for written in forged.record("running").written[:head]:
        hash = chained(hash, written.line)
    return hash
