"""Whether what people were told, across any number of crashes, is what the journals say.

* an accepted request is in the journal, once, at the seq that was acknowledged, whoever sent it
  again and however often got the same answer, and there is no row that nobody asked for
* nobody was told of an event that is not in the journal, at that very place
* on each connection rows come in order, without a gap and without a repetition, and an answer comes
  before the notice of what it has caused
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.system.e2e.clients import Client, Json
from tests.system.e2e.logs import Log
from tests.system.e2e.survivors import Request, Survivor

Logs = Mapping[int, Log]

AT_A_ROW = {
    "act": None,
    "offer_draw": {"type": "offer_draw"},
    "rematch": {"type": "rematch"},
    "leave": {"type": "leave", "reason": "left"},
}
"""Actions that are answered with the seq of their row, and the command that it holds."""


def check(people: Iterable[Survivor], logs: Logs) -> None:
    """Raises AssertionError."""
    claimed: dict[tuple[int, int], str] = {}
    for person in people:
        for id, request in person.requests.items():
            answer = _one_answer(person, id)
            place = _check_answer(person, request, answer, logs)
            if place is not None:
                assert place not in claimed, f"{id} and {claimed[place]} are one row: {place}"
                claimed[place] = id
        for client in person.connections:
            _check_heard(client, logs)
            _check_answers_first(client)
        _check_never_back(person)
    _check_all_claimed(claimed, people, logs)


def _answers(person: Survivor, id: str) -> list[Json]:
    return [
        message
        for client in person.connections
        for message in client.heard
        if message.get("requestId") == id
    ]


def _one_answer(person: Survivor, id: str) -> Json | None:
    """What the request was answered each time it was accepted; None: it was refused."""
    answers = _answers(person, id)
    assert answers, f"{id} was never answered"
    accepted = [answer for answer in answers if answer["action"] != "error"]
    assert all(answer == accepted[0] for answer in accepted), f"{id} has answers: {accepted}"
    # Once accepted it stays so, unless its scope has ended.
    late = answers[len(accepted) :] if accepted else []
    assert all(answer["payload"]["code"] == "round_running" for answer in late), f"{id}: {answers}"
    return accepted[0] if accepted else None


def _check_answer(
    person: Survivor, request: Request, message: Json | None, logs: Logs
) -> tuple[int, int] | None:
    """The row that the request has caused, if it is one of its own."""
    if message is None or request.action == "watch":
        return None
    answer = message["payload"]
    log = logs[answer["table"]]
    if request.action == "open_table":
        assert log.row(1)["command"]["reserved"][0]["player"] == person.player
        return (answer["table"], 1)
    if request.action == "sit":
        (row,) = [
            row
            for row in log.rows
            if row["command"]["type"] == "sit"
            and row["command"]["person"]["player"] == person.player
        ]
        drawn = any(event["type"] == "seats_drawn" for event in row["events"])
        seat = answer["seat"]
        assert log.chairs[row["seq"]].get(seat) == person.player if drawn else seat is None
        return (answer["table"], row["seq"])
    assert answer["seq"] <= log.head, f"{person.name}: {answer} is lost, of {log.head} rows"
    row = log.row(answer["seq"])
    command = AT_A_ROW[request.action] or request.payload["command"]
    by = log.chairs[row["seq"] - 1].get(row["seat"])
    told = f"{person.name}: {answer} is another's row: {row}"
    assert (row["command"], by) == (command, person.player), told
    return (answer["table"], row["seq"])


def _check_all_claimed(
    claimed: Mapping[tuple[int, int], str], people: Iterable[Survivor], logs: Logs
) -> None:
    """A row that nobody's request has caused was written twice, or for nobody."""
    unheard = sum(
        1
        for person in people
        for id, request in person.requests.items()
        if request.action == "rematch" and _one_answer(person, id) is None
    )
    unclaimed = [
        (table, row["seq"], row["command"])
        for table, log in logs.items()
        for row in log.rows
        if (table, row["seq"]) not in claimed
    ]
    rematches = [row for row in unclaimed if row[-1]["type"] == "rematch"]
    assert unclaimed == rematches, f"nobody asked for {unclaimed}"
    assert len(unclaimed) == unheard, f"nobody asked for all of {unclaimed}"


def _check_heard(client: Client, logs: Logs) -> None:
    assert client.unasked == [], "a request was answered twice"
    known: dict[int, int] = {}
    for message in client.heard:
        notice = message["payload"]
        match message["action"]:
            case "table_events":
                table, after, seq = notice["table"], notice["after"], notice["seq"]
                assert after == known.get(table, after) < seq, f"out of order: {notice}"
                events = logs[table].events(after, seq)
                there = seq <= logs[table].head and notice["events"] == events
                assert there, f"not in the journal: {notice}"
                known[table] = seq
            case "table_view":
                table, seq = notice["table"], notice["seq"]
                assert known.get(table, 0) <= seq, f"out of order: {notice}"
                assert seq <= logs[table].head, f"not in the journal: {notice}"
                known[table] = seq
                if notice["status"] == "playing":
                    assert notice["view"]["board"] == logs[table].board(seq), notice
            case "table_over":
                table, seq = notice["table"], notice["seq"]
                assert known[table] == seq, f"out of order: {notice}"
                assert notice["hash"] == logs[table].hashes[seq], notice


def _check_answers_first(client: Client) -> None:
    told: set[tuple[int, int]] = set()
    answered: set[str] = set()
    for message in client.heard:
        payload = message["payload"]
        if message["action"] == "table_events":
            seqs = range(payload["after"] + 1, payload["seq"] + 1)
            told |= {(payload["table"], seq) for seq in seqs}
        elif "seq" in payload and message.get("requestId") not in (None, *answered):
            answered.add(message["requestId"])
            late = (payload["table"], payload["seq"]) in told
            assert not late, f"told of it before the answer: {message}"


def _check_never_back(person: Survivor) -> None:
    """What someone has seen of a table is still there on every later connection."""
    seen: dict[int, int] = {}
    for client in person.connections:
        for message in client.heard:
            if message["action"] in ("table_view", "table_events"):
                notice = message["payload"]
                assert seen.get(notice["table"], 0) <= notice["seq"], (person.name, notice)
                seen[notice["table"]] = notice["seq"]
