"""A beat that is under way: what was decided, on its way to the store.

Only this file appends to a table's log.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from itertools import count

import msgspec

from gamehall.games.game import Timer
from gamehall.hall.beat.deciding import Draft
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask
from gamehall.hall.beat.steps import rounds_of
from gamehall.hall.beat.summaries import summary_of
from gamehall.store.appends import Answer, Append, FinishedRound, Opening, Summary, Unknown
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
    doubts: int = 0
    """How often the store could not say whether it is written."""

    def write(
        self,
        store: Store,
        doubted: Callable[[Beat], None],
        settled: Callable[[Beat, Answer], None],
    ) -> None:
        """Appends the steps, again and again while their fate is unknown. Calls `doubted` each time
        it is, and `settled` once, with the answer."""
        # Not a closure: two that name each other are garbage which only the collector finds.
        store.append(self.append, partial(self._answered, store, doubted, settled))

    def _answered(
        self,
        store: Store,
        doubted: Callable[[Beat], None],
        settled: Callable[[Beat, Answer], None],
        answer: Answer,
    ) -> None:
        if not isinstance(answer, Unknown):
            settled(self, answer)
            return
        pause = DOUBT_SECONDS[min(self.doubts, len(DOUBT_SECONDS) - 1)]
        self.doubts += 1
        doubted(self)
        asyncio.get_running_loop().call_later(pause, self.write, store, doubted, settled)

    def asks(self) -> list[Ask]:
        """All that wait for it."""
        return [step.ask for step in self.draft.steps] + [ask for ask, _ in self.draft.held]


def under_way(table: KnownTable, draft: Draft, opening: Opening | None) -> Beat:
    """What is to be written of a draft that has steps. Raises what the rules raise."""
    steps = draft.steps
    before = table.state if opening is None else None
    by_the_house = any(step.decision.by_the_house for step in steps)
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
        rows=tuple([step.written() for step in steps]),
        hash=draft.chain,
        at_ms=steps[-1].row.at_ms,
        due_ms=None if timer is None else timer.due_ms,
        opening=opening,
        summary=summary,
        finished=finished,
    )
    return Beat(before, draft, timer, by_the_house, append)
