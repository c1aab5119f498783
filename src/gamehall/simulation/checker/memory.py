"""Whether nodes have tables in memory that nobody needs there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gamehall.simulation.checker.journals import Books
from gamehall.simulation.checker.transcripts import Transcript

HEALED_SECONDS = 3.0
"""Whatever messages were lost, a node that is well has every row after so long: it compares its
tables with the store every two seconds."""


class Kept(NamedTuple):
    """A table in a node's memory, some time after all has come to rest."""

    node: str
    table: int
    head: int
    """Of its rows, the last that the node knows."""
    owned: bool
    """Whether the node decides what happens there."""
    people: frozenset[int]
    """The players who are connected to that node."""
    behind_seconds: float = 0.0
    """How long ago the first row was written that the node does not know."""


def check_memory(kept: Iterable[Kept], transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    watching = {each.player: watched_at_last(each) for each in transcripts}
    for each in kept:
        journal = books.journals[each.table]
        state = journal.states[-1]
        assert state is not None
        if each.head < len(journal.rows):
            late = f"{each.node} does not know row {each.head + 1} of table {each.table}"
            assert each.behind_seconds < HEALED_SECONDS, late
            continue  # It is about to hear of it.
        assert state.closed is None, f"{each.node} keeps table {each.table}, which is closed"
        here = {player for player, tables in watching.items() if each.table in tables}
        here |= set(state.seat_of)
        if state.walk_in or here - watching.keys():
            continue  # Visitors of other doors may be there, at any node.
        by_timer = each.owned and journal.due_ms is not None
        needed = by_timer or bool(here if each.owned else here & each.people)
        assert needed, f"{each.node} keeps table {each.table}, which nobody needs there"


def watched_at_last(transcript: Transcript) -> set[int]:
    """The tables that someone watches on its last connection. Who sits down hears of the table by
    the seat, and no more once that is given up; where people walk in, nobody asks."""
    watched: set[int] = set()
    for line in transcript.lines:
        if line.what == "opened":
            watched.clear()
        elif line.what == "heard":
            match line.message["action"]:
                case "watch":
                    watched.add(line.message["payload"]["table"])
                case "unwatch" | "sit":
                    watched.discard(line.message["payload"]["table"])
    return watched
