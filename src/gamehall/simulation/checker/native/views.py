"""What a view shows beside what is journaled: the table's clock, and its key.

How long a table rests that is over is the operator's choice: it is known where the store keeps when
it is due, after the last row. A note, which is in no journal, may bring what is due forward: there
nothing is said of when that is. Nor is it known who was connected when (`here`).
"""

from __future__ import annotations

from gamehall.simulation.checker.journals import Journal
from gamehall.simulation.checker.transcripts import Json


def check_beside(name: str, journal: Journal, told: Json) -> None:
    """Raises AssertionError."""
    _check_clock(name, journal, told)
    _check_key(name, journal, told)


def _check_clock(name: str, journal: Journal, told: Json) -> None:
    seq, clock = told["seq"], told["clock"]
    state = journal.states[seq]
    assert state is not None
    timer = journal.rules.timer(state)
    saw = f"{name} saw clock {clock} after row {seq} of table {journal.table}"
    if timer is None:
        assert clock is None, f"{saw}, where nothing is due"
        return
    assert clock is not None, f"{saw}, where something is due"
    assert clock["seat"] == timer.waits_for, f"{saw}, which waits for {timer.waits_for}"
    assert clock["now_ms"] >= journal.rows[seq - 1].at_ms, f"{saw}, which was later than that"
    if state.over and state.again_ms is None:
        due = journal.due_ms if seq == journal.head else None
        assert clock["due_ms"] >= state.ended_at_ms, f"{saw}, which is due before the end"
    else:
        due = None if journal.game.notes else timer.due_ms
    assert due in (None, clock["due_ms"]), f"{saw}, where {due} is due"


def _check_key(name: str, journal: Journal, told: Json) -> None:
    """Which one it is, is judged with all that is private."""
    state = journal.states[told["seq"]]
    private = state is not None and state.opened.private
    shown = told["key"] is not None
    saw = f"{name} saw the key {told['key']} of table {journal.table}"
    assert not shown or private, f"{saw}, which is public"
