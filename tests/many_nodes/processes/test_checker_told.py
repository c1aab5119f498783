"""What people were told, with something wrong in it: the checker finds each fault, forged."""

from __future__ import annotations

from typing import Any

import pytest

from tests.many_nodes.processes.recording import Forge, Recording, finds
from tests.system.e2e.clients import Json


def first(true: Recording, name: str, action: str, table: str) -> int:
    return true.places(name, "heard", action, true.tables[table])[0]


def last(true: Recording, name: str, action: str, table: str) -> int:
    return true.places(name, "heard", action, true.tables[table])[-1]


def changed(name: str, place: int, **fields: Any) -> Forge:
    return lambda forged: forged.forge(name, place, lambda told: told.update(fields))


def test_events_that_are_not_in_the_journal(true: Recording) -> None:
    place = last(true, "carl", "table_events", "finished")
    events = true.of("carl").lines[place].message["payload"]["events"]
    other = [{**events[0], "column": 6}, *events[1:]]
    assert "not in the journal" in finds(true, changed("carl", place, events=other))
    assert "not in the journal" in finds(true, changed("carl", place, events=events[1:]))
    assert "not in the journal" in finds(true, changed("carl", place, seq=99))
    assert "told nothing" in finds(true, changed("carl", place, events=[]))
    assert "no table of the hall" in finds(true, changed("carl", place, table=4711))


def test_cards_that_are_for_other_eyes(true: Recording) -> None:
    def dealt(name: str) -> tuple[int, list[Json]]:
        for place in true.places(name, "heard", "table_events", true.tables["bingo"]):
            events: list[Json] = true.of(name).lines[place].message["payload"]["events"]
            if any(event["type"] == "cards_dealt" for event in events):
                return place, events
        raise AssertionError("nobody was dealt a card")

    place, _ = dealt("anna")
    _, others = dealt("bob")
    assert "not in the journal" in finds(true, changed("anna", place, events=others))


def test_boards_that_are_for_other_eyes(true: Recording) -> None:
    for place in true.places("anna", "heard", "table_view", true.tables["duel"]):
        view = true.of("anna").lines[place].message["payload"]["view"]
        if view is not None and view["turn"] is not None:
            break
    sides = [{**side, "lines": 0} for side in view["sides"]]
    assert "saw view" in finds(true, changed("anna", place, view={**view, "sides": sides}))


