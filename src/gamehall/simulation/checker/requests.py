"""Whether what players were told at any node, whatever befell it, is what the journals say.

* an acknowledged request is in the journal, once, in the row that was named, as it was sent; one
  that was refused is not, and there is no row for a request that nobody sent
* nobody was told of an event that is not in the journal, in that very row and as its seat may see
  it; every view is the state after its row
* on each connection rows come in order, without a gap and without a repetition, an answer comes
  before the notice of what it has caused, and who resumes does not go back
* who was paired was paired once, and what was said was said by someone
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence

from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.streams import Stream
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house

WITH_A_ROW = ("act", "leave", "rematch", "offer_draw", "answer_draw")
"""Actions that are answered with the row that they have caused."""

IN_MEMORY = ("seek", "challenge", "accept", "refuse", "withdraw", "say")
"""Actions that are remembered for as long as the player is there at most."""

Place = tuple[int, int]
"""A table, and a row of its journal."""


class Asked:
    """One request of a player: how often it was sent, and what was answered."""

    def __init__(self, message: Json) -> None:
        self.message = message
        self.action: str = message["action"]
        self.payload: Json = message["payload"]
        self.sent = 0
        self.connections: set[int] = set()
        """On which it was sent."""
        self.answers: list[Json] = []

    @property
    def accepted(self) -> Json | None:
        """The answer's payload, if it was ever accepted."""
        for answer in self.answers:
            if answer["action"] != "error":
                payload: Json = answer["payload"]
                return payload
        return None

    @property
    def refused(self) -> bool:
        """Whether it was surely not done: it was sent once, and refused."""
        (code,) = [answer["payload"].get("code") for answer in self.answers][:1] or [None]
        return self.sent == 1 and self.accepted is None and code not in (None, "unavailable")

    @property
    def digest(self) -> bytes:
        raw = json.dumps(self.payload).encode()
        return hashlib.sha256(self.action.encode() + b"\0" + raw).digest()[:16]


def check(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    asked: dict[int, dict[str, Asked]] = {}
    for transcript in transcripts:
        # One person may have been here twice at a time.
        asked.setdefault(transcript.player, {}).update(_asked(transcript))
    places = _rows_that_were_asked_for(asked, books)
    said = _all_said(transcripts)
    for transcript in transcripts:
        mine = {id: place for (player, id), place in places.items() if player == transcript.player}
        for id, request in asked[transcript.player].items():
            _check_request(transcript, request, mine.get(id), books)
        for lines in transcript.by_connection():
            Stream(transcript, books, said).check(lines)
            _check_answers_first(transcript, lines, asked[transcript.player], mine)
        _check_pairs(transcript, asked[transcript.player], books)


# Requests


def _asked(transcript: Transcript) -> dict[str, Asked]:
    found: dict[str, Asked] = {}
    open: Counter[tuple[int, str]] = Counter()
    for line in transcript.lines:
        if line.what not in ("sent", "heard"):
            continue
        message = line.message
        id = message.get("requestId")
        if id is None:
            continue
        if line.what == "sent":
            request = found.setdefault(id, Asked(message))
            assert request.message == message, f"{id} was used twice"
            request.sent += 1
            request.connections.add(line.connection)
            open[line.connection, id] += 1
        else:
            unasked = f"{transcript.name}: answered twice, or nobody asked: {message}"
            assert open[line.connection, id] > 0, unasked
            open[line.connection, id] -= 1
            found[id].answers.append(message)
    return found


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
        lasting = {_lasting(each, request) for each in accepted}
        assert len(lasting) == 1, f"{told} has answers {accepted}"
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
    if request.action == "act":
        command = as_json(row.command)
        assert request.payload["command"].items() <= command.items(), f"{told} is {command}"


def _leaves_no_row(request: Asked, journal: Journal) -> bool:
    state = journal.states[-1]
    return request.action == "leave" and state is not None and state.walk_in


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


# Beside the tables


def _check_pairs(transcript: Transcript, asked: dict[str, Asked], books: Books) -> None:
    """As often as someone wanted to be paired, and no more often, there is a table for it."""
    me = transcript.player
    paired: Counter[str] = Counter()
    for journal in books.journals.values():
        opened = journal.rows[0].command if journal.rows else None
        assert isinstance(opened, house.Open), f"table {journal.table} was never opened"
        mine = journal.origin.startswith("pair:") and me in [p.player for p in opened.reserved]
        if mine and not called_off(journal):
            paired[journal.game.name] += 1
    sought: Counter[str] = Counter()
    for request in asked.values():
        if request.action == "seek" and not request.refused:
            # A wish ends with its connection: the same id may be another wish on the next.
            sought[request.payload["game"]] += len(request.connections)
    more = paired - sought
    assert not more, f"{transcript.name} was paired more often than it asked: {more}"
    for request in asked.values():
        if request.action == "accept" and request.accepted is not None:
            journal = _journal(books, request.accepted["table"], str(request.message))
            opened = journal.rows[0].command
            assert isinstance(opened, house.Open)
            players = [person.player for person in opened.reserved]
            assert me in players, f"{transcript.name} accepted, and others play: {players}"


def _all_said(transcripts: Iterable[Transcript]) -> set[tuple[int, int, str]]:
    """Table, player and text of all that anyone wanted to say."""
    found = set()
    for transcript in transcripts:
        for line in transcript.lines:
            if line.what == "sent" and '"say"' in line.text:
                payload = line.message["payload"]
                found.add((payload["table"], transcript.player, payload["text"]))
    return found


def called_off(journal: Journal) -> bool:
    """One of the two had gone before they could sit down: the other's wish stands."""
    state = journal.states[-1]
    return state is not None and state.closed == "gone" and not state.chairs
