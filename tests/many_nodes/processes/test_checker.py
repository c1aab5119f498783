"""Requests and journals with something wrong in them: the checker finds each fault, forged."""

from __future__ import annotations

import hashlib
import json

import msgspec
import pytest

from gamehall.simulation.checker.journals import Request, Written, read_books
from gamehall.simulation.checker.transcripts import Line
from tests.many_nodes.processes.owners import Moment, OwnerWatch
from tests.many_nodes.processes.recording import Forge, Recording, compact, finds
from tests.many_nodes.processes.runs import check_ledger
from tests.store.postgres_server import peek
from tests.system.e2e.clients import Json


def test_a_run_that_went_well(true: Recording) -> None:
    true.check()
    assert set(true.tables) == {"finished", "duel", "bingo", "sicbo", "running"}


# Requests


def last_act(forged: Recording, table: str = "running") -> tuple[str, int]:
    """Who moved last at a table, and where its transcript has the answer."""
    id = forged.tables[table]
    request = forged.records[id].written[-1].request
    assert request is not None
    (name,) = [each.name for each in forged.transcripts if each.player == request.player]
    return name, forged.places(name, "heard", "act", id)[-1]


def test_what_was_acknowledged_and_is_lost(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["running"]
        for transcript in forged.transcripts:
            # Nobody but who moved has heard of it.
            transcript.lines = [
                line
                for line in transcript.lines
                if line.what != "heard" or not _tells_of(line, table, head)
            ]
        forged.write(table, list(forged.records[table].written[:-1]))

    head = true.records[true.tables["running"]].head
    assert "is lost" in finds(true, forge)


def _tells_of(line: Line, table: int, seq: int) -> bool:
    payload = line.message.get("payload", {})
    is_told = line.message["action"] in ("table_events", "table_view")
    return is_told and payload["table"] == table and payload["seq"] >= seq


def test_what_was_acknowledged_as_another_row(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        name, place = last_act(forged)
        forged.forge(name, place, lambda answer: answer.update(seq=answer["seq"] - 1))

    assert "is lost" in finds(true, forge)


def test_a_table_that_was_opened_and_is_lost(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        forged.forge("anna", place, lambda answer: answer.update(table=4711))

    place = true.places("anna", "heard", "open_table")[0]
    assert "is lost: there is no such table" in finds(true, forge)


def changed_request(true: Recording, **fields: object) -> Forge:
    def forge(forged: Recording) -> None:
        table = forged.tables["running"]
        *rows, last = forged.records[table].written
        assert last.request is not None
        request = msgspec.structs.replace(last.request, **fields)
        forged.rewrite(table, written=(*rows, Written(last.seq, last.line, request)))

    return forge


def test_what_nobody_asked_for(true: Recording) -> None:
    assert "nobody asked for" in finds(true, changed_request(true, id="other"))


def test_what_is_not_as_it_was_sent(true: Recording) -> None:
    assert "is not what was sent" in finds(true, changed_request(true, digest=b"0" * 16))


def test_what_is_there_twice(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["running"]
        rows = list(forged.records[table].written)
        row: Json = json.loads(rows[-1].line)
        row["seq"] += 1
        forged.write(table, [*rows, Written(row["seq"], compact(row), rows[-1].request)])

    assert "is there twice" in finds(true, forge)


def test_what_was_refused_and_is_there(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        name, place = last_act(forged)
        lines = forged.of(name).lines
        answer = lines[place].message
        answer.update(action="error", payload={"code": "not_your_turn", "message": "No."})
        lines[place] = lines[place]._replace(text=json.dumps(answer))

    assert "was refused, and is there" in finds(true, forge)


def test_what_was_answered_twice(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        name, place = last_act(forged)
        lines = forged.of(name).lines
        lines.insert(place, lines[place])

    assert "answered twice" in finds(true, forge)


def test_what_was_answered_in_two_ways(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        lines = forged.of("anna").lines
        place = forged.places("anna", "heard", "act", forged.tables["running"])[0]
        (sent,) = [
            line
            for line in lines
            if line.what == "sent" and line.message["requestId"] == id_at(lines, place)
        ]
        other = lines[place].message
        other["payload"]["seq"] += 1
        lines[place + 1 : place + 1] = [sent, sent._replace(what="heard", text=json.dumps(other))]

    assert "has answers" in finds(true, forge)


def id_at(lines: list[Line], place: int) -> str:
    id: str = lines[place].message["requestId"]
    return id


def test_a_row_that_is_anothers(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["running"]
        rows = list(forged.records[table].written)
        row = json.loads(rows[-1].line)
        row["seat"] = 1 - row["seat"]
        rows[-1] = Written(rows[-1].seq, compact(row), rows[-1].request)
        forged.write(table, rows)

    assert "is another's row" in finds(true, forge)


def test_a_note_that_has_a_row(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["bingo"]
        rows = list(forged.records[table].written)
        (place, *_) = (
            place
            for place in forged.places("anna", "sent", "act", table)
            if forged.of("anna").lines[place].message["payload"]["command"]["type"] == "ready"
        )
        message = forged.of("anna").lines[place].message
        raw = json.dumps(message["payload"]).encode()
        digest = hashed(b"act\0" + raw)
        called = next(n for n, row in enumerate(rows) if b'"called"' in row.line)
        request = Request(forged.of("anna").player, message["requestId"], digest)
        rows[called] = Written(rows[called].seq, rows[called].line, request)
        forged.rewrite(table, written=tuple(rows))

    assert "has a row" in finds(true, forge)


def hashed(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:16]


# What was written


def test_a_row_that_is_missing(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["finished"]
        written = forged.records[table].written
        forged.rewrite(table, written=(*written[:2], *written[3:]))

    assert "has rows" in finds(true, forge)


def test_a_row_that_was_changed(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["finished"]
        rows = list(forged.records[table].written)
        changed = rows[3].line.replace(b'"at_ms":1', b'"at_ms":2', 1)
        rows[3] = Written(rows[3].seq, changed, rows[3].request)
        forged.rewrite(table, written=tuple(rows))

    assert "the chain breaks" in finds(true, forge)


def test_dice_that_were_not_rolled(true: Recording) -> None:
    """The rows are chained, but the rules do not make them of the round's secret."""

    def forge(forged: Recording) -> None:
        table = forged.tables["sicbo"]
        rows = list(forged.records[table].written)
        place = next(n for n, row in enumerate(rows) if b'"rolled"' in row.line)
        row = json.loads(rows[place].line)
        for event in row["events"]:
            if event["type"] == "rolled":
                event["dice"] = [die % 6 + 1 for die in event["dice"]]
        rows[place] = Written(rows[place].seq, compact(row), rows[place].request)
        forged.write(table, rows[: place + 1])

    assert "Problem" in finds(true, forge)


def test_a_seat_that_is_kept_wrongly(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        forged.rewrite(forged.tables["running"], seated=frozenset({77}))

    assert "are kept" in finds(true, forge)


def test_someone_with_two_seats(true: Recording) -> None:
    def forge(forged: Recording) -> None:
        table = forged.tables["running"]
        rows = list(forged.records[table].written)
        row = json.loads(rows[-1].line)
        anna = {"player": forged.of("anna").player, "name": "anna"}
        row["events"] = [{"type": "seated", "seat": 5, "person": anna}]
        rows[-1] = Written(rows[-1].seq, compact(row), rows[-1].request)
        forged.write(table, rows)

    assert "two seats" in finds(true, forge)


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ("UPDATE balances SET chips = chips + 1", "UPDATE balances SET chips = chips - 1"),
        (
            "UPDATE transfers SET chips = chips + 1 WHERE table_id <> 0",
            "UPDATE transfers SET chips = chips - 1 WHERE table_id <> 0",
        ),
    ],
)
async def test_a_ledger_that_does_not_add_up(true: Recording, change: str, back: str) -> None:
    await check_ledger(true.url)
    await peek(true.url, change)
    with pytest.raises(AssertionError, match="add up"):
        await check_ledger(true.url)
    await peek(true.url, back)
    await check_ledger(true.url)


# Who owned what


async def test_owners_that_do_not_fit_together(true: Recording) -> None:
    books = read_books(list(true.records.values()))
    table = true.tables["finished"]
    hashes = books.journals[table].hashes

    def found(*moments: tuple[int, int, str, str | None]) -> str:
        watch = OwnerWatch.__new__(OwnerWatch)
        watch.seen = {}
        for moment in moments:
            watch.note(Moment(table, *moment))
        with pytest.raises(AssertionError) as found:
            watch.check(books)
        return str(found.value)

    assert "epoch has shrunk" in found((2, 1, hashes[1], "a"), (1, 1, hashes[1], "b"))
    assert "rows are gone" in found((1, 2, hashes[2], "a"), (1, 1, hashes[1], "a"))
    assert "rows have changed" in found((1, 2, "00", "a"))
    assert "two owners" in found((1, 2, hashes[2], "a"), (1, 3, hashes[3], "b"))