def test_a_gap(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        del forged.of("carl").lines[place]

    place = true.places("carl", "heard", "table_events", true.tables["finished"])[1]
    assert "has a gap" in finds(true, forge)


def test_a_private_notice_that_is_missing(true: Recording) -> None:
    """No `after` shows it: spectators were told nothing of that row."""

    def forge(forged: Recording) -> None:
        transcript, table = forged.of("anna"), forged.tables["sicbo"]
        notices = forged.places("anna", "heard", "table_events", table)
        lost = next(n for n in notices if '"bet_placed"' in transcript.lines[n].text)
        views = forged.places("anna", "heard", "table_view", table)
        gone = {lost, *(view for view in views if view > lost)}
        transcript.lines = [line for n, line in enumerate(transcript.lines) if n not in gone]

    assert "not in the journal" in finds(true, forge)


def join_rounds(forged: Recording) -> int:
    """Makes one notice of those from the end of anna's bets to the next round's start, as a node
    tells it that was behind; its place."""
    transcript, table = forged.of("anna"), forged.tables["sicbo"]
    notices = forged.places("anna", "heard", "table_events", table)
    told = {n: transcript.lines[n].message["payload"] for n in notices}

    def first_of(type: str, after: int) -> int:
        named = (n for n in notices if n > after and f'"{type}"' in transcript.lines[n].text)
        return next(named)

    begin = first_of("settled", 0)
    end = first_of("started", begin)
    joined = [told[n] for n in notices if begin <= n <= end]
    events = [event for each in joined for event in each["events"]]
    after, seq = joined[0]["after"], joined[-1]["seq"]
    forged.forge("anna", begin, lambda notice: notice.update(after=after, seq=seq, events=events))
    for over in forged.places("anna", "heard", "table_over", table):
        if begin < over < end:
            forged.forge("anna", over, lambda ended: ended.update(seq=seq, after=seq))
    gone = {n for n in notices if begin < n <= end}
    transcript.lines = [line for n, line in enumerate(transcript.lines) if n not in gone]
    return begin


def test_two_rounds_in_one_notice(true: Recording) -> None:
    """Who bet had its seat in the first of them alone, and is told what its bets brought."""
    joined = true.copy()
    join_rounds(joined)
    joined.check()


def test_bets_that_are_missing_among_two_rounds(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        def unsettle(told: Json) -> None:
            told["events"] = [event for event in told["events"] if event["type"] != "settled"]

        forged.forge("anna", join_rounds(forged), unsettle)

    assert "not in the journal" in finds(true, forge)


def test_what_was_told_twice(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        lines = forged.of("carl").lines
        lines.insert(place, lines[place])

    place = first(true, "carl", "table_events", "finished")
    assert "was told twice" in finds(true, forge)


def test_what_was_told_before_its_answer(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        lines = forged.of("anna").lines
        later = next(n for n in places if n > answer)
        lines.insert(later, lines.pop(answer))

    answer = first(true, "anna", "act", "finished")
    places = true.places("anna", "heard", "table_events", true.tables["finished"])
    assert "before the answer" in finds(true, forge)


@pytest.mark.parametrize("table", ["finished", "duel", "bingo", "sicbo", "running"])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "void"), ("round", 77), ("commitment", "00"), ("count", 77), ("seat", 77),
        ("legal", [{"type": "none"}]), ("rematch", [77]), ("players", []), ("outcome", {}),
        ("options", {}), ("view", {"of": "another"}),
    ],
)  # fmt: skip
def test_a_view_that_is_wrong(true: Recording, table: str, field: str, value: object) -> None:
    place = last(true, "anna", "table_view", table)
    assert f"saw {field}" in finds(true, changed("anna", place, **{field: value}))


def test_a_view_of_a_row_that_is_not_there(true: Recording) -> None:
    place = first(true, "anna", "table_view", "finished")
    assert "not in the journal" in finds(true, changed("anna", place, seq=99))


def test_a_view_that_goes_back(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        lines = forged.of("anna").lines
        lines.insert(later + 1, lines[early])

    early = first(true, "anna", "table_view", "finished")
    later = last(true, "anna", "table_events", "finished")
    assert "went back" in finds(true, forge)


def test_who_resumes_and_goes_back(true: Recording) -> None:
    """On a new connection nothing was told yet, but its player has seen more."""

    def forge(forged: Recording) -> None:
        transcript = forged.of("bob")
        resumed = next(
            place
            for place, line in enumerate(transcript.lines)
            if line.connection == 1 and line.what == "heard" and '"resume"' in line.text
        )
        forged.forge("bob", resumed, lambda answer: answer.update(missed=None))
        view = transcript.lines[first(forged, "bob", "table_view", "running")]
        transcript.lines.insert(resumed + 1, view._replace(connection=1))

    assert "went back" in finds(true, forge)


def test_an_end_that_is_wrong(true: Recording) -> None:
    place = first(true, "carl", "table_over", "finished")
    for fields in ({"secret": "00"}, {"hash": "00"}, {"round": 2}):
        assert "not in the journal" in finds(true, changed("carl", place, **fields))
    assert "out of order" in finds(true, changed("carl", place, seq=3))


def test_who_left_and_sat_down_only_in_someones_ears(true: Recording) -> None:
    place = true.places("bob", "heard", "player_left")[0]
    assert "not in the journal" in finds(true, changed("bob", place, seat=77))
    place = first(true, "bob", "seated", "finished")
    assert "not in the journal" in finds(true, changed("bob", place, seat=77))


def test_what_nobody_said(true: Recording) -> None:
    place = first(true, "anna", "said", "finished")
    assert "what nobody said" in finds(true, changed("anna", place, text="badly played"))


def test_someone_who_was_paired_twice(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        forged.rewrite(forged.tables["finished"], origin="pair:1")

    assert "paired more often" in finds(true, forge)


def test_a_challenge_that_brought_others_together(true: Recording) -> None:
    place = true.places("bob", "heard", "accept")[0]
    other = true.tables["bingo"]
    assert "others play" in finds(true, changed("bob", place, table=other))
