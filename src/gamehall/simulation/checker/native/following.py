"""What has to come right behind what was told on a connection, before anything else.

A beat is told in one go: its events, then who has left, then which rounds have ended. And whoever
is told that it is seated is shown the table at once. So each of these is tied to one place, where
it is known whole; anywhere else it is a lie, also if it is told once more.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamehall.simulation.checker.journals import Journal, as_json
from gamehall.simulation.checker.transcripts import Json
from gamehall.table_log import house

Told = tuple[str, Json]
"""An action, and its payload."""
FOLLOWING = ("player_left", "table_over")


class Following:
    """On one connection."""

    def __init__(self, name: str, player: int) -> None:
        self._name = name
        self._player = player
        self._due: list[Told] = []
        self._seated: Json | None = None
        """Told a moment ago, without a view yet."""

    def told(self, journal: Journal, start: int, seq: int) -> None:
        """It was told of the rows behind `start` up to `seq`."""
        self._due = [*_left(journal, start, seq), *_ended(journal, start, seq)]

    def seated(self, told: Json) -> None:
        self._seated = told

    def check(self, message: Json, journal: Journal | None) -> None:
        """Whether this may come now. `journal` is that of its table, if it names one. Raises
        AssertionError."""
        told = (message["action"], message.get("payload") or {})
        if self._due:
            due = self._due.pop(0)
            assert told == due, (
                f"{self._name} was told {told}, and not in the journal's words: {due}"
            )
            return
        untold = f"{self._name} was told what is not in the journal at this place: {told}"
        assert told[0] not in FOLLOWING, untold
        seated, self._seated = self._seated, None
        if seated is not None:
            self._check_shown(seated, told, journal)

    def _check_shown(self, seated: Json, told: Told, journal: Journal | None) -> None:
        action, view = told
        shown = None if journal is None or action != "table_view" else journal.table
        unseen = f"{self._name} was told {seated}, and not shown the table, but {told}"
        assert shown == seated["table"], unseen
        assert journal is not None
        seat = journal.seat(min(view["seq"], journal.head), self._player)
        elsewhere = f"{self._name} was told what is not in the journal: {seated}, it has {seat}"
        assert seated["seat"] == seat is not None, elsewhere

    def check_done(self) -> None:
        """On a connection that has not ended. Raises AssertionError."""
        missing = [self._seated] if self._seated else self._due
        assert not missing, f"{self._name} was never told what follows: {missing}"


def _left(journal: Journal, start: int, seq: int) -> Iterator[Told]:
    """Where people walk in, nobody is told who goes."""
    if journal.walks_in(seq):
        return
    for row in journal.rows[start:seq]:
        if not any(isinstance(event, house.Left) for event in row.events):
            continue
        before = journal.states[row.seq - 1]
        state = None if before is None else journal.rules.fork(before)
        for event in row.events:
            if isinstance(event, house.Left) and state is not None:
                person = state.chairs[event.seat]
                yield (
                    "player_left",
                    {
                        "table": journal.table,
                        "player": person.player,
                        "name": person.name,
                        "seat": event.seat,
                        "reason": event.reason,
                    },
                )
            state = journal.rules.apply(state, event)


def _ended(journal: Journal, start: int, seq: int) -> Iterator[Told]:
    for row in journal.rows[start:seq]:
        for event in row.events:
            if isinstance(event, house.RoundEnded | house.RoundVoided):
                outcome = event.outcome if isinstance(event, house.RoundEnded) else None
                yield (
                    "table_over",
                    {
                        "table": journal.table,
                        # The row that the notice before it has come to, perhaps after the end.
                        "seq": seq,
                        "after": seq,
                        "round": row.round,
                        "outcome": as_json(outcome),
                        "secret": event.secret,
                        "hash": journal.hashes[row.seq],
                    },
                )
