"""Whether what players were told at any node, whatever befell it, is what the journals say.

* an acknowledged request is in the journal, once, in the row that was named, as it was sent; one
  that was refused is not, and there is no row for a request that nobody sent
* nobody was told of an event that is not in the journal, in that very row and as its seat may see
  it; every view is the state after its row
* on each connection rows come in order, without a gap and without a repetition, an answer comes
  before the notice of what it has caused, and who resumes does not go back
* what is told beside the rows is judged in `native`
* who stays connected is answered
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from gamehall.simulation.checker.asked import Asked, asked_by_player
from gamehall.simulation.checker.challenges import check_challenges
from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.lobby import check_wishes
from gamehall.simulation.checker.native.facts import Facts
from gamehall.simulation.checker.streams import Stream
from gamehall.simulation.checker.tournaments import check_entries
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house

DRAWS = ("offer_draw", "answer_draw")
"""Actions that are commands of some games, by their names."""
WITH_A_ROW = ("act", "leave", "rematch", *DRAWS)
"""Actions that are answered with the row that they have caused."""

IN_MEMORY = ("seek", "challenge", "accept", "refuse", "withdraw", "say")
"""Actions that are remembered for as long as the player is there at most."""

Place = tuple[int, int]
"""A table, and a row of its journal."""


def check(transcripts: Sequence[Transcript], books: Books, elsewhere: int) -> None:
    """`elsewhere`: how many connections there were beside these. Raises AssertionError."""
    asked = asked_by_player(transcripts)
    places = _rows_that_were_asked_for(asked, books)
    for transcript in transcripts:
        mine = {id: place for (player, id), place in places.items() if player == transcript.player}
        for id, request in asked[transcript.player].items():
            _check_request(transcript, request, mine.get(id), books)
        for lines in transcript.by_connection():
            _check_answers_first(transcript, lines, asked[transcript.player], mine)
            _check_answered(transcript.name, lines)
        check_wishes(transcript, asked[transcript.player], books)
        check_entries(transcript, asked[transcript.player], books)
    check_challenges(transcripts, asked, books)
    facts = Facts(transcripts, asked, books, elsewhere)
    for transcript in transcripts:
        for lines in transcript.by_connection():
            Stream(transcript, books, facts).check(lines)


# Requests


def _rows_that_were_asked_for(
    asked: dict[int, dict[str, Asked]], books: Books
) -> dict[tuple[int, str], Place]:
    """Where each request of a player is, by the player and the request's id."""
    places: dict[tuple[int, str], Place] = {}
    for request, journal, seq in books.caused_by():
        place = (journal.table, seq)
        key = (request.player, request.id)
        assert key not in places, f"{key} is there twice: {places[key]} and {place}"
        places[key] = place
        if request.player not in asked:
            continue  # Not one of those who were listened to.
        known = asked[request.player].get(request.id)
        assert known is not None, f"nobody asked for {key} at {place}"
        assert known.digest == request.digest, f"{key} at {place} is not what was sent"
        assert not known.refused, f"{key} was refused, and is there: {place}"
    return places


def _check_request(
    transcript: Transcript, request: Asked, place: Place | None, books: Books
) -> None:
    accepted = [answer for answer in request.answers if answer["action"] != "error"]
    told = f"{transcript.name}: {request.message}"
    answer = request.accepted
    if answer is None:
        return
    in_memory = request.action in IN_MEMORY and len(request.connections) > 1
    if not in_memory and not _is_note(request, books):
        lasting = {
            _lasting(each, request)
            for each in accepted
            if place is not None or not _changes_nothing(each, request, transcript.player, books)
        }
        assert len(lasting) <= 1, f"{told} has answers {accepted}"
    if request.action == "open_table":
        journal = _journal(books, answer["table"], told)
        assert place == (answer["table"], 1), f"{told} is lost: {place}"
        opened = journal.rows[0].command
        assert isinstance(opened, house.Open)
        assert [person.player for person in opened.reserved] == [transcript.player], told
    elif request.action == "sit":
        journal = _journal(books, answer["table"], told)
        players = [state.seat_of for state in journal.states if state is not None]
        sat = journal.states[-1] is not None and journal.states[-1].walk_in
        sat = sat or any(transcript.player in seats for seats in players)
        assert sat, f"{told} is lost"
    elif request.action in WITH_A_ROW:
        _check_row(transcript, request, answer, place, books)


