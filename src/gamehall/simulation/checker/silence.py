"""Whether any connection at the native door has fallen silent: whoever follows a table is told of
it without asking.

A gap shows when a later notice comes. If none does, only what the node says when it is asked, and
the journal in the end, can show that something was never told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.transcripts import Json, Line, Transcript

UNWATCHING = ("leave", "unwatch", "sit", "enter_tournament", "leave_tournament")
"""From when such a request is sent until it is answered, nobody knows whether the player is still
taken for someone who watches: who sits down hears of the table by the seat."""


def check_silence(
    transcripts: Sequence[Transcript], books: Books, settled: Mapping[int, int]
) -> None:
    """`settled`: by table, the last row of which everyone must have heard in the end.

    Raises AssertionError.
    """
    for transcript in transcripts:
        for lines in transcript.by_connection():
            hearing = Hearing(transcript, books)
            for line in lines:
                hearing.take(line)
            if lines[-1].what != "ended":
                hearing.check_end(settled)


class Hearing:
    """What one connection has heard of the tables that it follows for sure: by a seat that it has
    been told of, or since it was shown the table to watch.

    Each node tells before it shows. So a view, or what was missed, never has anything new for a
    connection that has followed the table all the while.
    """

    def __init__(self, transcript: Transcript, books: Books) -> None:
        self._name = transcript.name
        self._player = transcript.player
        self._journals = books.journals
        self._known: dict[int, int] = {}
        """The last row that it was told of, by table."""
        self._watches: set[int] = set()
        self._unwatching: dict[str, int] = {}
        """The table of each request that is not answered, and may have it watch no more."""
        self._resumes: dict[str, Json] = {}
        self._answer = ("", 0)
        """The action and the table of what was heard last, if that was an answer: a view that was
        asked for comes right behind it."""
        self._missed: dict[int, int] = {}
        """How many notices are still to come that were asked for, by table: they come right behind
        the answer, also those that it has heard before."""

    def take(self, line: Line) -> None:
        """Raises AssertionError."""
        if line.what == "sent":
            self._sent(line.message)
        elif line.what == "heard":
            self._heard(line.message)

    def _sent(self, message: Json) -> None:
        action, payload = message["action"], message.get("payload") or {}
        if action == "resume":
            self._resumes[message["requestId"]] = payload
        elif action == "logout":
            self._known.clear()
            self._watches.clear()
        elif action in UNWATCHING:
            table = payload.get("table", payload.get("tournament", 0))
            self._unwatching[message["requestId"]] = table
            self._watches.discard(table)

    def _heard(self, message: Json) -> None:
        action, told = message["action"], message.get("payload") or {}
        answer, self._answer = self._answer, ("", 0)
        if action == "resume":
            self._resumed(self._resumes[message["requestId"]], told)
        if message.get("requestId") is not None:
            self._unwatching.pop(message["requestId"], None)
            self._answer = (action, told.get("table", 0))
            return
        journal = self._journals.get(told.get("table", 0))
        if journal is None:
            return
        if action == "table_view":
            self._viewed(journal, told["seq"], answer)
        elif action == "table_events":
            self._noticed(journal, told["seq"])

    def _resumed(self, asked: Json, answer: Json) -> None:
        table, missed = asked["table"], answer["missed"]
        self._check_all_came(table)
        if missed:
            self._missed[table] = missed
        elif missed == 0:
            # The table stands where the player knows it.
            self._told_by_asking(self._journals[table], asked["after"])

    def _viewed(self, journal: Journal, seq: int, answer: tuple[str, int]) -> None:
        table = journal.table
        self._check_all_came(table)
        self._told_by_asking(journal, seq)
        if journal.walks_in(seq):
            watches = answer != ("resume", table)
        else:
            watches = answer == ("watch", table) and journal.seat(seq, self._player) is None
        if watches and table not in self._unwatching.values():
            self._watches.add(table)
            self._know(journal, seq)

    def _noticed(self, journal: Journal, seq: int) -> None:
        left = self._missed.pop(journal.table, 0)
        if left > 1:
            self._missed[journal.table] = left - 1
        elif left:
            self._told_by_asking(journal, seq)
        else:
            self._know(journal, seq)

    def _told_by_asking(self, journal: Journal, seq: int) -> None:
        known = self._known.get(journal.table)
        if known is not None:
            self._check_told(journal, known, seq)
        self._know(journal, seq)

    def _know(self, journal: Journal, seq: int) -> None:
        """It was told of the rows up to this one, and is told of the next if it follows still."""
        table = journal.table
        seq = max(seq, self._known.pop(table, 0))
        if journal.walks_in(seq):
            follows = table in self._watches
        else:
            seated = journal.seat(seq, self._player) is not None
            if seated:
                self._watches.discard(table)  # Nobody knows whether it still does.
            follows = seated or table in self._watches
        if follows:
            self._known[table] = seq

    def check_end(self, settled: Mapping[int, int]) -> None:
        """Raises AssertionError unless it has heard of everything, now that all has come to
        rest."""
        for table in self._missed:
            self._check_all_came(table)
        for table, known in self._known.items():
            self._check_told(self._journals[table], known, settled.get(table, 0))

    def _check_all_came(self, table: int) -> None:
        left = self._missed.get(table, 0)
        assert not left, f"{self._name} lacks {left} notices of table {table} that it had missed"

    def _check_told(self, journal: Journal, known: int, seq: int) -> None:
        """It was told of the rows up to `known`, and they go as far as `seq`."""
        for row in range(known + 1, seq + 1):
            if not self._follows(journal, row - 1):
                return
            due = journal.seen(row - 1, row, self._player)
            silent = f"{self._name} follows table {journal.table}, and was not told of row {row}"
            assert not due, f"{silent}: {due}"

    def _follows(self, journal: Journal, seq: int) -> bool:
        """After that row: who gives up a seat is told of it, and of nothing behind it."""
        if journal.table in self._watches:
            return True
        return not journal.walks_in(seq) and journal.seat(seq, self._player) is not None
