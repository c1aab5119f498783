"""What lies in a hall's database, read by other ways than the hall's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec


class Request(msgspec.Struct, frozen=True):
    """What a journal row keeps of the request that caused it."""

    player: int
    id: str
    digest: bytes


class Written(msgspec.Struct, frozen=True):
    """A journal row as it lies in the database."""

    seq: int
    line: bytes
    request: Request | None


class Record(msgspec.Struct, frozen=True):
    """A table's row in the database, and its journal."""

    table: int
    game: str
    head: int
    hash: str
    status: str
    origin: str
    due_ms: int | None
    """When its timer is due, if it has one."""
    written: tuple[Written, ...]
    seated: frozenset[int]
    """The players who are kept as sitting there."""


def kept_rows(
    tables: Iterable[Sequence[Any]], rows: Iterable[Sequence[Any]], seated: Iterable[Sequence[Any]]
) -> list[Record]:
    """What a store keeps: of each table id, game, head, hash, status, origin and due_ms; of each
    row table, number, line, player, request and digest; of each who sits table and player."""
    written: dict[int, list[Written]] = {}
    for table, seq, line, player, id, digest in rows:
        request = None if id is None else Request(player, _text(id), digest)
        written.setdefault(table, []).append(Written(seq, line, request))
    sitting: dict[int, set[int]] = {}
    for table, player in seated:
        sitting.setdefault(table, set()).add(player)
    records = [
        Record(
            id,
            game,
            head,
            hash,
            status,
            _text(origin or ""),
            due_ms,
            tuple(written.pop(id, ())),
            frozenset(sitting.get(id, ())),
        )
        for id, game, head, hash, status, origin, due_ms in tables
    ]
    assert not written, f"rows of no table: {set(written)}"
    return records


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