def _check_row(
    transcript: Transcript, request: Asked, answer: Json, place: Place | None, books: Books
) -> None:
    told = f"{transcript.name}: {request.message}, answered {answer},"
    journal = _journal(books, answer["table"], told)
    if _leaves_no_row(request, journal) or _is_note(request, books):
        assert place is None, f"{told} has a row: {place}"
        assert answer["seq"] <= journal.head, f"{told} is lost"
        return
    if place is None and _wants_it_already(request, journal, transcript.player, answer["seq"]):
        return
    assert place == (answer["table"], answer["seq"]), f"{told} is lost: {place}"
    row = journal.rows[answer["seq"] - 1]
    seat = journal.seat(row.seq - 1, transcript.player)
    walked_in = journal.seat(row.seq, transcript.player)
    assert row.seat in (seat, walked_in), f"{told} is another's row: {row}"
    command = as_json(row.command)
    assert _wanted(request).items() <= command.items(), f"{told} is {command}"


def _wanted(request: Asked) -> Json:
    """What of the row's command is known."""
    if request.action == "act":
        wanted: Json = request.payload["command"]
        return wanted
    if request.action not in DRAWS:
        return {}
    fields = {name: value for name, value in request.payload.items() if name != "table"}
    return {"type": request.action, **fields}


def _leaves_no_row(request: Asked, journal: Journal) -> bool:
    state = journal.states[-1]
    return request.action == "leave" and state is not None and state.walk_in


def _changes_nothing(answer: Json, request: Asked, player: int, books: Books) -> bool:
    """Whether this answers a wish for a rematch that was there: kept nowhere, it counts anew."""
    if request.action != "rematch":
        return False
    told = answer["payload"]
    journal = books.journals.get(told["table"])
    return journal is not None and _wants_it_already(request, journal, player, told["seq"])


def _wants_it_already(request: Asked, journal: Journal, player: int, seq: int) -> bool:
    """Whether it is a second wish for a rematch by the same seat, which changes nothing."""
    if request.action != "rematch" or seq > journal.head:
        return False
    state = journal.states[seq]
    return state is not None and journal.seat(seq, player) in state.rematch


def _lasting(answer: Json, request: Asked) -> str:
    """What of an answer never changes: not the seat that is drawn later, nor how far the journal
    of a table has come that keeps no row of this."""
    payload = dict(answer["payload"])
    if request.action == "sit":
        payload.pop("seat")
    return json.dumps(payload)


def _is_note(request: Asked, books: Books) -> bool:
    """Whether it is kept in no journal, and so counts anew each time it comes."""
    journal = books.journals.get(request.payload.get("table", 0))
    if journal is None:
        return False
    if _leaves_no_row(request, journal):
        return True
    if request.action != "act":
        return False
    notes = [note.__struct_config__.tag for note in journal.game.notes]
    return request.payload["command"]["type"] in notes


def _journal(books: Books, table: int, told: str) -> Journal:
    assert table in books.journals, f"{told} is lost: there is no such table"
    return books.journals[table]


def _check_answers_first(
    transcript: Transcript,
    lines: Iterable[Line],
    asked: dict[str, Asked],
    places: dict[str, Place],
) -> None:
    told: dict[int, int] = {}
    for line in lines:
        if line.what != "heard":
            continue
        message = line.message
        payload = message.get("payload", {})
        if message["action"] == "table_events":
            told[payload["table"]] = payload["seq"]
        elif message["action"] in WITH_A_ROW and message["requestId"] in places:
            # One that was sent again may be told of first, by what was missed.
            once = asked[message["requestId"]].sent == 1
            late = once and told.get(payload["table"], 0) >= payload["seq"]
            assert not late, f"{transcript.name} was told before the answer {message}"


def _check_answered(name: str, lines: Iterable[Line]) -> None:
    """Everything was answered on a connection that has not ended."""
    waiting: dict[str, str] = {}
    for line in lines:
        if line.what == "ended":
            return
        if line.what == "sent":
            waiting[line.message["requestId"]] = line.text
        elif line.what == "heard":
            waiting.pop(line.message.get("requestId") or "", None)
    assert not waiting, f"{name} was never answered: {list(waiting.values())}"
