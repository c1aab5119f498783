"""Whether lists of tables, the history and journals say what has been written.

What someone was told before it asked is durable, so it must be there: tables and rounds that it
has heard of are on their page, and none is shown older than it was seen. Whatever else was there at
that moment, nobody can know afterwards. Of lists that leave out more than a page does, and of
journals of one round, only what is there is judged, and not what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.private import is_private
from gamehall.simulation.checker.transcripts import Json, Transcript
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

NAMES_MAX = 50
Round = tuple[int, int]
"""A table, and the number of one of its rounds."""


class Answers:
    """Those that one person was given, and what it knew when it asked."""

    def __init__(self, transcript: Transcript, books: Books, rounds: Mapping[Round, Json]) -> None:
        self._name = transcript.name
        self._lines = transcript.lines
        self._books = books
        self._rounds = rounds
        self._heads: dict[int, int] = {}
        """The last row that it was told of, by table."""
        self._over: set[Round] = set()
        """Rounds whose end it was told."""

    def check(self) -> None:
        """Raises AssertionError."""
        asked: dict[str, tuple[Json, dict[int, int], set[Round]]] = {}
        for line in self._lines:
            if line.what not in ("sent", "heard"):
                continue
            message = line.message
            action, payload = message["action"], message.get("payload") or {}
            if line.what == "sent":
                if action in ("list_tables", "history", "journal"):
                    knew = (payload, dict(self._heads), set(self._over))
                    asked[message["requestId"]] = knew
                continue
            match action:
                case "table_view" | "table_events":
                    known = self._heads.get(payload["table"], 0)
                    self._heads[payload["table"]] = max(known, payload["seq"])
                case "table_over" if payload["outcome"] is not None:
                    self._over.add((payload["table"], payload["round"]))
                case "list_tables":
                    wanted, heads, _ = asked[message["requestId"]]
                    self._tables(wanted, payload, heads)
                case "history":
                    wanted, _, over = asked[message["requestId"]]
                    self._history(wanted, payload, over)
                case "journal":
                    wanted, heads, _ = asked[message["requestId"]]
                    self._journal(wanted, payload, heads)

    # Tables

    def _tables(self, wanted: Json, answer: Json, heads: Mapping[int, int]) -> None:
        tables = answer["tables"]
        shown = [each["id"] for each in tables]
        assert shown == sorted(set(shown)), f"{self._name} saw tables out of order: {shown}"
        for item in tables:
            self._table(item, heads.get(item["id"], 0))
        if wanted.keys() - {"after", "limit"}:
            return
        for table in heads.keys() - set(shown):
            on_page = table > wanted.get("after", 0) and (not answer["next"] or table < shown[-1])
            missing = on_page and _is_open(self._books.journals[table])
            assert not missing, f"{self._name} knows table {table}, and saw no such one: {shown}"

    def _table(self, item: Json, known: int) -> None:
        journal, head = self._books.journals.get(item["id"]), item["head"]
        assert journal is not None, f"{self._name} saw a table in a list that is not there: {item}"
        late = f"{self._name} saw a table in a list as it was not, with {known} known: {item}"
        assert max(known, 1) <= head <= journal.head, late
        expected = _listed(journal, head)
        kept = {field: item[field] for field in expected}
        assert kept == expected, f"{self._name} saw in a list of tables {kept}, not {expected}"
        state = journal.states[head]
        assert state is not None
        opened = [row.at_ms for row in journal.rows[:head]]
        assert item["opened_at_ms"] in opened, f"{self._name} saw when no row was: {item}"
        memory = (as_json(state.opened.options), journal.game.seats(state.options).most)
        told = (item["options"], item["most"])
        assert told in ((None, None), memory), f"{self._name} saw {told}, not {memory}: {item}"

    # History

    def _history(self, wanted: Json, answer: Json, over: set[Round]) -> None:
        shown = [(each["table"], each["round"]) for each in answer["rounds"]]
        assert shown == sorted(set(shown), reverse=True), f"{self._name} saw in disorder: {shown}"
        for place, item in zip(shown, answer["rounds"], strict=True):
            written = self._rounds.get(place)
            assert item == written, f"{self._name} saw in the history {item}, not {written}"
        if wanted.keys() - {"limit"}:
            return
        for place in over.difference(shown):
            on_page = not answer["next"] or place > shown[-1]
            private = is_private(self._books.journals[place[0]])
            missing = f"{self._name} knows the end of round {place}, and saw no such one: {shown}"
            assert private or not on_page, missing

    # Journals

    def _journal(self, wanted: Json, page: Json, heads: Mapping[int, int]) -> None:
        journal, head = self._books.journals.get(wanted["table"]), page["head"]
        assert journal is not None, f"{self._name} read a journal that is not there: {page}"
        saw = f"{self._name} read in the journal of table {journal.table}"
        assert 1 <= head <= journal.head, f"{saw} {head} rows of {journal.head}"
        assert (page["table"], page["hash"]) == (journal.table, journal.hashes[head]), (
            f"{saw} that row {head} has hash {page['hash']}"
        )
        if wanted.get("round") is not None:
            written = [msgspec.json.decode(line) for line in journal.lines]
            assert all(row in written for row in page["rows"]), f"{saw} {page['rows']}"
            return
        assert head >= heads.get(journal.table, 0), f"{saw} no more than {head} rows"
        after, upto = wanted.get("after", 0), page["next"] or head
        assert after < upto or not page["rows"], f"{saw} rows up to {upto} after {after}"
        running = _running_from(journal, head)
        expected = [
            row
            for seq in range(after + 1, upto + 1)
            for row in _as_read(journal, seq, hides=seq >= running, opens=seq == running)
        ]
        assert page["rows"] == expected, f"{saw} {page['rows']}, not {expected}"


def check_answers(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    rounds = dict(each for journal in books.journals.values() for each in _finished(journal))
    for transcript in transcripts:
        Answers(transcript, books, rounds).check()


def _is_open(journal: Journal) -> bool:
    """Whether it is to this day, and everyone may know of it."""
    state = journal.states[-1]
    return state is not None and state.closed is None and not is_private(journal)


def _opened_at(journal: Journal, head: int) -> int:
    """The row in which the round opened that was the last by then."""
    return max(
        row.seq
        for row in journal.rows[:head]
        if any(isinstance(event, house.Opened) for event in row.events)
    )


def _listed(journal: Journal, head: int) -> Json:
    """A table as a list has it when that was its last row."""
    state = journal.states[head]
    assert state is not None
    seats = [] if state.walk_in else sorted(state.seat_of.values())
    return {
        "game": journal.game.name,
        "status": state.status,
        "round": state.opened.round,
        "round_seq": _opened_at(journal, head),
        "hash": journal.hashes[head],
        "names": [state.chairs[seat].name for seat in seats[:NAMES_MAX]],
        "count": len(state.seat_of),
        "private": state.opened.private,
        "rated": state.opened.rated,
        "changed_at_ms": journal.rows[head - 1].at_ms,
    }


def _finished(journal: Journal) -> Iterator[tuple[Round, Json]]:
    """Each round that was played to its end, as the history has it."""
    for row in journal.rows:
        state = journal.states[row.seq - 1]
        if not any(isinstance(event, house.RoundEnded) for event in row.events):
            continue
        state = None if state is None else journal.rules.fork(state)
        for event in row.events:
            if isinstance(event, house.RoundEnded) and state is not None:
                item = {
                    "table": journal.table,
                    "game": journal.game.name,
                    "round": state.opened.round,
                    "first_seq": _opened_at(journal, row.seq - 1),
                    "last_seq": row.seq,
                    "hash": journal.hashes[row.seq],
                    "ended_at_ms": event.at_ms,
                    "reason": event.outcome.reason,
                    "rated": state.opened.rated,
                    "results": list(_results(journal, state, event)),
                }
                yield (journal.table, state.opened.round), item
            state = journal.rules.apply(state, event)


def _results(journal: Journal, state: TableState, ended: house.RoundEnded) -> Iterator[Json]:
    """What it was for each seat that counts. Of those who walk in, the ledger says it."""
    winners, scores = ended.outcome.winners, ended.outcome.scores or {}
    for seat, person in () if state.walk_in else sorted(journal.rules.players(state).items()):
        lost = bool(winners) or seat in state.quitters
        result = "win" if seat in winners else "loss" if lost else "draw"
        told = {"seat": seat, "player": person.player, "name": person.name}
        yield {**told, "result": result, "score": scores.get(seat)}


def _running_from(journal: Journal, head: int) -> int:
    """The first row of the round that was played then; one that is not there, if none was."""
    state = journal.states[head]
    over = state is None or state.status in ("over", "closed")
    return head + 1 if over else _opened_at(journal, head)


def _as_read(journal: Journal, seq: int, *, hides: bool, opens: bool) -> Iterator[Json]:
    """The row as it was hashed, or, of a round that is played, as spectators may see it: no row at
    all, if they see nothing of it."""
    row, line = journal.rows[seq - 1], msgspec.json.decode(journal.lines[seq - 1])
    seen = journal.seen_by_all(row)
    own = [event for event in row.events if type(event) not in house.EVENT_TYPES]
    open_to_all = opens and all(journal.game.seen(event, None) == event for event in own)
    if not hides or open_to_all:
        yield line
    elif seen:
        kept = {field: line.get(field) for field in ("table", "seq", "round", "at_ms", "seat")}
        yield {**kept, "events": seen, "filtered": True}
