"""What a beat is made of: accepted requests on their way to the store."""

from __future__ import annotations

from typing import Any

import msgspec

from gamehall.games.game import Game
from gamehall.hall.beat.requests import Ask, Done
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


def opened_in(row: Row) -> house.Opened | None:
    """The round that begins in this row."""
    return next((event for event in row.events if isinstance(event, house.Opened)), None)


def starts(row: Row) -> bool:
    """Whether a round begins to be played in this row."""
    return any(isinstance(event, house.Started) for event in row.events)
