"""Lies in what people were told beside the rows of tables, and in what views show beside them."""

from __future__ import annotations

from functools import partial
from typing import Any

from gamehall.simulation.checker.transcripts import Json
from tests.simulation.honest import honest
from tests.simulation.lies.about_tables import first, last
from tests.simulation.lies.forgery import LIES, Forgery, lie


def alter(action: str, name: str, table: str, fields: Json, forged: Forgery) -> None:
    forged.retell(name, first(forged, name, action, table), **fields)


def again(action: str, name: str, table: str, forged: Forgery) -> None:
    """Told twice, and what belongs to it once."""
    place = first(forged, name, action, table)
    forged.say(name, place, "heard", forged.of(name).lines[place].message)


def silence(action: str, name: str, table: str, forged: Forgery) -> None:
    forged.unsay(name, first(forged, name, action, table))


def bring_forward(action: str, name: str, table: str, forged: Forgery) -> None:
    """It is told before the row that it is in."""
    place = first(forged, name, action, table)
    message = forged.of(name).lines[place].message
    forged.unsay(name, place)
    forged.say(name, first(forged, name, "table_events", table), "heard", message)


# What follows from rows

WORDS = "not in the journal"
for _field, _value in {"player": 4, "name": "dora", "seat": 1, "reason": "dropped"}.items():
    LIES[f"someone_is_told_that_another_has_left_by_{_field}"] = (
        partial(alter, "player_left", "carl", "finished", {_field: _value}),
        WORDS,
        honest,
    )
for _action in ("player_left", "table_over"):
    LIES[f"{_action}_is_told_twice"] = (
        partial(again, _action, "carl", "finished"),
        WORDS,
        honest,
    )
    LIES[f"{_action}_is_told_early"] = (
        partial(bring_forward, _action, "carl", "finished"),
        WORDS,
        honest,
    )
    LIES[f"{_action}_is_not_told"] = (
        partial(silence, _action, "carl", "finished"),
        f"{WORDS}'s words|never told what follows",
        honest,
    )


# Who is seated

LIES["seated_is_told_of_another_game"] = (
    partial(alter, "seated", "bert", "finished", {"game": "sicbo"}),
    "another game",
    honest,
)
LIES["seated_is_told_of_the_other_seat"] = (
    partial(alter, "seated", "bert", "finished", {"seat": 0}),
    WORDS,
    honest,
)
LIES["seated_is_told_of_no_seat"] = (
    partial(alter, "seated", "bert", "finished", {"seat": None}),
    WORDS,
    honest,
)
LIES["seated_is_told_twice"] = (
    partial(again, "seated", "bert", "finished"),
    "not shown the table",
    honest,
)


@lie("never told what follows")
def seated_is_told_without_a_view(forged: Forgery) -> None:
    lines = forged.of("bert").lines
    seated = lines[first(forged, "bert", "seated", "running")]
    lines.append(lines[-1]._replace(what="heard", text=seated.text))


# Challenges

for _field, _value in {
    "game": "four-stone",
    "player": 3,
    "challenge": 77,
    "name": "carl",
    "options": {"columns": 9},
}.items():

    def challenge(fields: Json, forged: Forgery) -> None:
        (place,) = forged.places("bert", "heard", "challenged")
        forged.retell("bert", place, **fields)

    LIES[f"someone_is_challenged_with_another_{_field}"] = (
        partial(challenge, {_field: _value}),
        "another name" if _field in ("name", "player") else "challenged (as nobody|to)",
        honest,
    )


@lie("challenged twice")
def a_challenge_is_told_twice(forged: Forgery) -> None:
    (place,) = forged.places("bert", "heard", "challenged")
    forged.say("bert", place, "heard", forged.of("bert").lines[place].message)


# What is said


LIES["chat_is_told_twice"] = (
    partial(again, "said", "anna", "finished"),
    "was not said again",
    honest,
)
LIES["chat_is_told_of_another_name"] = (
    partial(alter, "said", "anna", "finished", {"name": "dora"}),
    "another name",
    honest,
)


# Who drops out, comes back and watches


def tell(name: str, action: str, table: str, fields: Json, forged: Forgery) -> None:
    """Something more, at the end of what was told of that table."""
    place = last(forged, name, "table_events", table)
    told = {"table": forged.tables[table], **fields}
    forged.say(name, place, "heard", {"action": action, "payload": told})


for _action in ("player_dropped", "player_back"):
    for _what, _told, _found in (
        ("another_name", {"player": 2, "name": "dora"}, "another name"),
        ("someone_elsewhere", {"player": 4, "name": "carl"}, "never had a seat there"),
        ("oneself", {"player": 1, "name": "anna"}, "of itself"),
    ):
        LIES[f"{_action}_is_told_of_{_what}"] = (
            partial(tell, "anna", _action, "running", {**_told, "seconds": 5.0}),
            _found,
            honest,
        )
LIES["player_dropped_is_told_of_a_seat_that_is_not_kept"] = (
    partial(
        tell, "anna", "player_dropped", "running", {"player": 2, "name": "bert", "seconds": 0.0}
    ),
    "not kept",
    honest,
)


@lie("who watch, not of 0 to 2")
def more_are_told_to_watch_than_there_are(forged: Forgery) -> None:
    tell("anna", "watching", "finished", {"count": 3}, forged)


for _count in (0, 77):
    LIES[f"a_view_says_that_{_count}_watch"] = (
        partial(alter, "table_view", "carl", "finished", {"watching": _count}),
        "who watch, not of 1 to 2",
        honest,
    )


# Views


def clock(name: str, table: str, field: str, change: Any, forged: Forgery) -> None:
    place = first(forged, name, "table_view", table)
    shown = forged.told(name, place)["clock"]
    forged.retell(name, place, clock={**shown, field: change(shown[field])})


for _field, _change in {
    "due_ms": lambda due_ms: due_ms + 1,
    "seat": lambda _: 1,
    "now_ms": lambda now_ms: now_ms - 1_000_000,
}.items():
    LIES[f"a_clock_has_another_{_field}"] = (
        partial(clock, "dora", "sicbo", _field, _change),
        "saw clock",
        honest,
    )
for _table, _clock in {"sicbo": None, "running": {"due_ms": 1, "seat": 0, "now_ms": 1}}.items():
    LIES[f"a_view_of_the_{_table}_table_has_another_clock"] = (
        partial(alter, "table_view", "anna", _table, {"clock": _clock}),
        "something is due|nothing is due",
        honest,
    )
LIES["a_view_has_another_picture"] = (
    partial(alter, "table_view", "anna", "running", {"picture": None}),
    "saw picture",
    honest,
)
LIES["a_view_of_a_public_table_has_a_key"] = (
    partial(alter, "table_view", "anna", "running", {"key": "0" * 16}),
    "which is public",
    honest,
)


@lie("saw players")
def a_view_says_that_someone_has_left(forged: Forgery) -> None:
    place = first(forged, "anna", "table_view", "running")
    one, *others = forged.told("anna", place)["players"]
    forged.retell("anna", place, players=[{**one, "left": True}, *others])
