"""What a beat is made of: accepted requests on their way to the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gamehall.games.game import Game
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.summaries import finished_round, transfers_of, voided_round
from gamehall.store.appends import FinishedRound, NewRow
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.journal import Row, RowCodec
from gamehall.table_log.rules import TableRules


class Kind(msgspec.Struct, frozen=True):
    """What tables of one game share."""

    game: Game[Any]
    rules: TableRules
    codec: RowCodec


class Step(msgspec.Struct, frozen=True, gc=False):
    """An accepted request, and what it causes once it is written."""

    ask: Ask
    row: Row
    line: bytes
    hash: str
    decision: Decision
    answer: Done

    def written(self) -> NewRow:
        """As the store keeps it."""
        decision = self.decision
        transfers = transfers_of(decision, self.row.table) if decision.payments else ()
        return NewRow(self.line, self.ask.request, transfers)


def opened_in(row: Row) -> house.Opened | None:
    """The round that begins in this row."""
    return next((event for event in row.events if isinstance(event, house.Opened)), None)


def starts(row: Row) -> bool:
    """Whether a round begins to be played in this row."""
    return any(isinstance(event, house.Started) for event in row.events)


def rounds_of(steps: Sequence[Step], round_seq: int) -> tuple[int, tuple[FinishedRound, ...]]:
    """Where the running round begins after these steps, and the rounds that they end."""
    finished = []
    for step in steps:
        row, walk_in = step.row, step.decision.state.walk_in
        for ended in step.decision.ended:
            finished.append(
                finished_round(
                    ended,
                    walk_in=walk_in,
                    first_seq=round_seq,
                    last_seq=row.seq,
                    hash=step.hash,
                )
            )
        for event in row.events:
            if isinstance(event, house.RoundVoided):
                finished.append(
                    voided_round(
                        row.round, event, first_seq=round_seq, last_seq=row.seq, hash=step.hash
                    )
                )
        if opened_in(step.row) is not None:
            round_seq = step.row.seq
    return round_seq, tuple(finished)
