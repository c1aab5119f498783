"""What came over one connection, message by message, held against the journals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.native.facts import Facts
from gamehall.simulation.checker.native.following import Following
from gamehall.simulation.checker.native.notices import AT_TABLES, Notices
from gamehall.simulation.checker.native.views import check_beside
from gamehall.simulation.checker.transcripts import Json, Line, Transcript

TOLD = ("table_view", "table_events", *AT_TABLES)


class Stream:
    """One connection of a player. It begins to follow a table with a view or a first notice."""

    def __init__(self, transcript: Transcript, books: Books, facts: Facts) -> None:
        self._name = transcript.name
        self._player = transcript.player
        self._journals = books.journals
        self._following = Following(self._name, self._player)
        self._notices = Notices(self._name, self._player, facts)
        self._known: dict[int, int] = {}
        """The last row that this connection was told of, by table."""
        self._follows: set[int] = set()
        """Tables that were shown to it, and of which it is told everything since."""
        self._watches: set[int] = set()
        self._left_at: set[int] = set()
        """Tables whose seats it has given up: it hears no more of them."""
        self._resuming: dict[str, Json] = {}
        self._not_before: dict[int, int] = {}
        """Where views must not be older than what its player had seen."""

    def check(self, lines: Iterable[Line]) -> None:
        """Raises AssertionError."""
        ended = False
        for line in lines:
            if line.what == "sent" and '"resume"' in line.text:
                self._resuming[line.message["requestId"]] = line.message["payload"]
            elif line.what == "heard":
                self._hear(line.message)
            ended = ended or line.what == "ended"
        if not ended:
            self._following.check_done()

    def _hear(self, message: Json) -> None:
        action, payload = message["action"], message.get("payload") or {}
        self._following.check(message, self._journals.get(payload.get("table", 0)))
        match action:
            case "resume":
                self._resume(self._resuming[message["requestId"]], payload)
            case "watch":
                self._watches.add(payload["table"])
            case "leave" | "unwatch":
                self._cease(payload["table"])
            case "challenged":
                self._notices.challenged(payload)
            case _ if action in TOLD:
                self._take(action, payload)

    def _take(self, action: str, told: Json) -> None:
        journal = self._journals.get(told["table"])
        assert journal is not None, f"{self._name} was told of no table of the hall's: {told}"
        match action:
            case "table_view":
                self._view(journal, told)
            case "table_events":
                self._events(journal, told)
            case _:
                self._notices.take(action, journal, told)
        if action == "seated":
            self._following.seated(told)

    def _resume(self, asked: Json, answer: Json) -> None:
        table, after = asked["table"], asked.get("after")
        if answer["missed"] is None:
            self._not_before[table] = after or 0
        elif after is not None:
            # What was missed is told from there on, whatever else came on this connection before.
            self._known[table] = after
            self._follows.add(table)

    def _cease(self, table: int) -> None:
        """It does not follow the table any more, and may be told of its own bets at most."""
        self._known.pop(table, None)
        self._follows.discard(table)
        self._watches.discard(table)
        self._left_at.discard(table)

    def _view(self, journal: Journal, told: Json) -> None:
        table, seq = told["table"], told["seq"]
        assert 1 <= seq <= journal.head, self._not_there(told)
        known = max(self._known.get(table, 0), self._not_before.pop(table, 0))
        assert seq >= known, f"{self._name} went back from {known}: {told}"
        self._known[table] = seq
        self._follows.add(table)
        expected = journal.view(seq, self._player)
        shown = {field: told[field] for field in expected}
        shown["players"] = [
            {field: value for field, value in player.items() if field != "here"}
            for player in told["players"]
        ]
        for field in expected:
            same = _journaled(journal, field, shown[field])
            there = _journaled(journal, field, expected[field])
            differs = f"{self._name} saw {field} {same} in place of {there} after row {seq} of"
            assert same == there, f"{differs} table {table}"
        check_beside(self._name, journal, told)
        # A closed table is let go, and with it who watched.
        unseated = told["status"] != "closed" and journal.seat(seq, self._player) is None
        watches = unseated and table in self._watches
        self._notices.check_watching(journal, told["watching"], told, least=int(watches))

    def _events(self, journal: Journal, told: Json) -> None:
        table, after, seq = told["table"], told["after"], told["seq"]
        assert after < seq <= journal.head, self._not_there(told)
        if table in self._left_at:
            self._cease(table)
        known = self._known.get(table)
        assert known is None or seq > known, f"{self._name} was told twice, after {known}: {told}"
        if known is None or (table not in self._follows and journal.walks_in(seq)):
            # Since when it listens is unknown; or it does not, and is told of its own bets alone.
            starts: Iterable[int] = range(after, seq)
        else:
            assert after <= known, f"{self._name} has a gap after {known}: {told}"
            starts = (known,)
        events = told["events"]
        found = (start for start in starts if journal.seen(start, seq, self._player) == events)
        start = next(found, None)
        assert events, f"{self._name} was told nothing: {told}"
        assert start is not None, f"{self._not_there(told)}, after {known}"
        self._known[table] = seq
        self._following.told(journal, start, seq)
        if self._leaves(journal, after, seq) and table not in self._watches:
            self._left_at.add(table)

    def _leaves(self, journal: Journal, after: int, seq: int) -> bool:
        """Whether these rows have taken its seat, so that it hears no more of the table."""
        had = any(journal.seat(row, self._player) is not None for row in range(after, seq))
        return had and journal.seat(seq, self._player) is None

    def _not_there(self, told: Json) -> str:
        return f"{self._name} was told what is not in the journal: {told}"


def _journaled(journal: Journal, field: str, value: Any) -> Any:
    """Without what is only noted beside the journal."""
    if not journal.game.notes:
        return value
    notes = [note.__struct_config__.tag for note in journal.game.notes]
    if field == "picture":
        return None
    if field == "legal":
        return [command for command in value if command["type"] not in notes]
    if field == "view" and value is not None:
        return {name: each for name, each in value.items() if name != "ready"}
    return value
