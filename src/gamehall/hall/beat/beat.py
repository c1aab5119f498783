"""A beat that is under way: what was decided, on its way to the store.

Only this file appends to a table's log.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from itertools import count

import msgspec

from gamehall.games.game import Timer
from gamehall.hall.beat.deciding import Draft
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask
from gamehall.hall.beat.summaries import rounds_of, summary_of, transfers_of
from gamehall.store.appends import (
    Answer,
    Append,
    FinishedRound,
    NewRow,
    Opening,
    Summary,
    Unknown,
)
from gamehall.store.store import Store
from gamehall.table_log.table_state import TableState

_beat_ids = count(secrets.randbits(62))
"""Tell our own writes from another's; counted on, since a random number for each costs."""
DOUBT_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Pauses between repeats of an append whose fate is unknown; the last one stays."""


class Beat(msgspec.Struct, eq=False):
    """The steps of one beat, and those who wait for them."""

    before: TableState | None
    """The state it began with; None opens the table."""
    draft: Draft
    timer: Timer | None
    """What happens by itself next, after it."""
    by_the_house: bool
    """Whether any event is the hall's own."""
    append: Append
    store: Store
    doubted: Callable[[Beat], None]
    """Called whenever the store cannot say whether it is written."""
    settled: Callable[[Beat, Answer], None]
    """Called once, with the answer."""
    doubts: int = 0
    """How often it was in doubt."""

    def write(self) -> None:
        """Appends the steps, again and again while their fate is unknown."""
        self.store.append(self.append, self._answered)

    def _answered(self, answer: Answer) -> None:
        if not isinstance(answer, Unknown):
            self.settled(self, answer)
            return
        pause = DOUBT_SECONDS[min(self.doubts, len(DOUBT_SECONDS) - 1)]
        self.doubts += 1
        self.doubted(self)
        asyncio.get_running_loop().call_later(pause, self.write)

    def asks(self) -> list[Ask]:
        """All that wait for it."""
        return [step.ask for step in self.draft.steps] + [ask for ask, _ in self.draft.held]


def under_way(
    table: KnownTable,
    draft: Draft,
    opening: Opening | None,
    store: Store,
    doubted: Callable[[Beat], None],
    settled: Callable[[Beat, Answer], None],
) -> Beat:
    """What is to be written of a draft that has steps. Raises what the rules raise."""
    steps = draft.steps
    before = table.state if opening is None else None
    by_the_house = False
    rows: list[NewRow] = []
    for step in steps:
        decision = step.decision
        by_the_house = by_the_house or decision.by_the_house
        transfers = transfers_of(decision, table.id) if decision.payments else ()
        rows.append(NewRow(step.line, step.ask.request, transfers))
    summary: Summary | None = None
    finished: tuple[FinishedRound, ...] = ()
    if by_the_house:
        round_seq, finished = rounds_of(steps, table.round_seq)
        summary = summary_of(before, draft.state, round_seq)
    timer = table.kind.rules.timer(draft.state)
    append = Append(
        table=table.id,
        epoch=table.epoch,
        after=table.head,
        beat_id=next(_beat_ids),
        rows=tuple(rows),
        hash=draft.chain,
        at_ms=steps[-1].row.at_ms,
        due_ms=None if timer is None else timer.due_ms,
        opening=opening,
        summary=summary,
        finished=finished,
    )
    return Beat(before, draft, timer, by_the_house, append, store, doubted, settled)
