"""What a hall did, system call by system call, and whether it told of anything that was not synced.

strace writes one line a call, or two if another thread's call came in between; a call has begun at
the first line and returned at the last. A thread is stopped until strace has noted the return, so
whatever that return has caused stands behind it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.debian import find_program
from tests.system.e2e.clients import Json

CALLS = "fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg"
SYNCS = ("fsync", "fdatasync")
WANTED = "This test needs strace. Install it, as in: apt-get install strace"
STRING_BYTES_MAX = 10**6

_UNFINISHED = " <unfinished ...>"
_LINE = re.compile(r"(\d+) +(.*)")
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)")
_CALL = re.compile(r"(\w+)\((\d+)<(.*?)>[,)]")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(\.\.\.)?')


def strace_program() -> str:
    """Fails if there is none and it cannot be installed."""
    return find_program(["strace"], ["strace"], WANTED)


def under_strace(trace: Path) -> tuple[str, ...]:
    """What to run a program under, so that its calls are written to `trace`."""
    # Descriptors with what they are, and every byte that is written.
    how = ("-f", "-qq", "-yy", "-s", str(STRING_BYTES_MAX), "-e", f"trace={CALLS}")
    return (strace_program(), *how, "-o", str(trace))


class Call(NamedTuple):
    name: str
    target: str
    """What the descriptor is: a path, `TCP:[…]`, `pipe:[…]`."""
    data: bytes
    began: int
    """The line at which it began; and the one at which it had returned."""
    ended: int
    result: str


def read_trace(lines: list[str]) -> list[Call]:
    """The calls that have returned, in that order."""
    calls: list[Call] = []
    begun: dict[str, tuple[int, str]] = {}
    for place, line in enumerate(lines):
        found = _LINE.fullmatch(line)
        assert found, f"strace never wrote this: {line[:200]}"
        thread, rest = found.groups()
        if rest.startswith(("---", "+++")):
            continue
        began = place
        resumed = _RESUMED.fullmatch(rest)
        if resumed:
            began, start = begun.pop(thread)
            rest = start + resumed.group(2)
        if rest.endswith(_UNFINISHED):
            begun[thread] = (began, rest.removesuffix(_UNFINISHED))
        else:
            calls += _read_call(rest, began, place)
    return calls


def _read_call(text: str, began: int, ended: int) -> Iterator[Call]:
    found = _CALL.match(text)
    if found is None:
        return  # The descriptor is none.
    name, _, target = found.groups()
    call, _, result = text.rpartition(" = ")
    data = b""
    for string, more in _STRING.findall(call, found.end()):
        assert not more, "strace has cut a string short"
        data += ast.literal_eval(f'b"{string}"')
    yield Call(name, target, data, began, ended, result)


def told_unsynced(calls: list[Call], rows: Mapping[tuple[int, int], bytes]) -> list[str]:
    """Every message that told of a row, given by (table, seq), before its sync had returned."""
    synced = {place: _synced_at(calls, line) for place, line in rows.items()}
    told: set[tuple[int, int]] = set()
    problems = []
    for call in calls:
        if not call.target.startswith("TCP"):
            continue
        for message in _messages(call.data):
            for place in _rows_of(message):
                told.add(place)
                at = synced.get(place)
                if at is None or call.began < at:
                    problems.append(f"line {call.began + 1} tells of {place}, synced at {at}")
    untold = rows.keys() - told
    assert not untold, f"nobody was told of these, so nothing is proved: {sorted(untold)}"
    return problems


def _synced_at(calls: list[Call], line: bytes) -> int | None:
    """Where the sync had returned of the write that first held this journal line."""
    log = [call for call in calls if call.target.endswith("-wal")]
    written = [call for call in log if call.name == "pwrite64" and line in call.data]
    assert written, f"it was never written: {line!r}"
    syncs = [call.ended for call in log if _syncs(call) and call.began > written[0].ended]
    return min(syncs, default=None)


def _syncs(call: Call) -> bool:
    return call.name in SYNCS and call.result == "0"


def _messages(data: bytes) -> Iterator[Json]:
    """The native door's messages in what was sent: lines of TCP, or frames of WebSocket."""
    text = data.decode(errors="replace")
    decoder = json.JSONDecoder()
    place = text.find('{"action"')
    while place >= 0:
        message, end = decoder.raw_decode(text, place)
        yield message
        place = text.find('{"action"', end)


def _rows_of(message: Json) -> list[tuple[int, int]]:
    payload = message.get("payload", {})
    if message["action"] == "open_table":
        return [(payload["table"], 1)]
    if "table" not in payload or "seq" not in payload:
        return []
    first = payload["after"] + 1 if message["action"] == "table_events" else payload["seq"]
    return [(payload["table"], seq) for seq in range(first, payload["seq"] + 1)]
