"""A table that another node owns: the same state, from the same rows, for people at this node."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from gamehall.errors import Conflict
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.store.journals import Line

if TYPE_CHECKING:
    from gamehall.hall.tables.relay import Relay

log = structlog.get_logger(__name__)

HELD_MAX = 20_000
"""Answers that may wait for their rows."""


@dataclass(eq=False, repr=False)
class Replica(KnownTable):
    """Answers are given when their rows are here: people hear things in the owner's order."""

    owned = False
    node: str
    """The owner."""
    _relay: Relay

    def __post_init__(self) -> None:
        super().__post_init__()
        self._held: list[tuple[Ask, Done]] = []
        """Answers that wait for the rows which they name, in their order."""

    def put(self, ask: Ask) -> None:
        if ask.remote:
            ask.reply(Conflict())
        else:
            self._relay.forward(self, ask)

    def wake(self) -> None:
        self._relay.came(self)

    def follows(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Those of the rows that are new here; none if some before them are missing."""
        new = [line for line in lines if line.seq > self.head]
        if new and new[0].seq != self.head + 1:
            self._relay.catch_up(self)
            return ()
        return new

    def take(self, lines: Sequence[Line]) -> Told:
        told = super().take(lines)
        self._release(self.head)
        return told

    def answer(self, ask: Ask, done: Done) -> None:
        """The owner has answered: the reply is given now, or with the row that it names."""
        if done.seq <= self.head or self.gone or len(self._held) >= HELD_MAX:
            ask.reply(done)
            return
        insort(self._held, (ask, done), key=_row)
        if len(self._held) == 1:
            self._relay.expect(self)

    @property
    def lacks(self) -> bool:
        """Whether answers wait for rows."""
        return bool(self._held)

    def retire(self) -> None:
        """Takes nothing any more. What was answered is durable, and is told as it is."""
        super().retire()
        self._release(None)

    def _release(self, head: int | None) -> None:
        while self._held and (head is None or _row(self._held[0]) <= head):
            ask, done = self._held.pop(0)
            try:
                ask.reply(done)
            except Exception:
                # A door's fault: it must not keep others from their answers, or from the rows.
                log.exception("reply_failed", table=self.id)


def _row(held: tuple[Ask, Done]) -> int:
    return held[1].seq
