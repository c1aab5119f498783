"""The rows of a round that is over, as the hall gives them, and what a forger makes of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from gamehall.table_log import house
from gamehall.table_log.journal import chained
from gamehall.table_log.log import Trailer
from gamehall.testing import Playout
from tests.games.forging import written

Forge = Callable[[list[Any]], object]


def exported(table: Playout, round: int) -> list[bytes]:
    """From the row in which it opened to the one in which it ended, and the last line."""
    opens = [r.seq for r in table.rows for e in r.events if isinstance(e, house.Opened)]
    ends = [
        r.seq
        for r in table.rows
        for e in r.events
        if isinstance(e, house.RoundEnded | house.RoundVoided)
    ]
    first, last = opens[round - 1], ends[round - 1]
    return [*table.lines[first - 1 : last], trailer(last, hash_after(table.lines[:last]))]


def hash_after(lines: list[bytes], before: str = "") -> str:
    for line in lines:
        before = chained(before, line)
    return before


def trailer(head: int, hash: str) -> bytes:
    return msgspec.json.encode(Trailer(head, hash))


def forged(lines: list[bytes], change: Forge) -> list[bytes]:
    """The exported rows with a change by someone who also writes all hashes and the last line
    anew."""
    rows = [json.loads(line) for line in lines[:-1]]
    change(rows)
    opened = next(e for e in rows[0]["events"] if e["type"] == "opened")
    before = hash = opened["previous"]
    changed: list[bytes] = []
    for row in rows:
        for event in row["events"]:
            if event["type"] == "opened":
                event["previous"] = before if row is rows[0] else hash
        changed.append(written(row))
        hash = chained(hash, changed[-1])
    return [*changed, trailer(rows[-1]["seq"], hash)]


# Changes


def event(row: int, place: int, **fields: Any) -> Forge:
    return lambda rows: rows[row]["events"][place].update(fields)


def command(row: int, **fields: Any) -> Forge:
    return lambda rows: rows[row]["command"].update(fields)


def sender(row: int, seat: int | None) -> Forge:
    return lambda rows: rows[row].update(seat=seat)


def both(*changes: Forge) -> Forge:
    def change(rows: list[Any]) -> None:
        for each in changes:
            each(rows)

    return change


def omit(row: int) -> Forge:
    """The next row takes its place."""

    def change(rows: list[Any]) -> None:
        del rows[row]
        for seq, each in enumerate(rows, start=rows[0]["seq"]):
            each["seq"] = seq

    return change


def swap(one: int, other: int) -> Forge:
    def change(rows: list[Any]) -> None:
        first, second = rows[one], rows[other]
        rows[one], rows[other] = second, first
        for field in ("seq", "at_ms"):
            first[field], second[field] = second[field], first[field]

    return change
