"""What a forger makes of a journal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from gamehall.table_log.journal import chained
from gamehall.table_log.log import Trailer

FORGERIES = 30
"""Of each journal, with a value changed; all that are possible would be many thousands."""


def trailer(head: int, hash: str) -> bytes:
    """The last line of a journal."""
    return msgspec.json.encode(Trailer(head, hash))


def forgeries(lines: list[bytes], rng: Random) -> Iterator[tuple[str, list[bytes]]]:
    """Rows that are removed, swapped and repeated, and values that are changed: by someone who
    leaves the hashes alone, and by someone who writes them all anew."""
    rows = [json.loads(line) for line in lines[:-1]]
    for place in (len(rows) // 2, len(rows) - 1):
        yield f"row {place} removed", lines[:place] + lines[place + 1 :]
        yield f"row {place} repeated", lines[:place] + lines[place - 1 :]
    middle = len(rows) // 2
    swapped = [*lines[: middle - 1], lines[middle], lines[middle - 1], *lines[middle + 1 :]]
    yield f"rows {middle - 1} and {middle} swapped", swapped
    yield "another last hash", [*lines[:-1], trailer(rows[-1]["seq"], "00" * 32)]
    changes = [(place, path) for place, row in enumerate(rows) for path in _paths(row)]
    for place, path in rng.sample(changes, min(FORGERIES, len(changes))):
        name = f"{'.'.join(map(str, path))} of row {place} changed"
        changed = json.loads(lines[place])
        if not _change(changed, path, rng):
            continue
        if rng.random() < 0.1:
            yield name, [*lines[:place], _written(changed), *lines[place + 1 :]]
        else:
            anew = [json.loads(line) for line in lines[:-1]]
            anew[place] = changed
            yield f"{name}, with all hashes", _hashed(anew)


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place within, that of a whole event too."""
    fields = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in fields:
        if isinstance(each, dict | list):
            yield from _paths(each, (*path, key))
        if path != ():
            yield (*path, key)
        elif not isinstance(each, dict | list):
            yield (key,)


def _change(row: Any, path: tuple[str | int, ...], rng: Random) -> bool:
    """Whether something was changed there; `previous` is written anew in any case."""
    *way, key = path
    within = row
    for step in way:
        within = within[step]
    match within[key]:
        case bool(value):
            within[key] = not value
        case int(value):
            within[key] = value + rng.choice((-1, 1))
        case str(value) if key != "previous":
            digits = len(value) == 64
            within[key] = (
                value[:-1] + ("0" if value[-1:] != "0" else "1") if digits else value + "x"
            )
        case None:
            within[key] = 0
        case dict() | list() if isinstance(key, int):
            del within[key]
        case _:
            return False
    return True


def _written(row: Any) -> bytes:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode()


def _hashed(rows: list[Any]) -> list[bytes]:
    lines: list[bytes] = []
    hash = next((e["previous"] for e in rows[0]["events"] if "previous" in e), "")
    for row in rows:
        for event in row["events"]:
            if "previous" in event:
                event["previous"] = hash
        lines.append(_written(row))
        hash = chained(hash, lines[-1])
    return [*lines, trailer(rows[-1]["seq"], hash)]
